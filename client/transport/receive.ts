import { isJsonType } from '../../spec/index.ts';
import type { Json, ReceivedResponse, Redactor } from '../../spec/index.ts';
import type { RawResponse } from './attempt.ts';
import { decode } from './decode.ts';
import type { Decoded } from './decode.ts';
import { parseJson } from './parse-json.ts';

export interface ReceiveContext {
  readonly redactor: Redactor;
  readonly maxBodyBytes: number;
  /** Method of the request: a response to HEAD has no body. */
  readonly method: string;
}

/** The first value of a header, by its name in lower case. */
export function headerOf(response: Pick<RawResponse, 'headers'> | undefined, name: string): string | undefined {
  return response?.headers.find(([key]) => key === name)?.[1];
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Escapes that can represent a character of a token inside a JSON string. */
const ESCAPED_ASCII = /\\(?:\/|u00[2-7])/i;

/** Parses a body in which plain tokens are redacted already; tokens with escapes are redacted after parsing. */
function parseRedacted(body: Buffer, redactor: Redactor): { body: Buffer; json?: Json; jsonError?: string } {
  const parsed = parseJson(body);
  if (
    'jsonError' in parsed ||
    parsed.json === undefined ||
    !body.includes(0x5c) ||
    !ESCAPED_ASCII.test(body.toString('latin1'))
  )
    return { body, ...parsed };
  const text = JSON.stringify(parsed.json);
  const hidden = redactor.text(text);
  if (hidden === text) return { body, ...parsed };
  const json: Json = JSON.parse(hidden);
  return { body: Buffer.from(hidden), json };
}

function interpret(raw: RawResponse, decoded: Decoded, mediaType: string | undefined, context: ReceiveContext) {
  const body = asBuffer(context.redactor.bytes(decoded.body));
  const bodiless = context.method === 'HEAD' || raw.status === 204 || raw.status === 304;
  if (decoded.error !== undefined) return { body, jsonError: decoded.error };
  if (mediaType === undefined || !isJsonType(mediaType))
    return decoded.truncated || mediaType?.startsWith('text/') === false ? { body } : unlabelled(body, context);
  if (bodiless && body.length === 0) return { body };
  if (decoded.truncated) return { body, jsonError: `longer than ${context.maxBodyBytes} bytes; the rest was not read` };
  return parseRedacted(body, context.redactor);
}

/** Objects and lists are JSON under any type of text too: a wrong type is one violation, and the content can still be checked. */
function unlabelled(body: Buffer, { redactor }: ReceiveContext): { body: Buffer; json?: Json } {
  if (body[0] !== 0x7b && body[0] !== 0x5b) return { body };
  const { jsonError, ...parsed } = parseRedacted(body, redactor);
  return jsonError === undefined ? parsed : { body };
}

/** Compression ratio that no ordinary body reaches. */
const BOMB_RATIO = 200;

function isBomb(raw: RawResponse, { body, truncated }: Decoded): boolean {
  return truncated && !raw.truncated && body.length > raw.body.length * BOMB_RATIO;
}

/** Parsed values of larger bodies are not kept but parsed again on demand: a value takes many times the memory of its text. */
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

/** Decodes, redacts and parses a response. */
export async function receive(raw: RawResponse, context: ReceiveContext): Promise<ReceivedResponse> {
  const encoding = headerOf(raw, 'content-encoding');
  const decoded = encoding === undefined ? raw : await decode(raw, encoding, context.maxBodyBytes);
  const mediaType = headerOf(raw, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const { redactor } = context;
  return lazily({
    status: raw.status,
    headers: raw.headers.map(([name, value]) => [redactor.text(name), redactor.text(value)] as const),
    truncated: decoded.truncated,
    ...(raw.endless === true || isBomb(raw, decoded) ? { endless: true as const } : {}),
    ...(mediaType === undefined ? {} : { mediaType: redactor.text(mediaType) }),
    ...interpret(raw, decoded, mediaType, context),
  });
}
