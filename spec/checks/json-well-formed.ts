import type { Judge } from './check.ts';
import type { Subject } from './check.ts';
import { acceptedOf, isJsonType, isSuccess, parsesAsJson } from './media.ts';

/** A successful response is JSON (RFC 8259) if its media type is JSON, or if the request asked for an offered JSON media type. */
export const jsonWellFormed: Judge = (subject) => {
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
  if (response.jsonError === undefined) return [];
  if (response.mediaType === undefined || !isJsonType(response.mediaType)) return [];
  return [
    {
      requirement: 'content.response-well-formed',
      code: 'json-well-formed/malformed',
      message: `${operation.id} answers with malformed JSON`,
      expected: `well-formed JSON (Content-Type: ${response.mediaType})`,
      received: response.jsonError,
    },
  ];
};

function isOtherThanJson({ operation, exchange }: Subject): boolean {
  const { mediaType = '', body } = exchange.response ?? {};
  const requested = acceptedOf(operation, exchange);
  return requested !== undefined && isJsonType(requested) && !isJsonType(mediaType) && !parsesAsJson(body);
}
