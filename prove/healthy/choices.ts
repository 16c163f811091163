import {
  asList,
  asObject,
  at,
  hit,
  idOf,
  items,
  json,
  number,
  parsed,
  problem,
  served,
  succeeded,
  withBody,
  withItems,
  withJson,
  withQuery,
} from '../proxy/edit.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import { mine, orderOf } from '../exam/items.ts';
import { refuse } from './refusals.ts';
import { everyJson, objects } from './json.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { LIST, POLICY, RESULTS, SET, UPDATE } from '../exam/operations.ts';

const OPEN = 'not shown in api.md';
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOf = (item: unknown, name: string): string => asText(asObject(item)[name]);

/** The policy list, chosen and ordered in another way: `fit` chooses by searchName, `compare` orders. */
function listed(fit: (item: unknown, wanted: string) => boolean, compare?: (a: unknown, b: unknown) => number): Make {
  return at({ op: LIST, when: served }, async (call, next, context) => {
    const wanted = call.search.get('searchName');
    if (compare === undefined ? wanted === null || wanted === '' : !/^name$/i.test(call.search.get('orderBy') ?? ''))
      return next();
    const search = new URLSearchParams(
      [...call.search].filter(
        ([name]) =>
          !['page', 'take', ...(compare === undefined ? ['searchName'] : ['orderBy', 'orderAsc'])].includes(name),
      ),
    );
    search.set('take', '100000');
    const reply = await next();
    const [page, take] = [number(call, 'page', 0), number(call, 'take', 20)];
    if (!succeeded(reply) || page < 0 || take < 1) return reply;
    const all = items(parsed(await context.send('GET', `/api${POLICY}?${search.toString()}`)));
    const chosen =
      compare === undefined
        ? all.filter((item) => fit(item, wanted ?? ''))
        : all.toSorted((a, b) => (/^false$/i.test(call.search.get('orderAsc') ?? '') ? -compare(a, b) : compare(a, b)));
    return withJson(reply, withItems(parsed(reply), chosen.slice(page * take, (page + 1) * take)));
  });
}

const any = (): boolean => true;
const collator = new Intl.Collator('de', { sensitivity: 'base', numeric: true });
const ordinal = (a: unknown, b: unknown): number =>
  textOf(a, 'name') < textOf(b, 'name') ? -1 : textOf(a, 'name') > textOf(b, 'name') ? 1 : 0;

/** A partial order: `put` says where what it does not name goes. */
const partial = (put: (named: readonly string[], rest: readonly string[]) => readonly string[]): Make =>
  at({ op: SET, when: served }, async (call, next, context) => {
    if (!Array.isArray(call.json)) return next();
    const order = (await orderOf(context)).map(idOf);
    const named = asList(call.json).map(idOf);
    if (new Set(named).size !== named.length || named.some((id) => !order.includes(id))) return next();
    return next(
      withBody(
        put(
          named,
          order.filter((id) => !named.includes(id)),
        ).map((id, index) => ({ id, order: index })),
      ),
    );
  });

async function hasApproved(call: Call, context: Context): Promise<boolean> {
  const job = asObject(parsed(await context.send('GET', `/api/aijob/${mine(call)}`)));
  return JSON.stringify(job['resultsSummary'] ?? '').includes('Approved');
}

async function isUsed(call: Call, context: Context): Promise<boolean> {
  const jobs = items(parsed(await context.send('GET', '/api/aijob')));
  return jobs.some((job) => textOf(job, 'aiAgentId').toLowerCase() === mine(call));
}

const MOST = 'maximum page size: not shown (api.md 8)';

/** Pages of more items are read as pages of as many as there may be. */
const atMost =
  (most: Readonly<Record<string, number>>): Make =>
  () =>
  (call, next) =>
    next(
      withQuery(
        call,
        Object.fromEntries(Object.entries(most).filter(([name, size]) => Number(call.search.get(name) ?? 0) > size)),
      ),
    );

const ENUMS = ['sortDirection', 'runType'];
const originOf = (call: Call): readonly unknown[] => {
  const clue = asObject(asObject(call.json)['clue']);
  const data = asObject(asObject(clue['clueDetails'])['data']);
  return [clue, data, asObject(data['entityData'])].map((each) => each['attribute-origin']);
};
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const BODIES: readonly Variation[] = [
  variation(
    'empty-lists-as-null',
    `fields of models: ${OPEN}`,
    everyJson((value, call) =>
      Array.isArray(value) || /summary|runs|chats|results|byprocessingorder/i.test(call.path)
        ? value
        : objects(value, (object) =>
            Object.fromEntries(
              Object.entries(object).map(([name, member]) => [
                name,
                Array.isArray(member) && member.length === 0 ? null : member,
              ]),
            ),
          ),
    ),
  ),
  variation(
    'null-members-added',
    `fields of models: ${OPEN}`,
    everyJson((value) => objects(value, (object) => ({ ...object, deletedAt: null, owner: null, tags: null }))),
  ),
  variation(
    'names-in-pascal-case',
    `fields of models: ${OPEN}`,
    everyJson((value, call) =>
      call.path.toLowerCase().includes('policies')
        ? objects(value, (object) =>
            Object.fromEntries(Object.entries(object).map(([name, member]) => [pascal(name), member])),
          )
        : value,
    ),
  ),
  variation(
    'other-id-in-body-400',
    '400 failed validation (api.md 7)',
    refuse((call) => hit(call, UPDATE) && idOf(call.json) !== '' && idOf(call.json) !== mine(call), problem(400)),
  ),
  variation(
    'markup-in-query-400',
    '400 failed validation (api.md 7)',
    refuse((call) => [...call.search.values()].some((value) => /<[a-z!/?]/i.test(value)), problem(400)),
  ),
  variation(
    'lone-surrogates-400',
    '400 request malformed (api.md 7)',
    refuse(
      (call) =>
        /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i.test(call.body.toString()),
      problem(400),
    ),
  ),
  variation(
    'inconsistent-clue-400',
    '400 failed validation (api.md 7)',
    refuse((call) => hit(call, 'POST /clue') && new Set(originOf(call)).size > 1, problem(400)),
  ),
  variation(
    'vocabulary-empty',
    `the response of vocabs/keys: ${OPEN}`,
    at({ op: 'GET /vocabs/keys', when: served }, () => json([])),
  ),
];

const QUERIES: readonly Variation[] = [
  variation(
    'search-by-prefix',
    `how searchName matches: ${OPEN}`,
    listed((item, wanted) => textOf(item, 'name').toLowerCase().startsWith(wanted.toLowerCase())),
  ),
  variation(
    'search-case-sensitive',
    `how searchName matches: ${OPEN}`,
    listed((item, wanted) => textOf(item, 'name').includes(wanted)),
  ),
  variation(
    'order-by-culture',
    `how texts are ordered: ${OPEN}`,
    listed(any, (a, b) => collator.compare(textOf(a, 'name'), textOf(b, 'name'))),
  ),
  variation('order-by-code-point', `how texts are ordered: ${OPEN}`, listed(any, ordinal)),
  variation('max-take-30', MOST, atMost({ take: 30, pageSize: 30 })),
  variation('pages-at-most-as-default', MOST, atMost({ take: 20, pageSize: 10 })),
  variation(
    'suggest-needs-parameters',
    `parameters of search suggest: ${OPEN}`,
    refuse((call) => hit(call, 'GET /search/suggest') && call.search.size === 0, problem(400)),
  ),
  variation(
    'enums-by-name-only',
    `values of SortDirection and RunTypeFilter: ${OPEN}`,
    refuse((call) => ENUMS.some((name) => /^\d+$/.test(call.search.get(name) ?? '')), problem(400)),
  ),
  variation(
    'enums-by-number-only',
    `values of SortDirection and RunTypeFilter: ${OPEN}`,
    refuse((call) => ENUMS.some((name) => /[^\d]/.test(call.search.get(name) ?? '')), problem(400)),
  ),
  variation(
    'unknown-state-400',
    `values of state: ${OPEN}`,
    refuse(
      (call) => call.search.has('state') && !/^(?:pending|approved|rejected)$/i.test(call.search.get('state') ?? ''),
      problem(400),
    ),
  ),
  variation('unknown-result-type-404', `values of type: ${OPEN}`, () => async (call, next) => {
    const reply = await next();
    return hit(call, RESULTS) && succeeded(reply) && items(parsed(reply)).length === 0 && call.search.size === 0
      ? problem(404)
      : reply;
  }),
];

const RULES: readonly Variation[] = [
  variation(
    'partial-order-goes-last',
    `an order that names too few: ${OPEN}`,
    partial((named, rest) => [...rest, ...named]),
  ),
  variation(
    'agent-in-use-400',
    'DELETE of an agent that a job uses is 400 (platform.md)',
    at({ op: 'DELETE /aiagent/{id}', when: served }, async (call, next, context) =>
      (await isUsed(call, context)) ? problem(400) : next(),
    ),
  ),
  variation(
    'approved-job-stays',
    "a job with approved results can't be deleted (platform.md)",
    at({ op: 'DELETE /aijob/{id}', when: served }, async (call, next, context) =>
      (await hasApproved(call, context)) ? problem(409) : next(),
    ),
  ),
  variation(
    'patch-of-read-only-400',
    `which members can be patched: ${OPEN}`,
    refuse(
      (call) =>
        call.method === 'PATCH' &&
        asList(call.json).some((operation) =>
          /^\/(?:id|createdAt|createdBy|modifiedAt|modifiedBy|resultsSummary|jobProgressId|providerDefinitionId|cost\w+|totalTokenCost|endpointName)\b/.test(
            textOf(operation, 'path'),
          ),
        ),
      problem(400),
    ),
  ),
];

export const CHOICES: readonly Variation[] = [...BODIES, ...QUERIES, ...RULES];
