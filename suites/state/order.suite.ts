import { sample } from 'fast-check';
import type { Exchange, Form } from '../../spec/index.ts';
import { isSuccess } from '../../spec/index.ts';
import type { Made } from '../../domain/create.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { RequestSpec, Violation, TestContext } from '../kit/context.ts';
import { anyPlace, placed, PLACES } from './sequences/arrangements.ts';
import type { Place } from './sequences/arrangements.ts';
import { awaitInOrder, lookAtOrder, orderEntries, putOrder } from './sequences/ordering.ts';
import { alwaysHolds } from './sequences/certainty.ts';
import { saveOrder } from '../../domain/builtin/processing-order.ts';
import { freshPolicy, withMembers } from '../../domain/builtin/make.ts';
import { OPERATIONS, operationOf } from '../../domain/builtin/operations.ts';

const session = await openSession();
const setting = session.contract.operation(OPERATIONS.setOrder);
const forms = setting?.forms ?? [];

/** Set once an order was not read back as it was set: then the order tells nothing about what else happens to it. */
let unreliable = false;

function needReliable(t: TestContext): void {
  if (unreliable) t.skip('an order is not read back as it was set: see its finding');
}

/** Own policies of a scenario. */
const OWN = 5;

for (const [at, form] of forms.entries()) {
  const other = forms[(at + 1) % forms.length];
  const base = {
    suite: 'state/order',
    form,
    effects: ['read', 'reversible', 'global'] as const,
    alone: true,
    cost: 60,
    requirements: ['policies.processing-order', 'policies.set-processing-order', 'policies.by-processing-order'],
    ...(setting === undefined ? {} : { operation: setting }),
  };
  defineTest(
    session,
    { ...base, title: 'any order is read back as it was set, as a whole', checks: ['processing-order'] },
    async (t) => {
      needReliable(t);
      const own = await ownPolicies(t);
      const ids = own.map((each) => each.id.toLowerCase());
      const generated = sample(anyPlace(OWN), {
        seed: session.options.seed + at,
        numRuns: Math.max(2, Math.ceil(session.options.runs / 25)),
      });
      for (const place of [...Object.values(PLACES), ...generated, PLACES['in front of the others']]) {
        t.countCases(1);
        if (
          !(await alwaysHolds(t, () =>
            readsBackAsSet(t, { form, readForm: place === generated[0] ? form : other, ids, place }),
          ))
        ) {
          unreliable = true;
          return;
        }
      }
    },
  );
  defineTest(
    session,
    {
      ...base,
      title: 'a refused order changes nothing',
      checks: ['refused-changes-nothing', 'processing-order'],
      requirements: ['errors.refused-changes-nothing', 'auth.refused-changes-nothing'],
    },
    async (t) => {
      needReliable(t);
      const ids = (await ownPolicies(t)).map((each) => each.id.toLowerCase());
      for (const refused of Object.keys(REFUSED) as (keyof typeof REFUSED)[]) {
        t.countCases(1);
        await alwaysHolds(t, () => refusedChangesNothing(t, form, ids, refused));
      }
    },
  );
  defineTest(
    session,
    {
      ...base,
      title: 'what happens to one policy keeps the rest in order',
      checks: ['processing-order', 'deleted-is-gone'],
    },
    async (t) => {
      needReliable(t);
      for (const change of Object.keys(CHANGES) as (keyof typeof CHANGES)[]) {
        t.countCases(1);
        await alwaysHolds(t, async () => keepsOrder(t, form, await ownPolicies(t), change));
      }
    },
  );
}

async function ownPolicies(t: TestContext): Promise<readonly Made[]> {
  const own = await Promise.all(Array.from({ length: OWN }, () => freshPolicy(t, 'ordered')));
  await awaitInOrder(
    t,
    own.map((each) => each.id.toLowerCase()),
  );
  return own;
}

interface Scenario {
  readonly form: Form;
  readonly readForm: Form | undefined;
  readonly ids: readonly string[];
  readonly place: Place;
}

async function readsBackAsSet(
  t: TestContext,
  { form, readForm, ids, place }: Scenario,
): Promise<Violation | undefined> {
  const set = await putOrder(t, form, placed(ids, place));
  if (!isSuccess(set.exchange.response?.status ?? 0)) return undefined;
  return lookAtOrder(t, {
    known: set.sent,
    own: new Set(ids),
    form: readForm,
    steps: [set.exchange],
    blame: {
      check: 'processing-order',
      requirement: 'policies.processing-order',
      operation: operationOf(t.session, 'setOrder'),
      cause: 'the order is not read back as it was set',
    },
  });
}

const STRANGER = '7e57ab1e-0000-4000-8000-000000000000';

interface Refused {
  readonly ask: RequestSpec;
  readonly change: (entries: readonly { readonly id: string }[]) => readonly { readonly id: string }[];
}

/** Orders that are, or may be, refused. */
const REFUSED = {
  'without the permission': { ask: { identity: 'limited' }, change: (entries) => entries.toReversed() },
  'without a token': { ask: { identity: 'none' }, change: (entries) => entries.toReversed() },
  'with an unknown policy': { ask: {}, change: (entries) => [...entries.toReversed(), { id: STRANGER }] },
  'with a policy twice': { ask: {}, change: (entries) => [...entries.toReversed(), ...entries.slice(0, 1)] },
} satisfies Record<string, Refused>;

async function refusedChangesNothing(
  t: TestContext,
  form: Form,
  ids: readonly string[],
  name: keyof typeof REFUSED,
): Promise<Violation | undefined> {
  const { ask, change }: Refused = REFUSED[name];
  if (ask.identity === 'limited' && t.session.options.tokens.limited === undefined) return undefined;
  await saveOrder(t);
  const known = [...(await orderEntries(t)).values()];
  const json = change(known.map((each) => ({ ...each }))).map((each, order) => ({ ...each, order }));
  const operation = operationOf(t.session, 'setOrder');
  const refused = await t.send(operation, { ...ask, form, json, label: `set an order ${name}` });
  const status = refused.response?.status ?? 0;
  if (status < 400 || status >= 500) return undefined;
  return lookAtOrder(t, {
    known: known.map((each) => each.id.toLowerCase()),
    own: new Set(ids),
    form,
    steps: [refused],
    blame: {
      check: 'refused-changes-nothing',
      requirement: ask.identity === undefined ? 'errors.refused-changes-nothing' : 'auth.refused-changes-nothing',
      operation,
      cause: `an order ${name} is refused, and changes the order`,
    },
  });
}

type Change = (t: TestContext, form: Form, policy: Made) => Promise<Exchange>;

/** To move a policy to where it already is may be a conflict; whether it moves is the activation suite's. */
const moving =
  (name: 'activate' | 'deactivate' | 'deletePolicy'): Change =>
  (t, form, policy) =>
    t.send(operationOf(t.session, name), {
      form,
      path: { id: policy.id },
      ...(name === 'deletePolicy' ? { expect: 'success' } : {}),
      label: name,
    });

/** What happens to one policy. */
const CHANGES = {
  activate: moving('activate'),
  deactivate: moving('deactivate'),
  update: (t, form, policy) =>
    t.send(operationOf(t.session, 'updatePolicy'), {
      form,
      path: { id: policy.id },
      json: withMembers(policy.resource, `${policy.name}-again`, {}, {}),
      expect: 'success',
      label: 'update',
    }),
  create: async (t) => (await freshPolicy(t, 'late')).created,
  delete: moving('deletePolicy'),
} satisfies Record<string, Change>;

async function keepsOrder(
  t: TestContext,
  form: Form,
  own: readonly Made[],
  name: keyof typeof CHANGES,
): Promise<Violation | undefined> {
  const ids = own.map((each) => each.id.toLowerCase());
  const subject = own[1];
  if (subject === undefined) return undefined;
  const set = await putOrder(t, form, placed(ids, PLACES['turned round, around the others']));
  const look = { known: set.sent, own: new Set(ids), form };
  const blame = {
    check: 'processing-order',
    requirement: 'policies.processing-order',
    operation: operationOf(t.session, 'setOrder'),
    cause: 'the order is not read back as it was set',
  } as const;
  const before = await lookAtOrder(t, { ...look, steps: [set.exchange], blame });
  if (before !== undefined) return before;
  const changed = await CHANGES[name](t, form, subject);
  if (!isSuccess(changed.response?.status ?? 0)) return undefined;
  const gone = name === 'delete' ? subject.id.toLowerCase() : undefined;
  const operation = t.session.contract.operation(changed.operation);
  return lookAtOrder(t, {
    ...look,
    steps: [set.exchange, changed],
    known: set.sent.filter((id) => id !== gone),
    ...(gone === undefined ? {} : { gone }),
    blame: {
      check: gone === undefined ? 'processing-order' : 'deleted-is-gone',
      ...(operation === undefined ? {} : { operation }),
      cause: `${name} changes the processing order`,
    },
  });
}
