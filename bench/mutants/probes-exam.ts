import { clueBody } from './probes.ts';
import { jobBody, policyBody } from './tour.ts';
import type { Fixtures, Probe } from './tour.ts';

type Body = Readonly<Record<string, unknown>>;
type Probes = Readonly<Record<string, readonly Probe[]>>;

const LIST = '/api/accesscontrolpolicies';
const ACTIONS = [{ name: 'View', type: 'AccessControl.View' }] as const;
const get = (target: string): Probe => ({ method: 'GET', target });
const post = (target: string, body: unknown, more: Partial<Probe> = {}): Probe => ({
  method: 'POST',
  target,
  body,
  ...more,
});
const put = (target: string, body: unknown): Probe => ({ method: 'PUT', target, body });
const policy = (more: Body): Probe => post(LIST, { ...policyBody(), ...more });
const agent = (more: Body): Probe => post('/api/aiagent', { name: 'tour', ...more });

const policies = ({ policies: [id = '', ...others] }: Fixtures): Probes => ({
  'policy-description-beyond-4000-cut': [policy({ description: 'x'.repeat(4096) })],
  'policy-name-outside-bmp-replaced': [policy({ name: 'a 🙂' })],
  'policy-rename-by-case-only-ignored': [
    put(`${LIST}/${id}`, { name: 'case' }),
    put(`${LIST}/${id}`, { name: 'Case' }),
  ],
  'policy-update-of-same-name-keeps-description': [
    put(`${LIST}/${id}`, { name: 'a', description: 'old' }),
    put(`${LIST}/${id}`, { name: 'a', description: 'new' }),
  ],
  'policy-rules-of-same-name-merged': [
    policy({
      rules: [
        { name: 'r', actions: ACTIONS },
        { name: 'r', actions: ACTIONS },
      ],
    }),
  ],
  'policy-condition-value-digits-become-numbers': [policy({ condition: { condition: 'AND', value: ['1', 'a'] } })],
  'list-search-forgotten-on-later-pages': [policy({ name: 'other' }), get(`${LIST}?searchName=tour&page=1&take=5`)],
  'list-take-largest-int32-500': [get(`${LIST}?take=2147483647`)],
  'order-entry-without-name-500': [post(`${LIST}/setprocessingorder`, [{ id, order: 0 }])],
  'order-beyond-8-entries-ignored': [
    post(
      `${LIST}/setprocessingorder`,
      [...others.toReversed(), id].map((one, order) => ({ id: one, name: 'x', order })),
    ),
  ],
});

const agents = ({ agent: id }: Fixtures): Probes => ({
  'agent-instructions-tabs-become-spaces': [agent({ instructions: 'a\tb' })],
  'agent-metadata-value-beyond-255-500': [agent({ metadata: { k: 'x'.repeat(256) } })],
  'agent-metadata-empty-values-lost': [agent({ metadata: { k: '', l: 'v' } })],
  'agent-update-clears-instructions-500': [
    put(`/api/aiagent/${id}`, { name: 'a', instructions: 'i' }),
    put(`/api/aiagent/${id}`, { name: 'a', instructions: null }),
  ],
  'agent-metadata-value-no-string-500': [agent({ metadata: { k: { a: 1 } } })],
  'agent-v1-update-of-name-only-500': [put(`/api/v1/aiagent/${id}`, { name: 'a' })],
  'agent-update-every-25th-lost': Array.from({ length: 25 }, (_, index) =>
    put(`/api/aiagent/${id}`, { name: `a${index}` }),
  ),
});

function jobs({ agent: id, job }: Fixtures): Probes {
  const made = (more: Body, other: Partial<Probe> = {}): Probe =>
    post('/api/aijob', { ...jobBody(id), ...more }, other);
  const updated = (more: Body): Probe => put(`/api/aijob/${job}`, { ...jobBody(id), ...more });
  return {
    'job-metadata-keys-beyond-128-cut': [made({ metadata: { ['k'.repeat(129)]: 'v' } })],
    'job-unversioned-prompt-tags-stripped': [made({ prompt: 'a <b>c</b>' })],
    'job-sample-size-largest-500': [made({ dataSources: [{ id, sample: true, sampleSize: 1000 }] })],
    'job-schedule-lost-where-not-enabled': [
      made({ enabled: false, enableCronSchedule: true, cronSchedule: '0 0 * * *' }),
    ],
    'job-update-of-fewer-skills-keeps-last': [
      updated({ allowedSkills: ['a', 'b'] }),
      updated({ allowedSkills: ['a'] }),
    ],
    'job-list-omits-empty-description': [made({ description: '' }), get('/api/aijob')],
    'job-media-type-in-capitals-415': [made({}, { type: 'Application/JSON' })],
    'job-malformed-uuid-500': [made({ aiAgentId: 'x' })],
    'preview-prompt-empty-500': [post(`/api/aijob/${job}/preview`, { name: 'a', prompt: '' })],
    'dry-run-malformed-uuid-500': [post(`/api/aijob/${job}/dry-run`, { name: 'a', endpointId: 'x' })],
  };
}

function patches({ job }: Fixtures): Probes {
  const patch = (...body: readonly object[]): Probe => ({
    method: 'PATCH',
    target: `/api/aijob/${job}`,
    body,
    type: 'application/json-patch+json',
  });
  return {
    'patch-slash-of-key-stays-escaped': [patch({ op: 'add', path: '/metadata/a~1b', value: 'v' })],
    'patch-add-of-known-key-ignored': [patch({ op: 'add', path: '/metadata/team', value: 'other' })],
    'patch-copy-takes-the-source': [patch({ op: 'copy', from: '/metadata/team', path: '/metadata/copied' })],
    'patch-test-ignores-case': [patch({ op: 'test', path: '/metadata/team', value: 'A' })],
    'patch-without-value-500': [patch({ op: 'add', path: '/metadata/x' })],
    'patch-move-onto-known-key-500': [patch({ op: 'move', from: '/metadata/team', path: '/metadata/area' })],
  };
}

const clue = (...parts: Parameters<typeof clueBody>): Probe => post('/api/v1/clue?save=true', clueBody(...parts));
const raw = (body: unknown): Probe => post('/api/admin/entity/ProcessClue', body);
const nested = (levels: number): Body => (levels === 0 ? {} : { a: nested(levels - 1) });

const clues = (): Probes => ({
  'clue-codes-empty-500': [clue({}, { codes: [] })],
  'clue-value-beyond-2000-500': [clue({ 'person.name': 'x'.repeat(2048) })],
  'clue-properties-in-both-places-500': [clue({ 'person.name': 'x' }, { 'prop-person.age': '1' })],
  'clue-value-with-markup-500': [clue({ 'person.name': 'R&D' })],
  'clue-codes-no-list-of-strings-500': [clue({}, { codes: '/Person#crm:A-1' })],
  'raw-deeper-than-8-500': [raw(nested(10))],
  'raw-names-alike-500': [raw({ name: 1, Name: 2 })],
});

/** For each mutant of the exam, by its name, requests of which the last shows the wrong answer. */
export const examProbes = (fixtures: Fixtures): Probes => ({
  ...policies(fixtures),
  ...agents(fixtures),
  ...jobs(fixtures),
  ...patches(fixtures),
  ...clues(),
});
