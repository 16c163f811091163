import { asObject, hit, parsed, succeeded, withHeader, withJson } from '../proxy/edit.ts';
import type { Reply } from '../proxy/message.ts';
import { every, everyJson, objects } from './json.ts';
import { passThrough } from '../proxy/compose.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { gzipSync } from 'node:zlib';

const LIST = 'false-alarm list of platform.md';
const OPEN = 'not shown in api.md';
const isError = (reply: Reply): boolean => reply.status >= 400;
const CREATIONS = ['POST /accesscontrolpolicies', 'POST /aiagent', 'POST /aijob'];
const listOp = 'GET /accesscontrolpolicies';

const camel = (name: string): boolean => /^(?:id|.*Id|createdBy|modifiedBy)$/.test(name);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const upper = (value: unknown): unknown =>
  typeof value === 'string' && UUID.test(value) ? value.toUpperCase() : value;
const stamp = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    ? value.replace(/\.(\d{3})Z$/, '.$10000+00:00')
    : value;
const eachMember =
  (change: (value: unknown, name: string) => unknown) =>
  (value: unknown): unknown =>
    objects(value, (object) =>
      Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)])),
    );
const lower = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, (id) => id.toLowerCase());

const lacking = (object: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

const ERRORS: readonly Variation[] = [
  variation(
    'errors-plain-text',
    `${LIST}: errors as plain text`,
    every((reply) =>
      isError(reply)
        ? { ...reply, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from('It did not work.') }
        : reply,
    ),
  ),
  variation(
    'errors-empty',
    `${LIST}: errors with an empty body`,
    every((reply) => (isError(reply) ? { ...reply, headers: {}, body: Buffer.alloc(0) } : reply)),
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

const SHAPES: readonly Variation[] = [
  variation('upper-case-uuids', `${LIST}: uuids may come in upper case`, () => async (call, next) => {
    const body =
      call.json === undefined
        ? call.body
        : Buffer.from(
            JSON.stringify(
              eachMember((member, name) => (camel(name) && typeof member === 'string' ? lower(member) : member))(
                call.json,
              ),
            ),
          );
    const changed = { path: lower(call.path), query: lower(call.query), body };
    const reply = await next(call.method === 'PATCH' ? { path: changed.path } : changed);
    const value = parsed(reply);
    if (!succeeded(reply) || value === undefined) return reply;
    return withJson(
      reply,
      typeof value === 'string'
        ? upper(value)
        : eachMember((member, name) => (camel(name) ? upper(member) : member))(value),
    );
  }),
  variation(
    'extra-fields',
    `fields of models: ${OPEN}`,
    everyJson((value) => objects(value, (object) => ({ ...object, newField: { since: 'v2' }, links: 'none' }))),
  ),
  variation(
    'no-null-fields',
    `fields of models: ${OPEN}`,
    everyJson((value) =>
      objects(value, (object) => Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null))),
    ),
  ),
  variation(
    'keys-reordered',
    'the order of members has no meaning in JSON',
    everyJson((value) => objects(value, (object) => Object.fromEntries(Object.entries(object).toReversed()))),
  ),
  variation(
    'state-told-in-words',
    `the field that shows a policy's state: ${OPEN}`,
    everyJson((value, call) =>
      call.path.toLowerCase().includes('policies')
        ? objects(value, ({ isActive, ...rest }) =>
            isActive === undefined ? rest : { ...rest, status: isActive === true ? 'Active' : 'Inactive' },
          )
        : value,
    ),
  ),
  variation(
    'state-not-told',
    `the field that shows a policy's state: ${OPEN}`,
    everyJson((value, call) =>
      call.path.toLowerCase().includes('policies') ? objects(value, (object) => lacking(object, ['isActive'])) : value,
    ),
  ),
  variation(
    'no-creators-shown',
    `fields of models: ${OPEN}`,
    everyJson((value) => objects(value, (object) => lacking(object, ['createdBy', 'modifiedBy']))),
  ),
  variation('timestamps-with-offset', `fields of models: ${OPEN}`, everyJson(eachMember(stamp))),
  variation(
    'pretty-printed',
    'white space has no meaning in JSON',
    every((reply) => {
      const value = parsed(reply);
      return value === undefined
        ? reply
        : { ...reply, body: Buffer.from(`${JSON.stringify(value, null, 4).replaceAll('\n', '\r\n')}\r\n`) };
    }),
  ),
  variation(
    'non-ascii-escaped',
    'escapes have no meaning in JSON',
    every((reply) => {
      const value = parsed(reply);
      return value === undefined
        ? reply
        : {
            ...reply,
            body: Buffer.from(
              JSON.stringify(value).replaceAll(
                /[^\0-\u007f]/g,
                (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
              ),
            ),
          };
    }),
  ),
  variation(
    'policy-list-in-data',
    'the policy list may carry a total (platform.md)',
    everyJson((value, call) =>
      hit(call, listOp) && Array.isArray(value) ? { total: value.length, data: value } : value,
    ),
  ),
  variation(
    'policy-list-in-items',
    'the policy list may carry a total (platform.md)',
    everyJson((value, call) =>
      hit(call, listOp) && Array.isArray(value) ? { items: value, totalCount: value.length, page: 0 } : value,
    ),
  ),
  variation(
    'pages-named-otherwise',
    `fields of PaginatedResponse: ${OPEN}`,
    everyJson((value) => {
      const { totalCount, data, ...rest } = asObject(value);
      return data === undefined || rest['pageSize'] === undefined ? value : { items: data, total: totalCount };
    }),
  ),
  variation(
    'order-entries-sparse',
    `fields of AccessControlPolicyOrderingModel: ${OPEN}`,
    everyJson((value, call) =>
      hit(call, 'GET /accesscontrolpolicies/byprocessingorder') && Array.isArray(value)
        ? value.map((entry, index) => ({ id: asObject(entry)['id'], order: (index + 1) * 10 }))
        : value,
    ),
  ),
  variation(
    'status-otherwise',
    'shape of the status body is not shown (api.md 4)',
    everyJson((value, call) => (hit(call, 'GET /status') ? 'Healthy' : value)),
  ),
  variation(
    'keys-as-array',
    'the response of vocabs/keys is not shown (api.md 4)',
    everyJson((value, call) => (hit(call, 'GET /vocabs/keys') ? ['person.name'] : value)),
  ),
  variation(
    'clue-answer-empty',
    'the response of clue posting is not shown (api.md 4)',
    every((reply, call) =>
      hit(call, ['POST /clue', 'POST /admin/entity/ProcessClue']) && succeeded(reply)
        ? { status: 200, headers: {}, body: Buffer.alloc(0) }
        : reply,
    ),
  ),
  variation(
    'agent-answers-empty',
    '"200, no body" (api.md 4)',
    every((reply, call) =>
      hit(call, ['POST /aiagent', 'PUT /aiagent/{id}']) && succeeded(reply)
        ? { ...reply, headers: {}, body: Buffer.alloc(0) }
        : reply,
    ),
  ),
  variation(
    'created-201',
    '201 resource created (api.md 7)',
    every((reply, call) => (hit(call, CREATIONS) && succeeded(reply) ? { ...reply, status: 201 } : reply)),
  ),
  variation(
    'empty-stream-204',
    `${LIST}: a null result is 204 without a body`,
    every((reply, call) =>
      hit(call, 'GET /aijob/{id}/chatstream') && succeeded(reply) && reply.body.toString() === '[]'
        ? { status: 204, headers: {}, body: Buffer.alloc(0) }
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

export const ANSWERS: readonly Variation[] = [...WIRES, ...ERRORS, ...SHAPES];
