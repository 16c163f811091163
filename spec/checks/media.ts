import type { MediaContent, Operation, ResponseSpec } from '../contract.ts';
import type { Exchange, ReceivedResponse } from '../exchange.ts';

/**
 * The described response of a status: by the exact status, its range, or `default`. A `default` that stands alone describes the
 * success: descriptions that name no status have no other place for it.
 */
export function responseFor(operation: Operation, status: number): ResponseSpec | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const find = (key: string): ResponseSpec | undefined =>
    operation.responses.find((each) => each.status.toUpperCase() === key);
  const isAlone = operation.responses.length === 1 && status >= 400;
  return find(String(status)) ?? find(range) ?? (isAlone ? undefined : find('DEFAULT'));
}

/** True if a media range such as `application/*+json` covers a media type. */
export function covers(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true;
  const [rangeMain, rangeSub = ''] = range.split('/');
  const [main, sub = ''] = type.split('/');
  if (rangeMain !== main) return false;
  return rangeSub === '*' || (rangeSub.startsWith('*+') && sub.endsWith(rangeSub.slice(1)));
}

/** Widest last. */
function width(range: string): number {
  return range === '*/*' ? 3 : range.endsWith('/*') ? 2 : range.includes('*') ? 1 : 0;
}

/** The described content of a media type: of the narrowest range that covers it. */
export function contentFor(content: readonly MediaContent[], type: string | undefined): MediaContent | undefined {
  if (type === undefined) return undefined;
  return content.filter((each) => covers(each.type, type)).sort((a, b) => width(a.type) - width(b.type))[0];
}

/** True for media types whose bodies are JSON. */
export function isJsonType(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

/** True for a success status (2xx). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** True for the statuses with which a gateway answers when the service does not. */
export function isOfGateway(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** True for an exchange with any success status. */
export function isServed(
  exchange: Exchange | undefined,
): exchange is Exchange & { readonly response: ReceivedResponse } {
  return exchange?.response !== undefined && isSuccess(exchange.response.status);
}

/** The media type in the Accept header, if the description offers it for this response. */
export function acceptedOf(operation: Operation, { request, response }: Exchange): string | undefined {
  const accept = request.headers['accept'];
  if (request.method !== operation.method || response === undefined) return undefined;
  const offered = responseFor(operation, response.status)?.content ?? [];
  return offered.some(({ type }) => type === accept) ? accept : undefined;
}

export function parsesAsJson(body: Uint8Array | undefined): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return true;
  } catch {
    return false;
  }
}
