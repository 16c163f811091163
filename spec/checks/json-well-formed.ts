import type { Judge } from './check.ts';
import { isJsonType, isSuccess } from './media.ts';

/** A success that says it is JSON is JSON (RFC 8259). */
export const jsonWellFormed: Judge = ({ operation, exchange }) => {
  const { response } = exchange;
  if (response === undefined || response.truncated || !isSuccess(response.status)) return [];
  if (response.body.length === 0 || response.jsonError === undefined) return [];
  if (response.mediaType === undefined || !isJsonType(response.mediaType)) return [];
  return [
    {
      requirement: 'content.response-well-formed',
      cause: 'malformed JSON',
      message: `${operation.id} answers with malformed JSON`,
      expected: `well-formed JSON, as Content-Type ${response.mediaType} says`,
      received: response.jsonError,
    },
  ];
};
