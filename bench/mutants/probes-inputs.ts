import { bodyOf, calls, clueBody } from './probes.ts';
import { jobBody, policyBody } from './tour.ts';
import type { Fixtures, Probe } from './tour.ts';

const LIST = '/api/accesscontrolpolicies';
const post = (target: string, body: unknown): Probe => ({ method: 'POST', target, body });
const get = (target: string): Probe => ({ method: 'GET', target });
const NAMES: readonly string[] = [
  'x'.repeat(300),
  "O'Neil",
  '100 %',
  'y',
  '"q"',
  '1234',
  'שלום',
  'e\u0301',
  ' trailing ',
  'naïve 漢字',
];
const TEXTS: readonly string[] = [
  '\u{1f600}',
  '<b>x</b>',
  'a\0b',
  '',
  'z'.repeat(4100),
  'a\r\nb',
  'c:\\d',
  '{{x}} ${y}',
  '\ud800',
  'A'.repeat(150),
];

/** Pages, orders and filters of the policy list. */
export function listProbes({ creator }: Fixtures): readonly Probe[] {
  const queries = [
    '',
    'take=5',
    'page=1',
    'page=0',
    'page=1&take=5',
    'page=2&take=5',
    'page=9999',
    'page=4&take=7',
    'take=0',
    'take=-1',
    'page=-1',
    'take=abc',
    'page=2147483647',
    'take=2147483647',
    'filterActive=maybe',
    'orderBy=nosuchfield',
    'orderBy=name',
    'orderBy=name&orderAsc=true',
    'orderBy=name&orderAsc=false',
    'orderBy=name&page=1',
    'orderBy=name&searchName=tour',
    'orderAsc=false',
    'filterActive=true',
    'filterActive=false',
    'filterActive=true&page=1&take=5',
    'filterActive=true&searchName=tour',
    'searchName=tour',
    'searchName=tour&page=1&take=5',
    'searchName=nosuchname',
    'filterCreator=nobody',
    `filterCreator=${encodeURIComponent(creator)}`,
    'filterCreator=a b',
    'take=7',
    'take=1000',
    'searchName=%27',
    'searchName=%25',
    'searchName=%5B',
    'searchName=%C3%A9',
    `searchName=${'x'.repeat(120)}`,
    'searchName=',
    'orderBy=',
    'page=0&take=5&filterActive=true&searchName=tour&orderBy=name&orderAsc=true',
  ];
  return queries.flatMap((query) => [get(`${LIST}?${query}`), get(`/api/v1/accesscontrolpolicies?${query}`)]);
}

/** Pages, orders and filters of a job's parts. */
export function partProbes({ job, run, type, agent, policies }: Fixtures): readonly Probe[] {
  const queries = [
    '',
    'pageNumber=1',
    'pageNumber=2',
    'pageNumber=0',
    'pageNumber=99',
    'pageSize=3',
    'pageSize=3&pageNumber=2',
    'pageSize=2147483647',
    'sortDirection=1',
    'state=Approved',
    'state=Pending',
    'searchName=x',
    'includeOnlyChatsWithNoResults=true',
  ];
  const parts = [
    `/runs`,
    `/results/${type}`,
    `/runs/${run}/results`,
    `/runs/${run}/chats`,
    '/results/nosuchtype',
    '/results/a%20b',
  ];
  const filters = [
    'metadataFilter[team]=a',
    'metadataFilter[team]=nobody',
    'metadataFilter[team]=a&metadataFilter[area]=b',
    'metadataFilter[a.b%20c]=d',
  ];
  const ids = policies.slice(0, 5).map((id) => `objectIds=${id}`);
  return [
    ...parts.flatMap((part) => queries.map((query) => get(`/api/v1/aijob/${job}${part}?${query}`))),
    ...['-1', '0', '4294967296', '9007199254740993'].map((offset) =>
      get(`/api/aijob/${job}/chatstream?offset=${offset}`),
    ),
    ...filters.flatMap((filter) => [get(`/api/aijob?${filter}`), get(`/api/aiagent?${filter}`)]),
    get(`/api/auditLog/${agent}/${job}`),
    get(`/api/auditLog/${agent}/${job}?page=1&take=5`),
    get('/api/auditLog/getByObjectTypeIds'),
    get(`/api/auditLog/getByObjectTypeIds?${ids.slice(0, 2).join('&')}`),
    get(`/api/auditLog/getByObjectTypeIds?${ids.join('&')}`),
  ];
}

const rule = (name: string, more: object = {}): object => ({
  name,
  actions: [{ name: 'View', type: 'AccessControl.View' }],
  ...more,
});

function policies(): readonly unknown[] {
  const nested = { condition: 'AND', rules: [{ condition: 'OR', rules: [{ condition: 'AND', rules: [] }] }] };
  return [
    ...NAMES.map((name) => policyBody(name)),
    ...TEXTS.map((description) => ({ ...policyBody(), description })),
    { ...policyBody(), rules: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => rule(name)) },
    { ...policyBody(), rules: [rule('a', { actions: [] })] },
    { ...policyBody(), rules: [rule('a'), rule('a')] },
    { ...policyBody(), condition: nested },
    { ...policyBody(), condition: { value: [] } },
    { ...policyBody(), condition: { condition: 'AND' } },
    { ...policyBody(), order: -1 },
    { ...policyBody(), isActive: true, rules: [rule('a')] },
    { description: 'no name' },
    { ...policyBody(), name: 5 },
    { ...policyBody(), rules: {} },
  ];
}

function agents(): readonly unknown[] {
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`Key${index}`, 'v']));
  return [
    ...NAMES.map((name) => ({ name })),
    ...TEXTS.map((instructions) => ({ name: 'a', instructions })),
    { name: 'a', metadata: many },
    { name: 'a', metadata: {} },
    { name: 'a', metadata: { k: '' } },
    { name: 'a', metadata: { constructor: 'x' } },
    { name: 'a', metadata: { K: 'v' } },
    { name: 'a', other: 1 },
    { name: 'a', description: null },
  ];
}

function jobs(agent: string): readonly unknown[] {
  const job = jobBody(agent);
  const source = { id: agent, sampleSize: 10, vocabularyKeys: ['a.b'] };
  return [
    ...NAMES.map((name) => ({ ...job, name })),
    { ...job, name: 'e\u0301' },
    ...TEXTS.map((prompt) => ({ ...job, prompt })),
    { ...job, enableCronSchedule: false, cronSchedule: '0 0 * * *' },
    { ...job, allowedSkills: ['a', 'a'] },
    { ...job, allowedSkills: [] },
    { ...job, dataSources: [{ ...source, sampleSize: 1000 }] },
    { ...job, dataSources: [{ ...source, sampleSize: 0 }] },
    { ...job, dataSources: [source, source] },
    { ...job, dataSources: [{ ...source, vocabularyKeys: ['a.a', 'a.b', 'a.c', 'a.d'] }] },
    { ...job, aiAgentId: 'x' },
  ];
}

const bag = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`person.p${index}`, 'v']));

/** Clues of many kinds. */
export function clueProbes(): readonly Probe[] {
  const values = ['', 'x'.repeat(1100), '<a>', '\u{1f600}', "'", '007'].map((value) =>
    clueBody({ 'person.name': value }),
  );
  const shaped = [
    clueBody({ 'person.a.b': 'v' }),
    clueBody({ 'Person.Name': 'v' }),
    clueBody({ 'a.b': '1', 'A.B': '2' }),
    clueBody({}, { 'property-a.b': 'v' }),
    clueBody({ 'a.b': 'v' }, { 'property-a.b': 'v' }),
    clueBody({}, { codes: [] }),
    clueBody({}, { codes: ['/Person#a:1', '/Person#a:1'] }),
    clueBody({}, { codes: Array.from({ length: 11 }, (_, index) => `/Person#a:${index}`) }),
    clueBody({}, {}, '12345'),
    clueBody({}, {}, 'y'.repeat(100)),
    clueBody({}, {}, 'A-1', { 'attribute-appVersion': '0.0' }),
    clueBody({}, {}, 'A-1', { 'attribute-appVersion': '1.2' }),
    clueBody({}, {}, 'A-1', { 'attribute-origin': '/Person#my crm:1' }),
    clueBody({}, {}, 'A-1', { 'attribute-origin': '/Infrastructure/User#crm:1' }),
    clueBody({}, {}, 'A-1', { 'attribute-organization': undefined }),
    clueBody({}, {}, 'A-1', { 'attribute-organization': 'ABCDEF00-0000-4000-8000-000000000000' }),
    {},
    { other: 1 },
    [],
  ];
  const bodies = [
    ...[0, 1, 2, 16, 25, 60, 150, 600].map((count) => clueBody(bag(count))),
    ...values,
    ...shaped,
    ...Array.from({ length: 80 }, (_, index) => clueBody({ 'a.b': String(index) })),
  ];
  return [
    ...bodies.map((body) => post('/api/v1/clue?save=true', body)),
    post('/api/v1/clue', clueBody({ 'a.b': 'c' })),
    post('/api/v1/clue?save=false', clueBody({ 'a.b': 'c' })),
  ];
}

function raws(): readonly Probe[] {
  const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`k${index}`, index]));
  const bodies = [
    {},
    { a: [1] },
    { a: null },
    { a: { b: 1 } },
    deep,
    { a: 1e300 },
    { a: 0.5 },
    { a: false },
    { '': 1 },
    { 'a.b': 1 },
    { $a: 1 },
    { a: [] },
    many,
    { a: 'x'.repeat(600) },
  ];
  return [
    ...bodies.map((body) => post('/api/admin/entity/ProcessClue', body)),
    { method: 'POST', target: '/api/admin/entity/ProcessClue', text: '{"__proto__":1}' },
  ];
}

const op = (name: string, path: string, more: object = {}): object => ({ op: name, path, ...more });

/** JSON Patch documents of every kind against a job. */
export function patchProbes({ job }: Fixtures): readonly Probe[] {
  const documents: unknown[] = [
    [op('add', '/metadata/x', { value: 'y' })],
    [op('add', '/allowedSkills/0', { value: 's' })],
    [op('add', '/allowedSkills/-', { value: 't' })],
    [op('remove', '/allowedSkills/1')],
    [op('remove', '/metadata/nosuch')],
    [op('replace', '/prompt', { value: 'lower' })],
    [op('replace', '/prompt', { value: null })],
    [op('move', '/metadata/y', { from: '/metadata/x' })],
    [op('copy', '/metadata/z', { from: '/metadata/y' })],
    [op('test', '/prompt', { value: 'other' })],
    [op('add', '/metadata/a~1b', { value: 'v' })],
    [op('add', '/metadata/a~0b', { value: 'v' })],
    [op('move', '/metadata/m', { from: '/metadata/a~1b' })],
    [op('frobnicate', '/prompt')],
    [{ op: 'add', value: 1 }],
    [op('replace', '/nosuch/deep', { value: 1 })],
    {},
    [],
    [op('replace', '/prompt', { value: 'q' }), op('test', '/prompt', { value: 'r' })],
    [op('replace', '/prompt', { value: 'q' }), op('replace', '/prompt', { value: 'w' })],
    [op('add', '/metadata', { value: { a: 'b' } })],
    [op('replace', '', { value: {} })],
    [1, 2, 3, 4].map((value) => op('add', '/metadata/n', { value: String(value) })),
  ];
  return documents.flatMap((body) =>
    [`/api/aijob/${job}`, `/api/v1/aijob/${job}`].flatMap((target): Probe[] => [
      { method: 'PATCH', target, body, type: 'application/json-patch+json' },
      { method: 'GET', target },
    ]),
  );
}

/** Bodies of every kind for what can be created and updated. */
export function bodyProbes(fixtures: Fixtures): readonly Probe[] {
  const set = `${LIST}/setprocessingorder`;
  const entries = fixtures.policies.map((id, order) => ({ id, name: 'x', order }));
  return [
    ...policies().flatMap((body) => calls('POST /accesscontrolpolicies', fixtures, { body })),
    ...policies().flatMap((body) => calls('PUT /accesscontrolpolicies/{id}', fixtures, { body })),
    ...agents().flatMap((body) => calls('POST /aiagent', fixtures, { body })),
    { method: 'POST', target: '/api/aiagent', text: '{"name":"a","metadata":{"__proto__":"x"}}' },
    ...jobs(fixtures.agent).flatMap((body) => calls('POST /aijob', fixtures, { body })),
    ...raws(),
    post(set, []),
    post(set, entries.slice(0, 1)),
    post(set, [entries[0], entries[0]]),
    post(set, bodyOf('POST /accesscontrolpolicies/setprocessingorder', fixtures)),
  ];
}
