import type { Exchange, ShownExchange } from '../../spec/index.ts';
import { cutBody } from '../../spec/shown-body.ts';
import { toCurl } from './curl.ts';
import type { CurlOptions } from './curl.ts';
import { traceIds } from './trace.ts';

/** Maximum length of a shown body, in characters. */
const SHOWN_CHARACTERS = 4_000;

const SHOWN_HEADERS = 60;

function textOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SHOWN_CHARACTERS * 4));
  const text = head.toString('utf8');
  if (text.length <= SHOWN_CHARACTERS && head.byteLength === bytes.byteLength) return text;
  return cutBody(text.slice(0, SHOWN_CHARACTERS), bytes.byteLength);
}

function shorten(value: string): string {
  return value.length <= SHOWN_CHARACTERS ? value : `${value.slice(0, SHOWN_CHARACTERS)}…`;
}

function shownResponse(response: NonNullable<Exchange['response']>): NonNullable<ShownExchange['response']> {
  return {
    status: response.status,
    headers: response.headers.slice(0, SHOWN_HEADERS).map(([name, value]) => [shorten(name), shorten(value)] as const),
    body: textOf(response.body),
    truncated: response.truncated,
  };
}

/** An exchange for findings and reports: bodies as text of limited length, and a curl line. */
export function showExchange(exchange: Exchange, label?: string, options?: CurlOptions): ShownExchange {
  const { id, operation, form, identity, request, response, failure, sentAt, durationMs } = exchange;
  const { method, url, headers, body } = request;
  return {
    id,
    operation,
    form,
    identity,
    sentAt,
    durationMs,
    ...(label === undefined ? {} : { label }),
    request: body === undefined ? { method, url, headers } : { method, url, headers, body: textOf(body) },
    ...(response === undefined ? {} : { response: shownResponse(response) }),
    ...(failure === undefined ? {} : { failure }),
    trace: traceIds(exchange),
    curl: toCurl(exchange, options),
  };
}
