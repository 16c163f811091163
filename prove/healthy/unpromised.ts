import {
  asList,
  asObject,
  at,
  empty,
  hit,
  idOf,
  number,
  items,
  parsed,
  problem,
  relist,
  withBody,
  withJson,
} from '../proxy/edit.ts';
import { itself, orderOf, POLICIES } from '../exam/items.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import { together } from '../proxy/compose.ts';
import { POSTS, refuse, served } from './refusals.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';

const OPEN = 'not stated by api.md (false-alarm list of platform.md)';
const JOBS = ['POST /aijob', 'PUT /aijob/{id}'];
const read = async (call: Call, context: Context): Promise<Record<string, unknown>> =>
  asObject(parsed(await context.send('GET', itself(call))));

/** The order shows, and sets, the active policies only; the others stay behind them. */
const activeOrder: Make = together(
  at({ op: POLICIES.order, when: served }, async (_, next, context) => {
    const reply = await next();
    const active = items(parsed(await context.send('GET', '/api/accesscontrolpolicies?filterActive=true&take=100000')));
    const ids = new Set(active.map(idOf));
    return withJson(
      reply,
      items(parsed(reply)).filter((entry) => ids.has(idOf(entry))),
    );
  }),
  at({ op: POLICIES.set, when: (call) => served(call) && Array.isArray(call.json) }, async (call, next, context) => {
    const named = new Set(asList(call.json).map(idOf));
    const rest = (await orderOf(context)).filter((entry) => !named.has(idOf(entry)));
    const whole = [...asList(call.json), ...rest];
    return next(withBody(whole.map((entry, order) => ({ ...asObject(entry), order }))));
  }),
);

/** Jobs name an endpoint that the deployment has: that of a job that was there before. */
const ENDPOINT = '5d1c6f0a-3b7e-4d52-9a61-7f0c2e9b4d10';
const knownEndpoint = (call: Call): boolean => {
  const given = Array.isArray(call.json)
    ? items(call.json).find((each) => asObject(each)['path'] === '/endpointId')
    : { value: asObject(call.json)['endpointId'] };
  const value = asObject(given)['value'];
  return value === undefined || value === null || value === ENDPOINT;
};

/** The organization that clues of the suites name. */
const ORGANIZATION = '3f1c6d2e-8b4a-4f60-9d57-2c1a7be40f11';

const versions = (call: Call): readonly string[] =>
  [...call.body.toString().matchAll(/"attribute-appVersion"\s*:\s*"([^"]*)"/g)].map((match) => match[1] ?? '');

const manyKeys = async (context: Context): Promise<void> => {
  for (let index = 0; index < 60; index += 1) {
    const origin = `/Person#before:${index}`;
    const level = { 'attribute-origin': origin, 'attribute-appVersion': '1.0' };
    const properties = { 'attribute-type': '/Metadata/KeyValue', [`property-aaa.before.key${index}`]: 'x' };
    const entityData = { ...level, 'attribute-source': 'x', entityType: '/Person', codes: [origin], properties };
    const data = { ...level, 'attribute-inputSource': 'x', entityData };
    await context.send('POST', '/api/v1/clue?save=true', {
      clue: { 'attribute-organization': ORGANIZATION, ...level, clueDetails: { data } },
    });
  }
};

/** A page past the last one. */
const pastEnd = (call: Call, reply: { readonly body: Buffer; readonly status: number }): boolean => {
  const page = call.search.get('page') ?? call.search.get('pageNumber') ?? '0';
  const first = call.search.has('page') ? 0 : 1;
  return reply.status === 200 && Number(page) > first && items(parsed({ ...reply, headers: {} })).length === 0;
};

/** Rules that the document does not state, so that a deployment may have them. */
export const UNPROMISED: readonly Variation[] = [
  variation(
    'delete-active-409',
    `refuses to delete an active policy: ${OPEN}`,
    at({ op: POLICIES.remove, when: served }, async (call, next, context) =>
      (await read(call, context))['isActive'] === true ? problem(409) : next(),
    ),
  ),
  variation('order-lists-active-only', `lists active policies only in the processing order: ${OPEN}`, activeOrder),
  variation(
    'endpoint-must-exist',
    `wants the endpoint of a job to exist: ${OPEN}`,
    refuse(
      (call) =>
        hit(call, [...JOBS, 'PATCH /aijob/{id}', 'POST /aijob/{id}/preview', 'POST /aijob/{id}/dry-run']) &&
        !knownEndpoint(call),
      problem(400),
    ),
    {
      before: async (context) =>
        void (await context.send('POST', '/api/aijob', { name: 'there before', endpointId: ENDPOINT })),
    },
  ),
  variation(
    'run-needs-endpoint',
    `wants a job to be enabled before it runs, and its endpoint to exist: ${OPEN}`,
    at({ op: 'POST /aijob/{id}/execution-queue', when: served }, async (call, next, context) => {
      const job = await read(call, context);
      return 'id' in job && job['endpointId'] !== ENDPOINT ? problem(400) : next();
    }),
    {
      before: async (context) =>
        void (await context.send('POST', '/api/aijob', { name: 'there before', endpointId: ENDPOINT })),
    },
  ),
  variation(
    'empty-filter-400',
    `refuses a policy whose filter is empty: ${OPEN}`,
    refuse((call) => {
      const condition = asObject(call.json)['condition'];
      return (
        hit(call, [POLICIES.create, POLICIES.update]) &&
        condition !== undefined &&
        condition !== null &&
        asList(asObject(condition)['rules']).length === 0
      );
    }, problem(400)),
  ),
  variation(
    'policies-by-name-only',
    'the members of a policy are not shown: 400 failed validation (api.md 2, 7)',
    refuse(
      (call) =>
        hit(call, [POLICIES.create, POLICIES.update]) &&
        ['condition', 'rules', 'isActive', 'order', 'requiresAttention'].some((name) => name in asObject(call.json)),
      problem(400),
    ),
  ),
  variation(
    'clue-versions-of-two-to-four-parts',
    `takes clue versions of two to four parts only: ${OPEN}`,
    refuse(
      (call) => hit(call, 'POST /clue') && versions(call).some((version) => !/^\d+(?:\.\d+){1,3}$/.test(version)),
      problem(400),
    ),
  ),
  variation(
    'foreign-clues-400',
    `refuses clues of another organization: ${OPEN}`,
    refuse(
      (call) =>
        hit(call, 'POST /clue') &&
        call.json !== undefined &&
        !call.body.toString().toLowerCase().includes(ORGANIZATION),
      problem(400),
    ),
  ),
  variation(
    'many-vocabulary-keys',
    'vocabs/keys takes page (0) and take (20) (platform.md)',
    relist({ op: 'GET /vocabs/keys', when: served }, (list, call) => {
      const [page, take] = [number(call, 'page', 0), Math.min(number(call, 'take', 20), 20)];
      return list.slice(page * take, (page + 1) * take);
    }),
    { before: manyKeys },
  ),
  variation(
    'audit-of-real-changes',
    `logs real changes only, and not each kind of change: ${OPEN}`,
    relist(['GET /auditLog/{objectId}/{objectTypeId}', 'GET /auditLog/getByObjectTypeIds'], (list) =>
      list.filter((_, index) => index === list.length - 1),
    ),
  ),
  variation(
    'audit-empty',
    `logs not each kind of change: ${OPEN}`,
    relist(['GET /auditLog/{objectId}/{objectTypeId}', 'GET /auditLog/getByObjectTypeIds'], () => []),
  ),
  variation('past-end-404', 'a page past the end: not stated by api.md', () => async (call, next) => {
    const reply = await next();
    return served(call) && call.method === 'GET' && pastEnd(call, reply) ? empty(404) : reply;
  }),
  variation(
    'patch-applied-in-part',
    'that a JSON Patch is atomic is RFC 6902, not the document',
    at(
      { op: 'PATCH /aijob/{id}', when: (call) => served(call) && Array.isArray(call.json) },
      async (call, next, context) => {
        const reply = await next();
        const first = asList(call.json)[0];
        if (reply.status >= 400 && asObject(first)['op'] === 'replace')
          await context.send('PATCH', itself(call), [first]);
        return reply;
      },
    ),
  ),
  variation(
    'smallest-bodies-only',
    'the members of the models are not shown: 400 failed validation (api.md 2, 7)',
    refuse(
      (call) =>
        hit(call, POSTS) &&
        Object.keys(asObject(call.json)).some(
          (name) => !['name', 'description', 'metadata', 'instructions', 'prompt', 'aiAgentId'].includes(name),
        ),
      problem(400),
    ),
  ),
];
