/** The properties of a response head that the engine needs. */
export interface ResponseHead {
  status: number;
  /** Content length; -1 without one. */
  length: number;
  chunked: boolean;
  keepAlive: boolean;
}

/** Names in lower case and values of the headers of a head. Slower than {@link readHead}: for samples. */
export function headersIn(head: Uint8Array): (readonly [name: string, value: string])[] {
  const lines = Buffer.from(head).toString('latin1').split(/\r?\n/).slice(1);
  return lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const] : [];
  });
}

const LF = 10;
const NAMES = {
  10: Buffer.from('connection'),
  14: Buffer.from('content-length'),
  17: Buffer.from('transfer-encoding'),
} as const;

function named(bytes: Buffer, at: number, name: Buffer): boolean {
  if (bytes[at + name.length] !== 58) return false;
  for (let index = 0; index < name.length; index += 1) {
    if (((bytes[at + index] as number) | 32) !== name[index]) return false;
  }
  return true;
}

function number(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  let digits = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] as number) - 48;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digits += 1;
    } else if (digits > 0 && digit !== -16 && digit !== -35) return -2;
  }
  return digits > 0 ? value : -2;
}

function text(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to).trim().toLowerCase();
}

function readLine(bytes: Buffer, from: number, to: number, head: ResponseHead): void {
  const first = (bytes[from] as number) | 32;
  if (first === 99) {
    if (named(bytes, from, NAMES[14])) head.length = number(bytes, from + 15, to);
    else if (named(bytes, from, NAMES[10])) {
      const value = text(bytes, from + 11, to);
      if (value.includes('close')) head.keepAlive = false;
      else if (value.includes('keep-alive')) head.keepAlive = true;
    }
  } else if (first === 116 && named(bytes, from, NAMES[17])) {
    head.chunked = text(bytes, from + 18, to).endsWith('chunked');
  }
}

/** Parses `HTTP/1.x NNN`; false for anything else. */
function readStatusLine(bytes: Buffer, from: number, to: number, head: ResponseHead): boolean {
  if (
    to - from < 12 ||
    bytes[from] !== 72 ||
    bytes[from + 4] !== 47 ||
    bytes[from + 5] !== 49 ||
    bytes[from + 8] !== 32
  )
    return false;
  const at = from + 9;
  head.status =
    ((bytes[at] as number) - 48) * 100 + ((bytes[at + 1] as number) - 48) * 10 + (bytes[at + 2] as number) - 48;
  head.keepAlive = bytes[from + 7] === 49;
  head.length = -1;
  head.chunked = false;
  return head.status >= 100 && head.status <= 999;
}

/** Parses the head in `bytes[from, to)`; returns where the body begins, -1 when it is incomplete, -2 when it is no HTTP/1.1 response. */
export function readHead(bytes: Buffer, from: number, to: number, head: ResponseHead): number {
  let start = from;
  let seenStatus = false;
  for (let at = from; at < to; at += 1) {
    if (bytes[at] !== LF) continue;
    const end = at > start && bytes[at - 1] === 13 ? at - 1 : at;
    if (!seenStatus) {
      if (!readStatusLine(bytes, start, end, head)) return -2;
      seenStatus = true;
    } else if (end === start) return head.length === -2 ? -2 : at + 1;
    else readLine(bytes, start, end, head);
    start = at + 1;
  }
  return !seenStatus && to - from > 4 && bytes[from] !== 72 ? -2 : -1;
}
