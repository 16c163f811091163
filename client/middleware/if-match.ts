import type { Operation } from '../../spec/index.ts';
import { headerOf } from '../transport/receive.ts';
import { methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec, Send } from '../request-spec.ts';
import { defined } from '../../spec/defined.ts';

const HEADER = 'if-match';

/** Sends the current ETag, read before each request, to operations that declare If-Match, unless it is set or set to undefined. */
export function withIfMatch(readOf: ((operation: Operation) => Operation | undefined) | undefined): Middleware {
  if (readOf === undefined) return (next) => next;
  return (next) => async (spec) => {
    const { operation, headers = {} } = spec;
    const declared = operation.parameters.find(
      ({ name, in: place }) => place === 'header' && name.toLowerCase() === HEADER,
    );
    const read = readOf(operation);
    const isOther = operation.method === 'GET' || methodOf(spec) !== operation.method;
    if (declared === undefined || read === undefined || isOther || Object.hasOwn(headers, HEADER)) return next(spec);
    const etag = await etagOf(next, read, spec);
    return etag === undefined ? next(spec) : next({ ...spec, headers: { ...headers, [HEADER]: etag } });
  };
}

/** The ETag of an item as it is now, read with the full token whoever sends the change. */
async function etagOf(next: Send, read: Operation, { form, path }: RequestSpec): Promise<string | undefined> {
  const { response } = await next({ operation: read, ...defined({ form, path }) });
  return headerOf(response, 'etag');
}
