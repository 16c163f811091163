import { succeeded, withHeader } from '../proxy/edit.ts';
import type { Reply } from '../proxy/message.ts';
import { every } from './json.ts';
import { passThrough } from '../proxy/compose.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { gzipSync } from 'node:zlib';

const LIST = 'false-alarm list of platform.md';
const isError = (reply: Reply): boolean => reply.status >= 400;
const ERRORS: readonly Variation[] = [
  variation(
    'errors-plain-text',
    `${LIST}: errors as plain text`,
    every((reply) =>
      isError(reply)
        ? {
            ...reply,
            headers: { ...reply.headers, 'content-type': 'text/plain; charset=utf-8' },
            body: Buffer.from('It did not work.'),
          }
        : reply,
    ),
  ),
  variation(
    'errors-empty',
    `${LIST}: errors with an empty body`,
    every((reply) => (isError(reply) ? { ...reply, body: Buffer.alloc(0) } : reply)),
  ),
  variation(
    'errors-own-json',
    'the shape of an error body is not shown (api.md 7)',
    every((reply) =>
      isError(reply)
        ? { ...reply, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"message":"no"}') }
        : reply,
    ),
  ),
  variation(
    'errors-challenge',
    `${LIST}: 401 and 403 often have an empty body`,
    every((reply) =>
      [401, 403].includes(reply.status)
        ? { ...reply, headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, body: Buffer.alloc(0) }
        : reply,
    ),
  ),
];

const WIRES: readonly Variation[] = [
  variation('healthy-as-it-is', 'the embedded service', passThrough),
  variation(
    'extra-headers',
    'headers of answers are not limited',
    every((reply) => ({
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
  ),
  variation(
    'chunked',
    'HTTP: an answer may come in chunks',
    every((reply) => ({ ...reply, wire: 'chunked' })),
  ),
  variation(
    'gzip',
    'HTTP: content codings that the client accepts',
    every((reply, call) =>
      /gzip/.test(call.headers['accept-encoding'] ?? '') && reply.body.length > 0
        ? withHeader({ ...reply, body: gzipSync(reply.body) }, 'content-encoding', 'gzip')
        : reply,
    ),
  ),
  variation(
    'connection-close',
    'HTTP: a server may close after each answer',
    every((reply) => withHeader(reply, 'connection', 'close')),
  ),
  variation('connection-recycled', 'HTTP: a server may close after some answers', passThrough, {
    requestsPerSocket: 25,
  }),
  variation(
    'date-odd',
    'HTTP: a server without a clock',
    every((reply) => withHeader(reply, 'date', 'Thu, 01 Jan 1970 00:00:00 GMT')),
  ),
  variation(
    'type-with-parameters',
    'media types may have parameters',
    every((reply) =>
      String(reply.headers['content-type'] ?? '').startsWith('application/json')
        ? withHeader(reply, 'content-type', 'application/json; odata.metadata=minimal; charset=utf-8')
        : reply,
    ),
  ),
  variation(
    'type-in-capitals',
    'media types are case-insensitive',
    every((reply) =>
      String(reply.headers['content-type'] ?? '').startsWith('application/json')
        ? withHeader(reply, 'content-type', 'Application/JSON;charset=UTF-8')
        : reply,
    ),
  ),
  variation(
    'text-plain-answers-json',
    `${LIST}: Accept text/plain on an object answers JSON`,
    every((reply, call) =>
      succeeded(reply) && reply.body.length > 0 && (call.headers['accept'] ?? '').startsWith('text/plain')
        ? withHeader(reply, 'content-type', 'application/json; charset=utf-8')
        : reply,
    ),
  ),
  variation(
    'text-json-when-any',
    'JSON responses are offered as text/json too (api.md 4)',
    every((reply, call) =>
      succeeded(reply) && reply.body.length > 0 && (call.headers['accept'] ?? '*/*') === '*/*'
        ? withHeader(reply, 'content-type', 'text/json; charset=utf-8')
        : reply,
    ),
  ),
  variation('gateway-path', 'the base URL can have a path of its own (platform.md)', passThrough, {
    prefix: '/gateway/tenant-1',
  }),
  variation('gateway-path-api', 'the base URL can have a path of its own (platform.md)', passThrough, {
    prefix: '/api',
  }),
];

export const ANSWERS: readonly Variation[] = [...WIRES, ...ERRORS];
