import { setTimeout as sleep } from 'node:timers/promises';
import { sample } from 'fast-check';
import { operationOf, resourceFor } from '../../domain/builtin/operations.ts';
import { readOrder } from '../../domain/builtin/processing-order.ts';
import type { CreatedItem } from '../../domain/create.ts';
import { ifSkipped, settled } from '../../domain/context.ts';
import { idsOf as entryIds } from '../../domain/items.ts';
import { createMany, MANY, removeMany } from '../../domain/many-items.ts';
import { isServed } from '../../spec/index.ts';
import type { Exchange, Form, Json } from '../../spec/index.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { JSON_TYPE } from '../kit/media-types.ts';
import { KEPT_MS } from '../kit/polling.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { defineForRole } from './define.ts';
import { JSON_TYPES } from './lifecycle/update.ts';
import { anyArrangement, arrange, ARRANGEMENTS } from './order/arrangements.ts';
import type { Arrangement } from './order/arrangements.ts';
import {
  awaitInOrder,
  checkOrder,
  isReturnedAsSet,
  notAsSet,
  orderEntries,
  orderToKeep,
  putOrder,
} from './order/processing-order.ts';
import type { Written } from './order/processing-order.ts';
import { findSamePlace } from './order/places.ts';
import { ORDER_REFUSALS, refusalChangesNothing } from './order/refusals.ts';
import { checkKept, repeatedlyHolds } from './order/stability.ts';
import { freshPolicy, moveAndWait } from '../../domain/builtin/policies.ts';
import { sampleWith } from '../../domain/builtin/bodies/sample-body.ts';

const session = await openSession();

/** Number of own policies in a scenario. */
const OWN = 5;

/** The same order in other media types, and with ids in capitals, which are the same uuids (RFC 9562). */
const WRITTEN: readonly Written[] = [
  ...JSON_TYPES.slice(1).map((type) => ({ as: type, type, write: (order: Json) => JSON.stringify(order) })),
  {
    as: 'ids in capitals',
    type: JSON_TYPE,
    write: (order) => JSON.stringify(order).replaceAll(/(?<="id":")[^"]*/g, (id) => id.toUpperCase()),
  },
];

const base = {
  suite: 'state/order',
  effects: ['read', 'reversible', 'global'] as const,
  isolated: true,
  cost: 60,
  requirements: ['policies.processing-order', 'policies.set-processing-order', 'policies.by-processing-order'],
};

defineForRole(session, 'setOrder', {
  ...base,
  title: 'any processing order is returned as it was set',
  checks: ['processing-order', 'published-behaviour'],
  requirements: [...base.requirements, 'forms.equivalent', 'published.order-places'],
  run: async (t, { operation, form, otherForm }) => {
    const own = await ownPolicies(t);
    const ids = idsOf(own);
    if (!(await isReturnedAsSet(t, () => t.takesEffect((t) => findHidden(t, own, form, otherForm))))) return;
    const generated = sample(anyArrangement(OWN), {
      seed: session.options.seed + operation.forms.indexOf(form),
      numRuns: Math.max(2, Math.ceil(session.options.runs / 25)),
    });
    for (const arrangement of [...Object.values(ARRANGEMENTS), ...generated, ARRANGEMENTS.first]) {
      t.countCases(1);
      const readForm = arrangement === generated[0] ? form : otherForm;
      const keptMs = arrangement === generated.at(-1) ? KEPT_MS : 0;
      const scenario = () => returnsAsSet(t, { form, readForm, ids, arrangement, keptMs });
      if (!(await isReturnedAsSet(t, () => repeatedlyHolds(t, scenario)))) return;
    }
    for (const [at, written] of WRITTEN.entries()) {
      const arrangement = at % 2 === 0 ? ARRANGEMENTS.reversedAround : ARRANGEMENTS.reversedLast;
      const scenario = () => returnsAsSet(t, { form, readForm: form, ids, arrangement, keptMs: 0, written });
      await isReturnedAsSet(t, () => repeatedlyHolds(t, () => scenario().catch(ifSkipped)));
    }
    const { exchange } = await putOrder(t, form, (order) => arrange(order, ids, ARRANGEMENTS.first));
    await t.holds((t) => findSamePlace(t, otherForm, new Set(ids), exchange));
  },
});

defineForRole(session, 'setOrder', {
  ...base,
  title: 'a refused processing order changes nothing',
  checks: ['refused-changes-nothing', 'processing-order'],
  requirements: ['errors.refused-changes-nothing', 'auth.refused-changes-nothing'],
  run: async (t, { form }) => {
    const ids = idsOf(await ownPolicies(t));
    const tested = new Set<string>();
    for (const refusal of ORDER_REFUSALS) {
      t.countCases(1);
      await repeatedlyHolds(t, () => refusalChangesNothing(t, { form, ids, refusal, tested }));
    }
    for (const each of ['errors.refused-changes-nothing', 'auth.refused-changes-nothing'])
      if (!tested.has(each)) t.leavesOpen(each);
  },
});

defineForRole(session, 'setOrder', {
  ...base,
  title: 'a change of one policy does not change the order of the others',
  checks: ['processing-order', 'deleted-is-gone'],
  run: async (t, { form }) => {
    const own = await ownPolicies(t);
    for (const change of CHANGES) {
      t.countCases(1);
      const needsNew = change.deletes === 'an own policy' || change.renames === true;
      const scenario = async () => keepsOrder(t, form, needsNew ? await ownPolicies(t) : own, change);
      await checkKept(t, scenario);
    }
  },
});

defineForRole(session, 'setOrder', {
  ...base,
  title: 'a processing order of many policies is returned as it was set',
  checks: ['processing-order'],
  formIndex: 1,
  cost: 4 * MANY,
  run: async (t, { form, otherForm }) => {
    const own = await createMany(t, resourceFor(t, 'createPolicy'));
    await awaitInOrder(t, idsOf(own));
    await repeatedlyHolds(t, () => returnsAll(t, own, form, otherForm));
    await removeMany(t, own);
  },
});

/** New policies that are in the order. */
async function ownPolicies(t: TestContext): Promise<readonly CreatedItem[]> {
  const own = await Promise.all(Array.from({ length: OWN }, () => freshPolicy(t, 'ordered')));
  await awaitInOrder(t, idsOf(own));
  return own;
}

function idsOf(items: readonly CreatedItem[]): readonly string[] {
  return items.map(({ id }) => id.toLowerCase());
}

interface Scenario {
  readonly form: Form;
  readonly readForm: Form;
  readonly ids: readonly string[];
  readonly arrangement: Arrangement;
  /** How long afterwards the order is read again; 0: it is not. */
  readonly keptMs: number;
  readonly written?: Written;
}

async function returnsAsSet(
  t: TestContext,
  { form, readForm, ids, arrangement, keptMs, written }: Scenario,
): Evaluation {
  const { sent, exchange } = await putOrder(t, form, (order) => arrange(order, ids, arrangement), [], written);
  if (!isServed(exchange)) return undefined;
  const expected = {
    known: sent,
    own: new Set(ids),
    form: readForm,
    steps: [exchange],
    otherwise: notAsSet(t, written?.as),
  };
  const violation = await checkOrder(t, expected);
  if (violation !== undefined || keptMs === 0) return violation;
  await sleep(keptMs);
  const later = await checkOrder(t, expected);
  const message = `${operationOf(t, 'setOrder').id}: the processing order changes after it was returned as it was set`;
  return later && { ...later, message };
}

/** Sets an order with all of these policies, also with those that it does not show: once it shows some of them, none may be missing. */
async function returnsAll(t: TestContext, own: readonly CreatedItem[], form: Form, readForm: Form): Evaluation {
  const ids = idsOf(own);
  const { sent, exchange } = await putOrder(t, form, (order) => arrange(order, ids, ARRANGEMENTS.first), own);
  const isAnyShown = await settled(t, async () => {
    const entries = await orderEntries(t);
    return ids.some((id) => entries.has(id));
  });
  if (!isAnyShown) t.skip('new policies are not in the processing order');
  return checkOrder(t, { known: sent, own: new Set(ids), form: readForm, steps: [exchange], otherwise: notAsSet(t) });
}

/** A policy that is in the order as it is read through the other form, but not through this one. */
async function findHidden(t: TestContext, own: readonly CreatedItem[], form: Form, otherForm: Form): Evaluation {
  const [other, read] = [await readOrder(t, otherForm), await readOrder(t, form)];
  const [known, shown] = [other, read].map((each) => entryIds(each.response?.json));
  if (known === undefined || shown === undefined) return undefined;
  const hidden = own.find(({ id }) => known.includes(id.toLowerCase()) && !shown.includes(id.toLowerCase()));
  if (hidden === undefined) return undefined;
  return violationOf('processing-order/lacks-policy', operationOf(t, 'order'), {
    subject: 'other form',
    requirement: 'forms.equivalent',
    expected: `${hidden.id}, as with ${otherForm.name}`,
    received: `an order without it, of ${shown.length} policies`,
    exchanges: [hidden.created, other, read],
  });
}

interface Change {
  readonly deletes?: 'an own policy' | 'a later policy';
  readonly renames?: true;
  readonly send: (t: TestContext, form: Form, policy: CreatedItem, own: readonly CreatedItem[]) => Promise<Exchange>;
}

/** Success is not expected, because the move may be a conflict; `state/activation` judges it. */
const activation = (name: 'activate' | 'deactivate'): Change => ({
  send: (t, form, { id }) => t.send(operationOf(t, name), { form, path: { id }, label: name }),
});

/** An update that a deployment may refuse; where it does not, the policy keeps its place. */
const renaming = (what: string, nameOf: (own: readonly CreatedItem[]) => string | null): Change => ({
  renames: true,
  send: async (t, form, { id, resource, name }, own) => {
    const references = await t.knowledge.references(t, resource.create, {});
    const json = sampleWith(t, resource, name, references, { name: nameOf(own) });
    return t.send(operationOf(t, 'updatePolicy'), { form, path: { id }, json, label: `update, ${what}` });
  },
});

/** Calls that change one policy and not the order. */
const CHANGES: readonly Change[] = [
  activation('activate'),
  activation('deactivate'),
  {
    send: async (t, form, { id, resource, name }) => {
      const references = await t.knowledge.references(t, resource.create, {});
      const json = sampleWith(t, resource, `${name}-again`, references, {});
      return t.send(operationOf(t, 'updatePolicy'), { form, path: { id }, json, expect: 'success', label: 'update' });
    },
  },
  { send: async (t) => (await freshPolicy(t, 'late')).created },
  { deletes: 'an own policy', send: remove },
  { deletes: 'a later policy', send: remove },
  renaming('without a name', () => null),
  renaming('with the name of another policy', (own) => own.at(-1)?.name ?? null),
];

function remove(t: TestContext, form: Form, { id }: CreatedItem): Promise<Exchange> {
  return t.send(operationOf(t, 'deletePolicy'), { form, path: { id }, expect: 'success', label: 'delete' });
}

async function keepsOrder(
  t: TestContext,
  form: Form,
  own: readonly CreatedItem[],
  { send, deletes }: Change,
): Evaluation {
  const ids = idsOf(own);
  const policy = deletes === 'a later policy' ? await freshPolicy(t, 'later') : own[1];
  if (policy === undefined) return undefined;
  // Before the order is set: the deletion is to be its only change.
  if (deletes !== undefined)
    await moveAndWait(t, 'deactivate', { path: { id: policy.id }, label: 'deactivate, in case it is active' });
  const set = await putOrder(t, form, (order) => arrange(order, ids, ARRANGEMENTS.reversedAround));
  const expected = await orderToKeep(t, form, new Set(ids), set);
  if ('code' in expected) return expected;
  const changed = await send(t, form, policy, own);
  const operation = t.contract.operation(changed.operation);
  if (operation === undefined || !isServed(changed)) return undefined;
  const deleted = deletes === undefined ? undefined : policy.id.toLowerCase();
  return checkOrder(t, {
    ...expected,
    known: expected.known.filter((id) => id !== deleted),
    deleted,
    steps: [...expected.steps, changed],
    otherwise: { code: 'processing-order/changed', operation },
  });
}
