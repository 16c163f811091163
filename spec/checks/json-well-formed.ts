import type { Judge } from './check.ts';
import { isJsonType, isSuccess } from './media.ts';

/** A successful response with a JSON media type is JSON (RFC 8259). */
export const jsonWellFormed: Judge = ({ operation, exchange }) => {
  const { response } = exchange;
  if (response === undefined || response.truncated || !isSuccess(response.status)) return [];
  if (response.body.length === 0 || response.jsonError === undefined) return [];
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
