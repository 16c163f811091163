import type { Check, Subject } from './check.ts';
import { acceptedOf, covers, isJsonType, isSuccess, parsesAsJson, responseFor } from './media.ts';

/** Id of the requirement that responses are JSON, whichever media type is asked for. */
const ONLY_JSON = 'versioning.responses-json';

/**
 * A successful response is JSON (RFC 8259) if its media type is JSON, if the request asked for an offered JSON media type or, where the
 * document states that responses are JSON, for none.
 */
export const jsonWellFormed: Check = (subject) => {
  const { operation, exchange } = subject;
  const { response } = exchange;
  if (response === undefined || response.truncated || !isSuccess(response.status) || response.body.length === 0)
    return [];
  if (isOtherThanJson(subject))
    return [
      {
        requirement: 'content.response-json',
        code: 'json-well-formed/not-json',
        message: `${operation.id} does not return JSON although the request asks for it`,
        expected: 'JSON, as requested by Accept and offered by the description',
        received: `Content-Type: ${response.mediaType ?? 'none'}, and a body that is not JSON`,
      },
    ];
  if (isTextUnasked(subject))
    return [
      {
        requirement: ONLY_JSON,
        code: 'json-well-formed/not-json',
        message: `${operation.id} does not return JSON to a request that asks for no media type`,
        expected: 'JSON, which the API document states',
        received: `Content-Type: ${response.mediaType ?? 'none'}, and a body that is not JSON`,
      },
    ];
  const error = response.jsonError ?? (MARK.every((byte, at) => response.body[at] === byte) ? MARKED : undefined);
  if (error === undefined) return [];
  if (response.mediaType === undefined || !isJsonType(response.mediaType)) return [];
  return [
    {
      requirement: 'content.response-well-formed',
      code: 'json-well-formed/malformed',
      message: `${operation.id} answers with malformed JSON`,
      expected: `well-formed JSON (Content-Type: ${response.mediaType})`,
      received: error,
    },
  ];
};

/** The byte order mark in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf] as const;
const MARKED = 'a byte order mark before the JSON, which RFC 8259 (8.1) forbids';

function isOtherThanJson({ operation, exchange }: Subject): boolean {
  const { mediaType = '', body } = exchange.response ?? {};
  const requested = acceptedOf(operation, exchange);
  return requested !== undefined && isJsonType(requested) && !isJsonType(mediaType) && !parsesAsJson(body);
}

/** True for a body that is neither JSON nor, as a bare text, what the schema describes. */
function isTextUnasked({ contract, operation, exchange }: Subject): boolean {
  const { mediaType = '', body = new Uint8Array(), status = 0 } = exchange.response ?? {};
  const { accept = '*/*' } = exchange.request.headers;
  const content = responseFor(operation, status)?.content ?? [];
  const offered = content.find(({ type }) => isJsonType(type));
  if (offered === undefined || accept !== '*/*' || exchange.request.method !== operation.method) return false;
  // Another type is not offered at all.
  if (!content.some(({ type }) => covers(type, mediaType))) return false;
  if (isJsonType(mediaType) || parsesAsJson(body) || !contract.requirements.some(({ id }) => id === ONLY_JSON))
    return false;
  const text = new TextDecoder().decode(body);
  return offered.schema === undefined || contract.validate(offered.schema, text, 'response').length > 0;
}
