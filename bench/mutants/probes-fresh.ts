import { calls, clueBody } from './probes.ts';
import { jobBody, policyBody } from './tour.ts';
import type { Fixtures, Probe } from './tour.ts';

type Body = Readonly<Record<string, unknown>>;
type Probes = Readonly<Record<string, readonly Probe[]>>;

const LIST = '/api/accesscontrolpolicies';
const SET = `${LIST}/setprocessingorder`;
const ACTIONS = [{ name: 'View', type: 'AccessControl.View' }] as const;
const get = (target: string): Probe => ({ method: 'GET', target });
const post = (target: string, body: unknown, more: Partial<Probe> = {}): Probe => ({
  method: 'POST',
  target,
  body,
  ...more,
});
const put = (target: string, body: unknown): Probe => ({ method: 'PUT', target, body });
const text = (method: string, target: string, content: string): Probe => ({ method, target, text: content });
const times = (count: number, make: (index: number) => Probe): readonly Probe[] =>
  Array.from({ length: count }, (_, index) => make(index));
const policy = (more: Body): Probe => post(LIST, { ...policyBody(), ...more });
const condition = (value: readonly unknown[]): Probe => policy({ condition: { condition: 'AND', value } });
const agent = (more: Body, form = '/api'): Probe => post(`${form}/aiagent`, { name: 'tour', ...more });
const metadata = (pairs: Body, form = '/api'): Probe => agent({ metadata: pairs }, form);

const policies = ({ policies: [id = ''] }: Fixtures): Probes => ({
  'policy-name-more-bytes-than-100-500': [policy({ name: '漢'.repeat(40) })],
  'policy-big-body-every-20th-500': times(20, (index) => policy({ description: 'x'.repeat(1100 + index) })),
  'policy-condition-4-deep-500': [policy({ condition: { rules: [{ rules: [{ rules: [{ condition: 'OR' }] }] }] } })],
  'policy-description-trimmed': [policy({ description: 'a trailing space ' })],
  'policy-name-marks-of-direction-lost': [policy({ name: 'a\u202eb' })],
  'policy-name-longer-in-upper-case-500': [policy({ name: 'Straße' })],
  'policy-condition-value-falsy-dropped': [condition(['a', 0, false, ''])],
  'policy-description-of-same-text-lost': [policy({ name: 'a', description: 'a' })],
  'policy-update-empty-rules-keep-old': [
    put(`${LIST}/${id}`, { name: 'a', rules: [{ name: 'r', actions: ACTIONS }] }),
    put(`${LIST}/${id}`, { name: 'a', rules: [] }),
  ],
  'policy-create-empty-description-answers-object': [policy({ description: '' })],
  'policy-create-refused-but-made': [policy({ description: 5 })],
  'policy-escaped-letters-500': [text('POST', LIST, '{"name":"\\u0061b"}')],
  'policy-read-plain-text-latin1': [
    put(`${LIST}/${id}`, { name: 'é' }),
    { ...get(`${LIST}/${id}`), accept: 'text/plain' },
  ],
  'policy-unversioned-name-collapses-spaces': [policy({ name: 'a  b' })],
});

const agents = ({ agent: id }: Fixtures): Probes => ({
  'agent-instructions-multiple-of-64-500': [agent({ instructions: 'x'.repeat(128) })],
  'agent-name-of-64-loses-last': [agent({ name: 'x'.repeat(64) })],
  'agent-metadata-beyond-16-lost': [
    metadata(Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']))),
  ],
  'agent-name-hash-mod-24-500': times(100, (index) => agent({ name: `a${index}` })),
  'agent-description-composed': [agent({ description: 'e\u0301' })],
  'agent-name-latin1-only': [agent({ name: 'שלום' })],
  'agent-description-ampersand-escaped': [agent({ description: 'R&D' })],
  'agent-description-control-character-500': [agent({ description: 'a\u0001b' })],
  'agent-metadata-dates-reparsed': [metadata({ k: '2024-02-29' })],
  'agent-metadata-dotted-keys-underscored': [metadata({ 'a.b': 'v' })],
  'agent-metadata-key-a-number-500': [metadata({ 0: 'v' })],
  'agent-null-description-with-empty-instructions-500': [agent({ description: null, instructions: '' })],
  'agent-update-empty-text-keeps-old': [
    put(`/api/aiagent/${id}`, { name: 'a', description: 'd' }),
    put(`/api/aiagent/${id}`, { name: 'a', description: '' }),
  ],
  'agent-list-falls-over-null-metadata': [agent({ metadata: null }), get('/api/aiagent')],
  'agent-body-null-500': [text('POST', '/api/aiagent', 'null')],
  'agent-text-json-latin1': [{ ...agent({ name: 'é' }), type: 'text/json' }],
  'agent-line-breaks-between-members-500': [text('POST', '/api/aiagent', '{\n  "name": "a"\n}')],
  'agent-update-refused-but-renamed': [put(`/api/aiagent/${id}`, { name: 'other', description: 5 })],
  'agent-v1-metadata-lower-case': [metadata({ Key: 'v' }, '/api/v1')],
});

function jobs(fixtures: Fixtures): Probes {
  const { agent: id, job, type, result, chat } = fixtures;
  const made = (more: Body, form = '/api'): Probe => post(`${form}/aijob`, { ...jobBody(id), ...more });
  const updated = (more: Body): Probe => put(`/api/aijob/${job}`, { ...jobBody(id), ...more });
  const approve = (results: readonly unknown[]): Probe =>
    post(`/api/aijob/${job}/results/${type}/approvals`, { action: 1, results });
  const entry = { resultId: result, userOverride: [] };
  return {
    'job-skills-beyond-8-lost': [made({ allowedSkills: 'abcdefghi'.split('') })],
    'job-prompt-line-ends-unified': [made({ prompt: 'a\r\nb' })],
    'job-description-quotes-doubled': [made({ description: "O'Neil" })],
    'job-name-backslashes-lost': [made({ name: 'c:\\d' })],
    'job-prompt-variables-expanded': [made({ prompt: 'a ${b} c' })],
    'job-prompt-of-hash-lost': times(100, (index) => updated({ prompt: `p${index}` })),
    'job-every-30th-500': times(30, () => made({})),
    'job-cron-enabled-without-schedule-500': [made({ enableCronSchedule: true, cronSchedule: null })],
    'job-enabled-with-no-data-sources-500': [made({ enabled: true, dataSources: [] })],
    'job-sample-of-nothing-500': [made({ dataSources: [{ id, sample: true, sampleSize: 0 }] })],
    'job-update-cannot-disable': [updated({ enabled: false })],
    'job-metadata-prototype-keys-lost': [made({ metadata: { constructor: 'v', length: '1' } })],
    'job-metadata-type-keys-lost': [made({ metadata: { $type: 'v' } })],
    'job-metadata-keys-alike-500': [made({ metadata: { key: 'a', Key: 'b' } })],
    'job-update-without-change-empty': [updated({ name: 'same' }), updated({ name: 'same' })],
    'job-enabled-no-boolean-500': [made({ enabled: 'yes' })],
    'job-update-refused-but-texts-lost': [updated({ allowedSkills: 5 })],
    'job-unversioned-long-description-400': [made({ description: 'x'.repeat(501) })],
    'job-charset-500': [{ ...made({}), type: 'application/json; charset=utf-8' }],
    'preview-braces-500': [post(`/api/aijob/${job}/preview`, { name: 'a', prompt: '{{x}}' })],
    'dry-run-metadata-empty-500': [post(`/api/aijob/${job}/dry-run`, { name: 'a', metadata: {} })],
    'approval-only-last-of-many': [approve([{ ...entry, resultId: chat }, entry])],
    'approval-of-none-approves-all': [approve([])],
    'approval-twice-the-same-500': [approve([entry, entry])],
    'approval-action-unknown-500': [
      put(`/api/aijob/${job}/bulk-result-approval-request`, { action: 2 }),
      post(`/api/aijob/${job}/results/${type}/approvals`, { action: 7, results: [{ resultId: chat }] }),
    ],
  };
}

const orders = ({ policies: [a = '', b = ''], chat }: Fixtures): Probes => ({
  'order-upper-case-id-500': [post(SET, [{ id: a.toUpperCase(), name: 'x', order: 0 }])],
  'order-unknown-id-half-applied': [
    post(SET, [
      { id: b, name: 'x', order: 0 },
      { id: chat, name: 'x', order: 1 },
    ]),
  ],
  'order-places-win': [
    post(SET, [
      { id: a, name: 'x', order: 1 },
      { id: b, name: 'x', order: 0 },
    ]),
  ],
});

const queries = ({ job, run, type, agent: id }: Fixtures): Probes => ({
  'search-underscore-is-any': [get(`${LIST}?searchName=_`)],
  'search-pattern-characters-500': [get(`${LIST}?searchName=*`)],
  'search-plus-decoded-twice': [policy({ name: 'a+b' }), get(`${LIST}?searchName=a%2Bb`)],
  'search-non-ascii-misses': [policy({ name: 'Zoë' }), get(`${LIST}?searchName=Zo%C3%AB`)],
  'search-v1-case-sensitive': [get('/api/v1/accesscontrolpolicies?searchName=TOUR')],
  'search-makes-order-ascending': [get(`${LIST}?searchName=tour&orderBy=name&orderAsc=false`)],
  'list-inactive-and-ordered-shows-all': [get(`${LIST}?filterActive=false&orderBy=name`)],
  'list-descending-restarts-on-later-pages': [get(`${LIST}?orderBy=name&orderAsc=false&page=1&take=5`)],
  'list-take-one-empty': [get(`${LIST}?take=1`)],
  'list-large-take-loses-last': [get(`${LIST}?take=100`)],
  'list-offset-overflows': [get(`${LIST}?page=2147483647&take=20`)],
  'list-repeated-parameter-500': [get(`${LIST}?page=0&page=1`)],
  'list-order-by-description-drops-null': [policy({ description: null }), get(`${LIST}?orderBy=description`)],
  'parts-later-pages-repeat': [get(`/api/aijob/${job}/runs?pageNumber=3&pageSize=3`)],
  'parts-page-size-zero-500': [get(`/api/aijob/${job}/runs/${run}/chats?pageSize=0`)],
  'results-state-forgotten-on-later-pages': [get(`/api/aijob/${job}/results/${type}?state=Approved&pageNumber=2`)],
  'results-type-with-escapes-500': [get(`/api/aijob/${job}/results/a%20b`)],
  'stream-offset-beyond-int64-500': [get(`/api/aijob/${job}/chatstream?offset=9223372036854775807`)],
  'metadata-filter-empty-value-ignored': [get('/api/aijob?metadataFilter[team]=')],
  'metadata-filter-same-key-twice-500': [get('/api/aiagent?metadataFilter[team]=a&metadataFilter[team]=b')],
  'audit-second-page-of-small-take-repeats': [
    put(`/api/aiagent/${id}`, { name: 'a' }),
    put(`/api/aiagent/${id}`, { name: 'b' }),
    get(`/api/auditLog/${id}/7d3c1b52-4f0a-4b8e-8a51-1c6e0f9d2a03?page=1&take=1`),
  ],
});

const op = (name: string, path: string, more: object = {}): object => ({ op: name, path, ...more });

function patches({ job }: Fixtures): Probes {
  const patch = (...body: readonly object[]): Probe => ({
    method: 'PATCH',
    target: `/api/aijob/${job}`,
    body,
    type: 'application/json-patch+json',
  });
  const add = (key: string, value: unknown = 'v'): object => op('add', `/metadata/${key}`, { value });
  return {
    'patch-tilde-decoded-twice': [patch(add('a~01b'))],
    'patch-empty-key-500': [patch(add(''))],
    'patch-append-to-empty-list-500': [
      patch(op('replace', '/allowedSkills', { value: [] })),
      patch(op('add', '/allowedSkills/-', { value: 's' })),
    ],
    'patch-test-compares-text': [patch(op('test', '/metadata', { value: { area: 'b', team: 'a' } }))],
    'patch-null-leaves-as-it-is': [patch(op('replace', '/description', { value: null }))],
    'patch-copy-into-list-lost': [patch(op('copy', '/allowedSkills/-', { from: '/allowedSkills/0' }))],
    'patch-move-onto-itself-500': [patch(op('move', '/prompt', { from: '/prompt' }))],
    'patch-removals-come-first': [patch(add('x'), op('remove', '/metadata/x'))],
    'patch-beyond-5-operations-ignored': [patch(add('a'), add('b'), add('c'), add('d'), add('e'), add('f'))],
    'patch-unversioned-skips-tests': [patch(op('test', '/prompt', { value: 'other' }), add('x'))],
    'patch-replaced-map-merged': [patch(op('replace', '/metadata', { value: { x: 'y' } }))],
    'patch-failed-removal-leaves-the-rest': [patch(add('x'), op('remove', '/metadata/nosuch'))],
    'patch-body-with-non-ascii-latin1': [patch(add('x', 'é'))],
  };
}

const clue = (...parts: Parameters<typeof clueBody>): Probe => post('/api/v1/clue?save=true', clueBody(...parts));
const raw = (body: unknown): Probe => post('/api/admin/entity/ProcessClue', body);
const bag = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`person.p${index}`, 'v']));

const clues = (): Probes => ({
  'clue-id-with-separator-500': [clue({}, {}, 'a:b')],
  'clue-origins-differ-500': [clue({}, {}, 'A-1', { 'attribute-origin': '/Person#crm:other' })],
  'clue-version-part-over-65535-500': [clue({}, { 'attribute-appVersion': '1.65536' })],
  'clue-version-of-five-parts-400': [clue({}, { 'attribute-appVersion': '1.2.3.4.5' })],
  'clue-codes-without-own-500': [clue({}, { codes: ['/Person#erp:1'] })],
  'clue-codes-of-one-source-500': [clue({}, { codes: ['/Person#crm:A-1', '/Person#crm:A-2'] })],
  'clue-key-not-ascii-or-spaced-500': [clue({ 'person.náme': 'v' })],
  'clue-key-not-a-word-500': [clue({ 'person.first-name': 'v' })],
  'clue-value-blank-500': [clue({ 'person.name': ' ' })],
  'clue-exactly-32-properties-500': [clue(bag(32))],
  'clue-of-hash-500': times(120, (index) => clue({}, {}, `id${index}`)),
  'raw-mixed-list-500': [raw({ a: [1, 'x'] })],
  'raw-empty-object-inside-500': [raw({ a: {} })],
  'raw-number-beyond-int32-500': [raw({ a: 2_147_483_648 })],
  'raw-name-not-ascii-500': [raw({ ä: 1 })],
});

/** For each mutant of the fresh set, by its name, requests of which the last shows the wrong answer. */
export const freshProbes = (fixtures: Fixtures): Probes => ({
  ...policies(fixtures),
  ...agents(fixtures),
  ...jobs(fixtures),
  ...orders(fixtures),
  ...queries(fixtures),
  ...patches(fixtures),
  ...clues(),
});

/** What nobody calls unusual: each operation with its ordinary body. */
export const ordinaryProbes = (operations: readonly string[], fixtures: Fixtures): readonly Probe[] =>
  operations.filter((id) => !id.startsWith('DELETE')).flatMap((id) => [...calls(id, fixtures), ...calls(id, fixtures)]);
