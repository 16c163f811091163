import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';
import { uniqueName } from '../../domain/create.ts';
import { isObject, isSuccess, mayLack } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../spec/index.ts';
import { statusAndType } from '../kit/compare.ts';
import type { TestContext } from '../kit/context.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { defineForForms } from './define.ts';

const session = await openSession();

/** Clues of which the document does not say that they are valid: how many parts a version has is not stated. */
const NOT_STATED: ReadonlySet<string> = new Set(['version-of-one-number', 'version-of-five-numbers']);

type Members = Record<string, Json>;

/** Changes the entity of a clue; `levels` are the three levels of the clue, outermost first. */
type Change = (entity: Members, name: string, levels: readonly Members[]) => void;

const set =
  (member: string, value: Json): Change =>
  (entity) => {
    entity[member] = value;
  };
const add =
  (properties: JsonObject): Change =>
  (entity) => {
    entity['properties'] = { ...(isObject(entity['properties']) ? entity['properties'] : {}), ...properties };
  };
const onAllLevels =
  (member: string, value: (name: string) => Json): Change =>
  (_entity, name, levels) => {
    for (const level of levels) level[member] = value(name);
  };
const version = (value: string): Change => onAllLevels('attribute-appVersion', () => value);
const fields = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`property-assay.person.field${at}`, `value ${at}`]));
const TYPE = { 'attribute-type': '/Metadata/KeyValue' };

const PLAIN = 'plain';

/**
 * Clues that the document describes, each with one difference to the plain one, and the requirement that it verifies.
 */
const CLUES: Readonly<Record<string, readonly [requirement: string, change: Change]>> = {
  [PLAIN]: ['clue.post', () => undefined],
  'no-properties': ['clue.property-bag', set('properties', TYPE)],
  'one-property': ['clue.property-bag', set('properties', { ...TYPE, 'assay.name': 'one' })],
  '10-properties': ['clue.property-bag', add(fields(10))],
  '100-properties': ['clue.property-bag', add(fields(100))],
  '1000-properties': ['clue.property-bag', add(fields(1000))],
  'empty-value': ['clue.property-bag', add({ 'assay.empty': '' })],
  'long-value': ['clue.property-bag', add({ 'assay.long': 'a'.repeat(10_000) })],
  'other-scripts': ['clue.property-bag', add({ 'assay.names': 'Łódź 東京 مرحبا 💎 é' })],
  markup: ['clue.property-bag', add({ 'assay.text': `O'Neil said "<b>&amp;</b>" \\ / \n\t` })],
  'no-codes': ['clue.codes', set('codes', [])],
  '50-codes': [
    'clue.codes',
    (entity, name) => {
      entity['codes'] = Array.from({ length: 50 }, (_, at) => `/Person#assay${at}:${name}`);
    },
  ],
  'other-entity-type': ['clue.entity-type', set('entityType', '/Organization')],
  'nested-entity-type': ['clue.entity-type', set('entityType', '/Infrastructure/User')],
  'origin-with-colon': ['clue.origin-code', onAllLevels('attribute-origin', (name) => `/Person#assay:${name}:17`)],
  'version-of-one-number': ['clue.app-version', version('1')],
  'version-of-two-numbers': ['clue.app-version', version('1.0')],
  'version-of-five-numbers': ['clue.app-version', version('2026.11.21.4711.1')],
  'direct-properties': [
    'clue.direct-properties',
    (entity) => {
      entity['prop-assay.person.name'] = 'Ada';
      entity['propassay.person.city'] = 'Paris';
    },
  ],
};

const base = { suite: 'state/clues', effects: ['irreversible'] as const };

defineForForms(
  session,
  'clue',
  {
    ...base,
    title: 'clues of the documented shape are accepted',
    checks: ['clue-accepted'],
    requirements: [
      'clue.shape',
      'clue.organization-uuid',
      'clue.save',
      'service.two-ways-of-posting',
      ...new Set(Object.values(CLUES).map(([requirement]) => requirement)),
    ],
    cost: 20,
  },
  async (t, { operation, form }) => {
    for (const [subject, [requirement, change]] of Object.entries(CLUES)) {
      const json = clueWith(t, change);
      const exchange = await t.send(operation, { form, query: { save: true }, json, label: subject });
      const status = exchange.response?.status ?? 0;
      if (isSuccess(status) || status >= 500 || status === 0) continue;
      t.report(
        violationOf('clue-accepted/refused', operation, {
          subject,
          requirement,
          grade: NOT_STATED.has(subject) ? 'inferred' : undefined,
          expected: 'a success: the clue has the documented shape',
          received: `status ${status}`,
          exchanges: [exchange],
        }),
      );
      // The others would be refused for the same reason.
      if (subject === PLAIN) return;
    }
  },
);

defineForForms(
  session,
  'clue',
  {
    ...base,
    title: 'the same clue gets the same response twice',
    checks: ['clue-accepted'],
    requirements: ['clue.post'],
  },
  async (t, { operation, form }) => {
    const request = { form, query: { save: true }, json: clueWith(t, () => undefined), expect: 'success' } as const;
    const first = await t.send(operation, { ...request, label: 'post a clue' });
    const second = await t.send(operation, { ...request, label: 'post it again' });
    if (statusAndType(first) === statusAndType(second)) return;
    t.report(
      violationOf('clue-accepted/second-time', operation, {
        requirement: 'clue.post',
        expected: statusAndType(first),
        received: statusAndType(second),
        exchanges: [first, second],
      }),
    );
  },
);

function clueWith(t: TestContext, change: Change): Json {
  const name = uniqueName(t, 'clue');
  const clue = structuredClone(sampleBody(OPERATIONS.clue, name)) as {
    clue: Members & { clueDetails: { data: Members & { entityData: Members } } };
  };
  const { data } = clue.clue.clueDetails;
  change(data.entityData, name, [clue.clue, data, data.entityData]);
  return clue;
}

/** The plainest raw data: a deployment that accepts it without a mapping accepts any shape. */
const FLAT = 'flat';

/** Raw data has an arbitrary shape. */
const RAW: Readonly<Record<string, JsonObject>> = {
  [FLAT]: { name: 'Ada', visits: 3, active: true, city: null },
  empty: {},
  nested: { person: { name: { first: 'Ada', last: 'Example' }, tags: ['a', 'b'] } },
  deep: Array.from({ length: 20 }).reduce<JsonObject>((inner) => ({ inner }), { leaf: 1 }),
  wide: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, at])),
  'other-scripts': { имя: 'Ада', 名前: '💎' },
};

defineForForms(
  session,
  'raw',
  {
    ...base,
    title: 'raw data of any shape is accepted',
    checks: ['raw-accepted'],
    requirements: ['raw.any-shape', 'raw.post'],
  },
  async (t, { operation, form }) => {
    for (const [subject, json] of Object.entries(RAW)) {
      const exchange = await t.send(operation, { form, json, label: `raw data: ${subject}` });
      const status = exchange.response?.status ?? 0;
      if (isSuccess(status) || status >= 500 || status === 0) continue;
      if (subject === FLAT && mayLack(operation, status))
        t.skip('the deployment refuses raw data without a mapping, which the document does not describe');
      t.report(
        violationOf('raw-accepted/refused', operation, {
          subject,
          requirement: 'raw.any-shape',
          expected: 'a success: raw data is a JSON object of arbitrary shape',
          received: `status ${status}`,
          exchanges: [exchange],
        }),
      );
    }
  },
);
