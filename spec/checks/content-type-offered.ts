import type { Judge } from './check.ts';
import { contentFor, isJsonType, isSuccess, responseFor } from './media.ts';

/** The body of a success is of a media type that the description offers. */
export const contentTypeOffered: Judge = ({ contract, operation, exchange }) => {
  const { response } = exchange;
  if (response === undefined || !isSuccess(response.status) || response.body.length === 0) return [];
  if (exchange.request.method !== operation.method) return [];
  const spec = responseFor(operation, response.status);
  if (spec === undefined) return [];
  const open = spec.content.length === 0;
  const type = response.mediaType;
  if (type === undefined || (open && (!contract.builtIn || isJsonType(type) || type === 'text/plain'))) return [];
  if (!open && contentFor(spec, response) !== undefined) return [];
  const offered = open ? 'application/json, text/json, text/plain' : spec.content.map((each) => each.type).join(', ');
  return [
    {
      requirement: 'content.response-type',
      cause: `content type ${type}`,
      message: `${operation.id} answers with ${type}`,
      expected: `one of the offered media types: ${offered}`,
      received: `Content-Type: ${type}`,
    },
  ];
};
