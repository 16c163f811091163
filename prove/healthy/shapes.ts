import { randomUUID } from 'node:crypto';
import { unicodeEscapes } from '../../spec/escape.ts';
import { POLICIES_PATH } from '../defects/items.ts';
import { hit, served, withQuery } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asObject, items, withItems } from '../proxy/json.ts';
import { isUuid } from '../../spec/uuid.ts';
import type { JsonMap } from '../proxy/json.ts';
import type { Make } from '../proxy/message.ts';
import { empty, parsed, problem, succeeded, withJson } from '../proxy/reply.ts';
import { eachMember, every, objects } from './changes.ts';
import { FALSE_ALARMS, FIELDS, NOT_SHOWN, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { AGENTS, CHATS, CREATE, LIST, ORDER, PATCH, RESULTS, RUNS, STREAM } from '../defects/operations.ts';

const CREATIONS = [CREATE, 'POST /aiagent', 'POST /aijob'] as const;

const holdsId = (name: string): boolean => /^(?:id|.*Id|createdBy|modifiedBy)$/.test(name);

const upper = (value: unknown): unknown => (typeof value === 'string' && isUuid(value) ? value.toUpperCase() : value);

/** A member of a JSON text that holds an id. Bodies can be nested too deeply to be parsed and walked. */
const ID_MEMBER = /"(?:id|[a-z]\w*Id|createdBy|modifiedBy)"\s*:\s*"[-\da-fA-F]{36}"/g;

/** A timestamp of the service with an offset instead of Z. */
const withOffset = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    ? value.replace(/\.(\d{3})Z$/, '.$10000+00:00')
    : value;

/** Texts and names with U+FFFD instead of lone surrogates. */
const wellFormed = (value: unknown): unknown =>
  objects(value, (object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, member]) => [
        Buffer.from(name).toString(),
        typeof member === 'string' ? Buffer.from(member).toString() : member,
      ]),
    ),
  );

const lower = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, (id) => id.toLowerCase());

const without = (object: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Writes the JSON of every response in another way. */
const written = (textOf: (value: unknown) => string): Make =>
  every((reply) => {
    const value = parsed(reply);
    return value === undefined ? reply : { ...reply, body: Buffer.from(textOf(value)) };
  });

/** Agents in the list and by id have other members. */
const agentsShownAs = (
  name: string,
  shown: (agent: JsonMap) => unknown,
  where: readonly OperationId[] = ['GET /aiagent', 'GET /aiagent/{id}'],
): Variation => ({
  ...variation(name, 'the bodies of GET /aiagent and GET /aiagent/{id} are not shown (api.md 4)').json(
    (value, call) => {
      if (!hit(call, where)) return value;
      const change = (item: unknown): unknown => shown(asObject(item));
      return Array.isArray(value) ? value.map(change) : change(value);
    },
  ),
  decides: 'form of agents',
});

/** Path parameters that take the ids of listed items. */
const ID_NAMES = [
  [RUNS, 'runId'],
  [CHATS, 'chatId'],
  [RESULTS, 'resultId'],
] as const;

/** The list of policies in a wrapper, with the number of policies on all pages. */
const listWrapped = (wrap: (list: readonly unknown[], total: number) => JsonMap): Make =>
  at({ op: LIST, when: served }).rewrites(async (value, call, context) => {
    const { query = '' } = withQuery(call, { page: 0, take: 100_000 });
    return wrap(items(value), (await listAt(context, `${POLICIES_PATH}?${query}`)).length);
  });

/** Uuids in responses as `spelled` writes them; requests may contain them in any case. */
const uuids =
  (spelled: (value: unknown) => unknown): Make =>
  () =>
  async (call, next) => {
    const body = Buffer.from(call.body.toString('latin1').replaceAll(ID_MEMBER, lower), 'latin1');
    const changed = { path: lower(call.path), query: lower(call.query), body };
    const reply = await next(call.method === 'PATCH' ? { path: changed.path } : changed);
    const value = parsed(reply);
    if (!succeeded(reply) || value === undefined) return reply;
    return withJson(
      reply,
      typeof value === 'string'
        ? spelled(value)
        : eachMember((member, name) => (holdsId(name) ? spelled(member) : member))(value),
    );
  };

/** An organization in another case fails an exact comparison. */
const CASE = { decides: 'form of organizations' } as const;

export const SHAPES: readonly Variation[] = [
  variation('upper-case-uuids', `${FALSE_ALARMS}: uuids may come in upper case`).by(uuids(upper), CASE),
  variation('uuids-in-either-case', `${FALSE_ALARMS}: uuids may come in upper case, from one of several nodes`).by(
    uuids((value) => (Math.random() < 0.5 ? upper(value) : value)),
    CASE,
  ),
  variation('wrapper-with-links', `fields of the paginated response: ${NOT_SHOWN}`).json((value) =>
    'totalCount' in asObject(value) ? { links: [{ rel: 'self', href: '/first' }], ...asObject(value) } : value,
  ),
  variation('wrapper-in-a-wrapper', `fields of the paginated response: ${NOT_SHOWN}`).json((value) =>
    'totalCount' in asObject(value) ? { result: value, links: { self: '/' } } : value,
  ),
  variation('fields-computed-for-each-response', FIELDS).json((value) => {
    const computed = (item: unknown): unknown => {
      const { dataSources } = asObject(item);
      return {
        ...asObject(item),
        ...(Array.isArray(dataSources) && { dataSources: dataSources.map(computed) }),
        retrievedAt: new Date().toISOString(),
        ageInSeconds: Math.floor(performance.now() / 1000),
        revision: Math.random(),
      };
    };
    if (isUuid(asObject(value)['id'])) return computed(value);
    const isList = items(value).every((item) => isUuid(asObject(item)['id']));
    return isList && items(value).length > 0 ? withItems(value, items(value).map(computed)) : value;
  }),
  variation('field-computed-from-the-order', FIELDS).json((value) =>
    objects(value, (object) =>
      typeof object['order'] === 'number' && isUuid(object['id'])
        ? { ...object, label: `${object['order']}: ${String(object['name'])}` }
        : object,
    ),
  ),
  variation('extra-fields', FIELDS).json((value) =>
    objects(value, (object) => ({ ...object, newField: { since: 'v2' }, links: 'none' })),
  ),
  variation('links-in-the-form-of-the-request', FIELDS).json((value, { route }) => {
    const linked = (item: unknown): unknown => {
      const { id } = asObject(item);
      return isUuid(id) ? { ...asObject(item), links: { self: `http://host${route?.form}/items/${id}` } } : item;
    };
    if (isUuid(asObject(value)['id'])) return linked(value);
    return items(value).length === 0 ? value : withItems(value, items(value).map(linked));
  }),
  variation('no-null-fields', FIELDS).json((value) =>
    objects(value, (object) => Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null))),
  ),
  variation('keys-reordered', 'the order of members has no meaning in JSON').json((value) =>
    objects(value, (object) => Object.fromEntries(Object.entries(object).toReversed())),
  ),
  variation('state-told-in-words', `the field that shows a policy's state: ${NOT_SHOWN}`).json((value, call) =>
    call.path.toLowerCase().includes('policies')
      ? objects(value, ({ isActive, ...rest }) =>
          isActive === undefined ? rest : { ...rest, status: isActive === true ? 'Active' : 'Inactive' },
        )
      : value,
  ),
  variation('state-not-told', `the field that shows a policy's state: ${NOT_SHOWN}`).json((value, call) =>
    call.path.toLowerCase().includes('policies') ? objects(value, (object) => without(object, ['isActive'])) : value,
  ),
  variation('no-creators-shown', FIELDS).json((value) =>
    objects(value, (object) => without(object, ['createdBy', 'modifiedBy'])),
  ),
  variation('timestamps-with-offset', FIELDS).json(eachMember(withOffset)),
  variation('pretty-printed', 'white space has no meaning in JSON').by(
    written((value) => `${JSON.stringify(value, null, 4).replaceAll('\n', '\r\n')}\r\n`),
  ),
  variation('lone-surrogates-replaced', 'a lone surrogate has no UTF-8: the framework writes U+FFFD in its place').json(
    wellFormed,
  ),
  variation('non-ascii-escaped', 'escapes have no meaning in JSON').by(
    written((value) => JSON.stringify(value).replaceAll(/[^\0-\u007f]+/g, unicodeEscapes)),
  ),
  variation('policy-list-in-data', 'the policy list may carry a total (platform.md)').by(
    listWrapped((data, total) => ({ total, data })),
  ),
  variation('agents-in-an-envelope', 'the body of GET /aiagent is not shown (api.md 4)').json((value, call) =>
    call.method === 'GET' && /\/aiagent$/i.test(call.path) ? { result: { agents: value }, errors: [] } : value,
  ),
  agentsShownAs('agents-name-their-id', ({ id, ...members }) => ({ agentId: id, ...members })),
  agentsShownAs('agents-nested', ({ id, ...members }) => ({ agentId: id, details: members })),
  agentsShownAs('agents-shown-in-part', ({ id, name }) => ({ id, name })),
  agentsShownAs('agents-listed-by-id', ({ id }) => ({ id }), ['GET /aiagent']),
  agentsShownAs('agents-listed-as-ids', ({ id }) => id, ['GET /aiagent']),
  agentsShownAs('agents-with-pairs', ({ metadata, ...members }) => ({
    ...members,
    metadata: Object.entries(asObject(metadata)).map(([key, value]) => ({ key, value })),
  })),
  agentsShownAs('agents-with-details', ({ id, ...members }) => ({ id, details: members })),
  variation('pages-named-otherwise', `fields of PaginatedResponse: ${NOT_SHOWN}`).json((value) => {
    const { totalCount, data, ...rest } = asObject(value);
    return data === undefined || rest['pageSize'] === undefined ? value : { items: data, total: totalCount };
  }),
  variation('no-description-served', 'where a deployment serves its description is not in api.md').replies(
    (reply, call) => (call.path.endsWith('/swagger.json') ? problem(404) : reply),
  ),
  variation(
    'description-of-more',
    'the API has more than 700 endpoints (api.md 1); its description does not list all of them (platform.md)',
  ).json((value, call) => {
    if (!call.path.endsWith('/swagger.json')) return value;
    const get = { summary: 'Opens a page', responses: { 200: { description: 'OK' } } };
    return { ...asObject(value), paths: { ...asObject(asObject(value)['paths']), '/{id}': { get } } };
  }),
  variation('ids-named-as-in-paths', `fields of runs, chats and results: ${NOT_SHOWN}`).json((value, call) => {
    const name = ID_NAMES.find(([op]) => hit(call, op))?.[1];
    if (name === undefined) return value;
    const renamed = items(value).map((item) => {
      const { id, ...rest } = asObject(item);
      return { [name]: id, ...rest };
    });
    return withItems(value, renamed);
  }),
  variation('order-entries-sparse', `fields of AccessControlPolicyOrderingModel: ${NOT_SHOWN}`).json((value, call) =>
    hit(call, ORDER) && Array.isArray(value)
      ? value.map((entry, index) => ({ id: asObject(entry)['id'], order: (index + 1) * 10 }))
      : value,
  ),
  variation('job-writes-answer-with-the-id', `fields of AiJobViewModel: ${NOT_SHOWN}`).json((value, call) =>
    hit(call, ['POST /aijob', 'PUT /aijob/{id}', PATCH]) && 'id' in asObject(value)
      ? { id: asObject(value)['id'] }
      : value,
  ),
  variation('status-otherwise', 'shape of the status body is not shown (api.md 4)').json((value, call) =>
    hit(call, 'GET /status') ? 'Healthy' : value,
  ),
  variation('keys-as-array', 'the response of vocabs/keys is not shown (api.md 4)').json((value, call) =>
    hit(call, 'GET /vocabs/keys') ? ['person.name'] : value,
  ),
  variation('clue-answer-empty', 'the response of clue posting is not shown (api.md 4)').replies((reply, call) =>
    hit(call, ['POST /clue', 'POST /admin/entity/ProcessClue']) && succeeded(reply) ? empty() : reply,
  ),
  variation('agent-answers-empty', '"200, no body" (api.md 4)').replies((reply, call) =>
    hit(call, AGENTS) && succeeded(reply) ? { ...reply, headers: {}, body: Buffer.alloc(0) } : reply,
  ),
  variation('agent-answers-in-words', '"200, no body" (api.md 4)').json((value, call) =>
    hit(call, ['POST /aiagent']) ? 'done' : value,
  ),
  variation('agent-answers-with-a-request-id', '"200, no body" (api.md 4)').json((value, call) =>
    hit(call, ['POST /aiagent']) ? { id: randomUUID(), status: 'done' } : value,
  ),
  variation('created-201', '201 resource created (api.md 7)').replies((reply, call) =>
    hit(call, CREATIONS) && succeeded(reply) ? { ...reply, status: 201 } : reply,
  ),
  variation('empty-stream-204', `${FALSE_ALARMS}: a null result is 204 without a body`).replies((reply, call) =>
    hit(call, STREAM) && succeeded(reply) && reply.body.toString() === '[]' ? empty(204) : reply,
  ),
];
