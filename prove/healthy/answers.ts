import { succeeded, withHeader } from '../proxy/reply.ts';
import type { Make, Reply } from '../proxy/message.ts';
import { every } from './changes.ts';
import { passThrough } from '../proxy/compose.ts';
import { FALSE_ALARMS, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { gzipSync } from 'node:zlib';

const everyError = (change: (reply: Reply) => Reply): Make =>
  every((reply) => (reply.status >= 400 ? change(reply) : reply));

/** Sends JSON responses with another Content-Type. */
const jsonAs = (type: string): Make =>
  every((reply) =>
    String(reply.headers['content-type'] ?? '').startsWith('application/json')
      ? withHeader(reply, 'content-type', type)
      : reply,
  );

/** Sends successful responses with another Content-Type if the Accept header meets a condition. */
const acceptedAs = (accept: (types: string) => boolean, type: string): Make =>
  every((reply, call) =>
    succeeded(reply) && reply.body.length > 0 && accept(call.headers['accept'] ?? '*/*')
      ? withHeader(reply, 'content-type', type)
      : reply,
  );

const ERRORS: readonly Variation[] = [
  variation('errors-plain-text', `${FALSE_ALARMS}: errors as plain text`).by(
    everyError((reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'text/plain; charset=utf-8' },
      body: Buffer.from('It did not work.'),
    })),
  ),
  variation('errors-empty', `${FALSE_ALARMS}: errors with an empty body`).by(
    everyError((reply) => ({ ...reply, body: Buffer.alloc(0) })),
  ),
  variation('errors-own-json', 'the shape of an error body is not shown (api.md 7)').by(
    everyError((reply) => ({
      ...reply,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"message":"no"}'),
    })),
  ),
];

const WIRES: readonly Variation[] = [
  variation('extra-headers', 'the headers of responses are not limited').replies((reply) => ({
    ...reply,
    headers: {
      ...reply.headers,
      server: 'Kestrel',
      'x-request-id': '1',
      'strict-transport-security': 'max-age=1',
      etag: '"1"',
      'set-cookie': ['a=b; path=/', 'c=d'],
      vary: 'Accept',
    },
  })),
  variation('chunked', 'HTTP: a response may be chunked').replies((reply) => ({ ...reply, wire: 'chunked' })),
  variation('gzip', 'HTTP: content codings that the client accepts').replies((reply, call) =>
    /gzip/.test(call.headers['accept-encoding'] ?? '') && reply.body.length > 0
      ? withHeader({ ...reply, body: gzipSync(reply.body) }, 'content-encoding', 'gzip')
      : reply,
  ),
  variation('connection-recycled', 'HTTP: a server may close the connection after some responses').by(passThrough, {
    requestsPerSocket: 25,
  }),
  variation('type-with-parameters', 'media types may have parameters').by(
    jsonAs('application/json; odata.metadata=minimal; charset=utf-8'),
  ),
  variation('type-in-capitals', 'media types are case-insensitive').by(jsonAs('Application/JSON;charset=UTF-8')),
  variation('text-plain-answers-json', `${FALSE_ALARMS}: Accept text/plain on an object answers JSON`).by(
    acceptedAs((types) => types.startsWith('text/plain'), 'application/json; charset=utf-8'),
  ),
  variation('text-json-when-any', 'JSON responses are offered as text/json too (api.md 4)').by(
    acceptedAs((types) => types === '*/*', 'text/json; charset=utf-8'),
  ),
  variation('gateway-path-api', 'the base URL can have a path of its own (platform.md)').by(passThrough, {
    prefix: '/api',
  }),
];

export const ANSWERS: readonly Variation[] = [...WIRES, ...ERRORS];
