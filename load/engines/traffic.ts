/** Encoded requests in one block, which is copied to each worker. */
export interface Traffic {
  readonly bytes: Uint8Array;
  /** Start of each request, and the end of the last one. */
  readonly starts: Uint32Array;
  /** Offsets of the unique fields, relative to the start of the request. */
  readonly fields: readonly (readonly number[])[];
  /** Width of such a field in bytes. */
  readonly fieldWidth: number;
  /** Statuses that count as success, by request; empty: 200 to 299. */
  readonly accepts: readonly (readonly number[])[];
  /** The token in their Authorization headers. */
  readonly token?: string;
  /** Index of the part that each request belongs to. */
  readonly partOf: readonly number[];
  /** Index of the series that each request belongs to. */
  readonly seriesOf: readonly number[];
  readonly series: readonly Series[];
  readonly parts: readonly TrafficPart[];
}

/** Requests that are counted together. */
export interface Series {
  readonly part: string;
  readonly operation: string;
  /** The operation of the description, where a flow gave its requests another name. */
  readonly named?: string;
}

/** Requests with their own share of the traffic. */
export interface TrafficPart {
  readonly label: string;
  /** 0: not sent. */
  readonly weight: number;
  /** The origin of its requests; default: that of the base URL. */
  readonly origin?: string;
}

/** A request of a worker. Its unique fields are patched in place before each use. */
export interface ReadyRequest {
  bytes: Buffer;
  readonly index: number;
  readonly part: number;
  readonly series: number;
  fields: readonly number[];
  readonly accepts: readonly number[];
}

/** True for HEAD, the only method with this initial. */
export function isHead({ bytes }: ReadyRequest): boolean {
  return bytes[0] === 72;
}

/** Replaces the token in the Authorization header, if it is there. */
export function replaceToken(request: ReadyRequest, from: string, to: string): void {
  const { bytes, fields } = request;
  const line = `\r\nauthorization: Bearer ${from}\r\n`;
  const head = bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 2);
  const at = head.indexOf(line, 0, 'latin1');
  if (at < 0) return;
  const start = at + line.length - from.length - 2;
  request.bytes = Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from(to, 'latin1'),
    bytes.subarray(start + from.length),
  ]);
  request.fields = fields.map((field) => field + to.length - from.length);
}

const DIGITS = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz');

/** Digits of the counter at the end of a unique field; the rest identifies the run and the worker. */
export const COUNTER_DIGITS = 7;

/** Fields of this width or more have three digits for the worker. */
const WIDE = 14;

/** Number of digits that identify the worker. */
function workerDigits(width: number): number {
  return width >= WIDE ? 3 : 1;
}

/** The largest number of workers with different ids. */
export function mostWorkers({ fields, fieldWidth }: Pick<Traffic, 'fields' | 'fieldWidth'>): number {
  return fields.some((each) => each.length > 0) ? 36 ** workerDigits(fieldWidth) : Infinity;
}

/** The digits of a worker, before the counter of a unique field. */
export function workerFront(worker: number, width: number): string {
  const digits = workerDigits(width);
  return worker.toString(36).padStart(digits, '0').slice(-digits);
}

/** The beginning of each unique field, which identifies the run; the digits of the worker and the counter follow. */
export function fieldFront(runId: string, width: number): string {
  const room = width - COUNTER_DIGITS - workerDigits(width);
  const letters = runId.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters.slice(-room).padStart(room, '0');
}

/** Writes the last digits of `id` (base 36) at the end of each field. */
export function patchId(request: ReadyRequest, width: number, id: number): void {
  const { bytes, fields } = request;
  const first = fields[0];
  if (first === undefined) return;
  const from = width - Math.min(width, COUNTER_DIGITS);
  let rest = id;
  for (let digit = width - 1; digit >= from; digit -= 1) {
    const next = (rest / 36) | 0;
    bytes[first + digit] = DIGITS[rest - next * 36] as number;
    rest = next;
  }
  for (let field = 1; field < fields.length; field += 1) {
    const at = fields[field] as number;
    for (let digit = from; digit < width; digit += 1) bytes[at + digit] = bytes[first + digit] as number;
  }
}

/** Copies the requests, with the digits of the worker before the counter. */
export function readyRequests(traffic: Traffic, worker: number): ReadyRequest[] {
  const own = Buffer.from(traffic.bytes);
  const digits = Buffer.from(workerFront(worker, traffic.fieldWidth));
  const mark = traffic.fieldWidth - COUNTER_DIGITS - digits.length;
  return traffic.partOf.map((part, index) => {
    const bytes = own.subarray(traffic.starts[index], traffic.starts[index + 1]);
    const fields = traffic.fields[index] ?? [];
    if (mark >= 0) for (const field of fields) digits.copy(bytes, field + mark);
    return { bytes, index, part, series: traffic.seriesOf[index] ?? 0, fields, accepts: traffic.accepts[index] ?? [] };
  });
}

/** Turns of a sequence of parts whose weights are not small whole numbers. */
const MOST_TURNS = 1000;

/** The repeated sequence of parts, as indices: smooth weighted round robin, as in nginx. */
export function turnsOf(parts: readonly TrafficPart[]): Uint16Array {
  const sum = parts.reduce((all, { weight }) => all + weight, 0);
  const isExact = sum <= MOST_TURNS && parts.every(({ weight }) => Number.isInteger(weight));
  const scale = isExact ? 1 : MOST_TURNS / sum;
  const weights = parts.map(({ weight }) => (weight === 0 ? 0 : Math.max(1, Math.round(weight * scale))));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const credit = weights.map(() => 0);
  return Uint16Array.from({ length: total }, () => {
    weights.forEach((weight, part) => (credit[part] = (credit[part] as number) + weight));
    const next = credit.indexOf(Math.max(...credit));
    credit[next] = (credit[next] as number) - total;
    return next;
  });
}

/** Gives out the requests of all parts in turn, each with a unique id. */
export class Picker {
  /** The id of the next request. */
  given: number;
  readonly #byPart: readonly ReadyRequest[][];
  readonly #turns: Uint16Array;
  readonly #cursors: Uint32Array;
  readonly #width: number;

  constructor(traffic: Traffic, worker: number, workers: number, firstId = 0) {
    this.given = firstId;
    const requests = readyRequests(traffic, worker);
    this.#byPart = traffic.parts.map((_, part) => requests.filter((request) => request.part === part));
    this.#turns = turnsOf(traffic.parts);
    this.#cursors = Uint32Array.from(this.#byPart, (list) => Math.floor((list.length * (worker % workers)) / workers));
    this.#width = traffic.fieldWidth;
  }

  /** Replaces the token of all requests from now on. */
  replaceToken(from: string, to: string): void {
    for (const request of this.#byPart.flat()) replaceToken(request, from, to);
  }

  skip(): void {
    this.given += 1;
  }

  next(): ReadyRequest {
    const id = this.given;
    const part = this.#turns[id % this.#turns.length] as number;
    const list = this.#byPart[part] as ReadyRequest[];
    let cursor = this.#cursors[part] as number;
    if (cursor >= list.length) cursor = 0;
    this.#cursors[part] = cursor + 1;
    this.given = id + 1;
    const request = list[cursor] as ReadyRequest;
    patchId(request, this.#width, id);
    return request;
  }
}
