import type { Exchange, Json, JsonObject } from '../../spec/index.ts';
import { isObject, isSuccess, mayLack } from '../../spec/index.ts';
import { headOf } from '../kit/compare.ts';
import { uniqueName } from '../../domain/create.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { TestContext } from '../kit/context.ts';
import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';
import { OPERATIONS, operationOf } from '../../domain/builtin/operations.ts';

const session = await openSession();

type Members = Record<string, Json>;

/** Changes a clue at its innermost level; `levels` are its three levels, outermost first. */
type Change = (entity: Members, name: string, levels: readonly Members[]) => void;

const bag = (entity: Record<string, Json>, more: JsonObject): void => {
  entity['properties'] = { ...(isObject(entity['properties']) ? entity['properties'] : {}), ...more };
};
const many = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`property-assay.person.field${at}`, `value ${at}`]));

/** Clues that the document describes, each unlike the plain one in one respect, and the sentence that it tries. */
const CLUES: Readonly<Record<string, readonly [requirement: string, change: Change]>> = {
  'the plain one': ['clue.post', () => undefined],
  'no property but the type': [
    'clue.property-bag',
    (entity) => {
      entity['properties'] = { 'attribute-type': '/Metadata/KeyValue' };
    },
  ],
  'one property': [
    'clue.property-bag',
    (entity) => {
      entity['properties'] = { 'attribute-type': '/Metadata/KeyValue', 'assay.name': 'one' };
    },
  ],
  'ten properties': [
    'clue.property-bag',
    (entity) => {
      bag(entity, many(10));
    },
  ],
  'a hundred properties': [
    'clue.property-bag',
    (entity) => {
      bag(entity, many(100));
    },
  ],
  'a thousand properties': [
    'clue.property-bag',
    (entity) => {
      bag(entity, many(1000));
    },
  ],
  'an empty value': [
    'clue.property-bag',
    (entity) => {
      bag(entity, { 'assay.empty': '' });
    },
  ],
  'a long value': [
    'clue.property-bag',
    (entity) => {
      bag(entity, { 'assay.long': 'a'.repeat(10_000) });
    },
  ],
  'values of other scripts': [
    'clue.property-bag',
    (entity) => {
      bag(entity, { 'assay.names': 'Łódź 東京 مرحبا 💎 é' });
    },
  ],
  'quotes and markup': [
    'clue.property-bag',
    (entity) => {
      bag(entity, { 'assay.text': `O'Neil said "<b>&amp;</b>" \\ / \n\t` });
    },
  ],
  'no codes': [
    'clue.codes',
    (entity) => {
      entity['codes'] = [];
    },
  ],
  'many codes': [
    'clue.codes',
    (entity, name) => {
      entity['codes'] = Array.from({ length: 50 }, (_, at) => `/Person#assay${at}:${name}`);
    },
  ],
  'another entity type': [
    'clue.entity-type',
    (entity) => {
      entity['entityType'] = '/Organization';
    },
  ],
  'a nested entity type': [
    'clue.entity-type',
    (entity) => {
      entity['entityType'] = '/Infrastructure/User';
    },
  ],
  'an origin with a colon in its id': [
    'clue.origin-code',
    (_entity, name, levels) => {
      for (const level of levels) level['attribute-origin'] = `/Person#assay:${name}:17`;
    },
  ],
  'a short version': [
    'clue.app-version',
    (_entity, _name, levels) => {
      for (const level of levels) level['attribute-appVersion'] = '1';
    },
  ],
  'a version of two numbers': [
    'clue.app-version',
    (_entity, _name, levels) => {
      for (const level of levels) level['attribute-appVersion'] = '1.0';
    },
  ],
  'a long version': [
    'clue.app-version',
    (_entity, _name, levels) => {
      for (const level of levels) level['attribute-appVersion'] = '2026.11.21.4711.1';
    },
  ],
  'entries under entityData': [
    'clue.direct-properties',
    (entity) => {
      entity['prop-assay.person.name'] = 'Ada';
      entity['propassay.person.city'] = 'Paris';
    },
  ],
};

for (const form of session.contract.operation(OPERATIONS.clue)?.forms ?? []) {
  const operation = session.contract.operation(OPERATIONS.clue);
  if (operation === undefined) continue;
  defineTest(
    session,
    {
      suite: 'state/clues',
      title: 'clues of the documented shape are accepted',
      operation,
      form,
      checks: ['clue-accepted'],
      requirements: [
        'clue.shape',
        'clue.organization-uuid',
        'clue.save',
        'service.two-ways-of-posting',
        ...new Set(Object.values(CLUES).map(([id]) => id)),
      ],
      effects: ['irreversible'],
      cost: 20,
    },
    async (t) => {
      for (const [title, [requirement, change]] of Object.entries(CLUES)) {
        const exchange = await t.send(operation, {
          form,
          query: { save: true },
          json: clueWith(t, change),
          label: title,
        });
        accepted(t, exchange, title, requirement);
      }
    },
  );
  defineTest(
    session,
    {
      suite: 'state/clues',
      title: 'the same clue twice is answered alike',
      operation,
      form,
      checks: ['clue-accepted'],
      requirements: ['clue.post'],
      effects: ['irreversible'],
    },
    async (t) => {
      const json = clueWith(t, () => undefined);
      const one = await t.send(operation, { form, query: { save: true }, json, expect: 'success', label: 'once' });
      const two = await t.send(operation, { form, query: { save: true }, json, expect: 'success', label: 'again' });
      if (headOf(one) === headOf(two)) return;
      t.report({
        check: 'clue-accepted',
        requirement: 'clue.post',
        operation,
        cause: 'answered otherwise the second time',
        message: `${operation.id} answers otherwise the second time`,
        expected: headOf(one),
        received: headOf(two),
        exchanges: [one, two],
      });
    },
  );
}

/** A deployment that takes this without a mapping takes any shape. */
const PLAINEST = 'flat';

/** Raw data has arbitrary shape. */
const RAW: Readonly<Record<string, JsonObject>> = {
  flat: { name: 'Ada', visits: 3, active: true, city: null },
  empty: {},
  nested: { person: { name: { first: 'Ada', last: 'Example' }, tags: ['a', 'b'] } },
  deep: Array.from({ length: 20 }).reduce<JsonObject>((inner) => ({ inner }), { leaf: 1 }),
  wide: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, at])),
  'other scripts': { имя: 'Ада', 名前: '💎' },
};

for (const form of session.contract.operation(OPERATIONS.raw)?.forms ?? []) {
  const operation = session.contract.operation(OPERATIONS.raw);
  if (operation === undefined) continue;
  defineTest(
    session,
    {
      suite: 'state/clues',
      title: 'raw data of any shape is accepted',
      operation,
      form,
      checks: ['raw-accepted'],
      requirements: ['raw.any-shape', 'raw.post'],
      effects: ['irreversible'],
    },
    async (t) => {
      for (const [title, json] of Object.entries(RAW)) {
        const exchange = await t.send(operation, { form, json, label: `raw data, ${title}` });
        const status = exchange.response?.status ?? 0;
        if (isSuccess(status) || status >= 500 || status === 0) continue;
        if (title === PLAINEST && mayLack(operation, status))
          t.skip('the deployment refuses raw data that has no mapping, of which the document says nothing');
        t.report({
          check: 'raw-accepted',
          requirement: 'raw.any-shape',
          operation,
          cause: `${title}: status ${status}`,
          message: `${operation.id} refuses raw data (${title}) with ${status}`,
          expected: 'a success: raw data is a JSON object of arbitrary shape',
          received: `status ${status}`,
          exchanges: [exchange],
        });
      }
    },
  );
}

function clueWith(t: TestContext, change: Change): Json {
  const name = uniqueName(t, 'clue');
  const clue = structuredClone(sampleBody(OPERATIONS.clue, name)) as {
    clue: Members & { clueDetails: { data: Members & { entityData: Members } } };
  };
  const { data } = clue.clue.clueDetails;
  change(data.entityData, name, [clue.clue, data, data.entityData]);
  return clue;
}

function accepted(t: TestContext, exchange: Exchange, title: string, requirement: string): void {
  const status = exchange.response?.status ?? 0;
  if (isSuccess(status) || status >= 500 || status === 0) return;
  const operation = operationOf(t.session, 'clue');
  t.report({
    check: 'clue-accepted',
    requirement,
    operation,
    cause: `${title}: status ${status}`,
    message: `${operation.id} refuses a clue (${title}) with ${status}`,
    expected: 'a success: the clue is of the documented shape',
    received: `status ${status}`,
    exchanges: [exchange],
  });
}
