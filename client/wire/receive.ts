import type { Json, ReceivedResponse, Redactor } from '../../spec/index.ts';
import type { RawAnswer } from './attempt.ts';
import { decode } from './decode.ts';
import type { Decoded } from './decode.ts';
import { isJsonType, parseJson } from './parse-json.ts';

/** What is needed to read an answer. */
export interface ReceiveContext {
  readonly redactor: Redactor;
  readonly maxBodyBytes: number;
  /** The request's; an answer to HEAD has no body. */
  readonly method: string;
}

function headerOf(answer: RawAnswer, name: string): string | undefined {
  return answer.headers.find(([key]) => key === name)?.[1];
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What can spell a character of a token otherwise inside a JSON string. */
const ESCAPED_ASCII = /\\(?:\/|u00[2-7])/i;

/** Parses a body whose plain tokens are hidden already; those that only escapes spell are hidden after parsing. */
function parseRedacted(body: Buffer, redactor: Redactor): { body: Buffer; json?: Json; jsonError?: string } {
  const parsed = parseJson(body);
  if ('jsonError' in parsed || !body.includes(0x5c) || !ESCAPED_ASCII.test(body.toString('latin1')))
    return { body, ...parsed };
  const text = JSON.stringify(parsed.json);
  const hidden = redactor.text(text);
  if (hidden === text) return { body, ...parsed };
  const json: Json = JSON.parse(hidden);
  return { body: Buffer.from(hidden), json };
}

function interpret(answer: RawAnswer, decoded: Decoded, mediaType: string | undefined, context: ReceiveContext) {
  const body = asBuffer(context.redactor.bytes(decoded.body));
  const bodiless = context.method === 'HEAD' || answer.status === 204 || answer.status === 304;
  if (decoded.error !== undefined) return { body, jsonError: decoded.error };
  if (mediaType === undefined || !isJsonType(mediaType) || (bodiless && body.length === 0)) return { body };
  if (decoded.truncated) return { body, jsonError: `longer than ${context.maxBodyBytes} bytes; the rest was not read` };
  return parseRedacted(body, context.redactor);
}

/** No list of things is packed as tightly as this. */
const BOMB_RATIO = 200;

function isBomb(answer: RawAnswer, { body, truncated }: Decoded): boolean {
  return truncated && !answer.truncated && body.length > answer.body.length * BOMB_RATIO;
}

/** Values of larger bodies are made again where they are asked for again: a value takes many times the memory of its text. */
const KEPT_PARSED = 256 * 1024;

function lazily<T extends Pick<ReceivedResponse, 'body' | 'json'>>(response: T): T {
  const { json, body } = response;
  if (json === undefined || typeof json !== 'object' || json === null || body.length <= KEPT_PARSED) return response;
  let held = new WeakRef(json);
  const get = (): Json | undefined => {
    const known = held.deref();
    if (known !== undefined) return known;
    const parsed = parseJson(asBuffer(body));
    const again = 'json' in parsed ? parsed.json : undefined;
    if (typeof again === 'object' && again !== null) held = new WeakRef(again);
    return again;
  };
  return Object.defineProperty({ ...response }, 'json', { get, enumerable: true });
}

/** Turns what the wire brought into what the checks judge: decoded, redacted, parsed. */
export async function receive(answer: RawAnswer, context: ReceiveContext): Promise<ReceivedResponse> {
  const encoding = headerOf(answer, 'content-encoding');
  const decoded = encoding === undefined ? answer : await decode(answer, encoding, context.maxBodyBytes);
  const mediaType = headerOf(answer, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const { redactor } = context;
  return lazily({
    status: answer.status,
    headers: answer.headers.map(([name, value]) => [redactor.text(name), redactor.text(value)] as const),
    truncated: decoded.truncated,
    ...(answer.endless === true || isBomb(answer, decoded) ? { endless: true as const } : {}),
    ...(mediaType === undefined ? {} : { mediaType: redactor.text(mediaType) }),
    ...interpret(answer, decoded, mediaType, context),
  });
}
