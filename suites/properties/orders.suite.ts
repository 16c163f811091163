import { isUnsatisfiable, requestArbitrary } from '../../generators/index.ts';
import type { Json, JsonObject, Operation } from '../../spec/index.ts';
import { domainGenerator } from '../../domain/builtin/bodies/domain-body.ts';
import { findOperation } from '../../domain/builtin/operations.ts';
import { saveOrder } from '../../domain/builtin/processing-order.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { tryServed } from './attempts/served.ts';
import type { Slot } from './attempts/slot.ts';
import { withBodyValue } from './case.ts';
import { chunked, inTurn } from './cases/deviations.ts';
import { TEXTS } from './cases/values.ts';
import { runProperty } from './run-property.ts';
import { freshPolicy } from '../../domain/builtin/policies.ts';

const session = await openSession();
const { contract, options } = session;
const operation = findOperation(contract, 'setOrder');

/** Placeholders for the ids of policies that the run creates. */
const IDS = Array.from(
  { length: 12 },
  (_, index) => `00000000-0000-4000-8000-0000000b${String(index).padStart(2, '0')}de`,
);

/** Members that every object of some languages has. */
const OF_PROTOTYPES = JSON.parse('{"__proto__":{"assay":1},"constructor":{"assay":1}}') as JsonObject;

if (operation !== undefined && session.knowledge.guarantees('storage', operation)) {
  defineTest(session, {
    suite: 'properties/orders',
    title: 'any order of policies is set or refused',
    operation,
    isolated: true,
    effects: ['read', 'reversible', operation.effect],
    checks: ['no-server-error', 'answered', 'status-documented'],
    requirements: ['errors.no-server-error'],
    cost: options.runs,
    run: (t) => setOrders(t, operation),
  });
}

async function setOrders(t: TestContext, setting: Operation): Promise<void> {
  await saveOrder(t, { mayMove: true });
  const policies = await Promise.all(IDS.map(() => freshPolicy(t, 'ordered')));
  const slot: Slot = { path: {}, ids: Object.fromEntries(policies.map(({ id }, index) => [IDS[index] ?? '', id])) };
  const known = IDS.map((id, index) => ({ id, name: `policy ${index}` }));
  const body = domainGenerator(contract, setting.id, { policies: known });
  const arbitrary = requestArbitrary(contract, setting, body === undefined ? {} : { body });
  if (isUnsatisfiable(arbitrary)) t.skip('no order can be generated from the description');
  const capitals = known.map(({ id, name }, order) => ({ id: id.toUpperCase(), name, order }));
  const named = (texts: readonly string[]): Json =>
    known.map(({ id, name }, order) => ({ id, name: texts[order] ?? name, order }));
  const withMembers = known.map((each, order) => ({ ...each, order, ...OF_PROTOTYPES }));
  await runProperty(t, {
    operation: setting,
    examples: [
      { request: withBodyValue(arbitrary.simplest, capitals), form: 0, label: 'ids in capitals' },
      { request: withBodyValue(arbitrary.simplest, withMembers), form: 1, label: 'members of prototypes' },
      ...inTurn([
        arbitrary.sweep(options.seed).map((request, form) => ({ request, form })),
        chunked(TEXTS, IDS.length).map((texts, form) => ({
          request: withBodyValue(arbitrary.simplest, named(texts)),
          form,
          label: 'unusual names',
        })),
      ]),
    ],
    draws: arbitrary,
    shrinker: arbitrary,
    test: async (value) => (await tryServed(t, setting, value, slot)).violations,
    lanes: 2,
  });
}
