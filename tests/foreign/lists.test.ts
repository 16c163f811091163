import { expect, it } from 'vitest';
import type { Answer, Received } from '../../client/testing/json-service.ts';
import { verifySmall } from './verify-small.ts';

const parameter = (name: string, schema: object): object => ({ name, in: 'query', schema });
const ITEM = { type: 'object', properties: { id: { type: 'integer' }, state: { type: 'string' } } };
const OK = { description: 'ok', content: { 'application/json': { schema: { type: 'array', items: ITEM } } } };
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Entries', version: '1' },
  paths: {
    '/entries': {
      get: {
        parameters: [
          parameter('limit', { type: 'integer', minimum: 1 }),
          parameter('offset', { type: 'integer', minimum: 0 }),
          parameter('state', { type: 'string', enum: ['open', 'closed'] }),
        ],
        responses: { 200: OK, 400: { description: 'no' } },
      },
    },
  },
};

const ENTRIES = Array.from({ length: 7 }, (_, at) => ({ id: at + 1, state: at % 3 === 0 ? 'closed' : 'open' }));

const ONE = { description: 'one', content: { 'application/json': { schema: ITEM } } };
const NONE = { 404: { description: 'no' } };

/** As above, where entries can be created and deleted. */
const CHANGEABLE = {
  ...DESCRIPTION,
  paths: {
    '/entries': {
      get: {
        ...DESCRIPTION.paths['/entries'].get,
        parameters: [parameter('state', { type: 'string', enum: ['open', 'closed'] })],
      },
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: { ...ITEM, required: ['state'] } } } },
        responses: { 201: ONE, 400: { description: 'no' } },
      },
    },
    '/entries/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: ONE, ...NONE } },
      delete: { responses: { 204: { description: 'gone' }, ...NONE } },
    },
  },
};

type Defect = 'pages-overlap' | 'no-second-page' | 'state-ignored';

/** Codes of the findings about a service of entries, with these defects. */
function codesWith(...defects: readonly Defect[]): Promise<readonly string[]> {
  const answer = ({ path, query }: Received): Answer => {
    const [limit, offset, state] = [
      Number(query.get('limit') ?? 100),
      Number(query.get('offset') ?? 0),
      query.get('state'),
    ];
    if (path !== '/entries') return { status: 404, json: {} };
    if (!(limit >= 1 && offset >= 0) || (state !== null && !/^(open|closed)$/.test(state)))
      return { status: 400, json: {} };
    const found = ENTRIES.filter(
      (entry) => state === null || defects.includes('state-ignored') || entry.state === state,
    );
    const start = defects.includes('pages-overlap') && offset > 0 ? offset - 1 : offset;
    const end = start > 0 && defects.includes('no-second-page') ? start : start + limit;
    return { status: 200, json: found.slice(start, end) };
  };
  const skipped = defects.includes('no-second-page') ? 1 : 0;
  return codesOf(answer, DESCRIPTION, 'contract/paging,contract/filters', skipped);
}

/** Codes of the findings of these suites about a service with this description. */
async function codesOf(
  answer: (received: Received) => Answer,
  description: object,
  only: string,
  skipped = 0,
): Promise<readonly string[]> {
  const { findings, totals } = await verifySmall(description, answer, '--only', only);
  expect(totals.skipped).toBe(skipped);
  return findings.map(({ code, severity }) => `${severity} ${code}`);
}

it('nothing is told of healthy lists of other descriptions', async () => {
  expect(await codesWith()).toEqual([]);
});

it('a second page without items shows nothing of pages: the test is skipped', async () => {
  expect(await codesWith('no-second-page')).toEqual([]);
});

it('pages that overlap and an ignored filter are found in lists of other descriptions', async () => {
  const codes = await codesWith('pages-overlap', 'state-ignored');
  expect(codes.toSorted()).toEqual(['warning filters/wrongly-found', 'warning paging-partition/item-twice']);
});

it('pages that overlap are found where items have resource names in place of ids', { tags: ['nightly'] }, async () => {
  const names = ENTRIES.map(({ id, state }) => ({ name: `entries/${id}`, state }));
  const answer = ({ query }: Received): Answer => {
    const start = Math.max(0, Number(query.get('offset') ?? 0) - 1);
    return { status: 200, json: names.slice(start, start + Number(query.get('limit') ?? 100)) };
  };
  expect(await codesOf(answer, DESCRIPTION, 'contract/paging')).toEqual(['warning paging-partition/item-twice']);
});

it.each([
  ['no finding', false, []],
  ['one finding where the filter is ignored', true, ['warning filters/wrongly-found']],
])('a filter of created items, where the first page shows one value only: %s', async (_, isIgnored, codes) => {
  const entries = new Map(Array.from({ length: 30 }, (_each, at) => [at + 1, { id: at + 1, state: 'open' }]));
  const answer = ({ method, path, query, sent }: Received): Answer => {
    const id = Number(path.split('/')[2]);
    const state = isIgnored ? null : query.get('state');
    if (method === 'GET' && path === '/entries')
      return {
        status: 200,
        json: [...entries.values()].filter((each) => (state ?? each.state) === each.state).slice(0, 20),
      };
    if (method === 'GET') return { status: entries.has(id) ? 200 : 404, json: entries.get(id) };
    if (method === 'DELETE') return { status: entries.delete(id) ? 204 : 404 };
    const created = { ...(sent as { readonly state: string }), id: Math.max(...entries.keys()) + 1 };
    entries.set(created.id, created);
    return { status: 201, json: created };
  };
  expect(await codesOf(answer, CHANGEABLE, 'contract/filters')).toEqual(codes);
});
