import type { Exchange, Form } from '../../spec/index.ts';
import { isSuccess } from '../../spec/index.ts';
import { create } from '../../domain/create.ts';
import type { Made } from '../../domain/create.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { Violation, TestContext } from '../kit/context.ts';
import { walk } from '../../domain/read-list.ts';
import { settled } from '../../domain/context.ts';
import { sendValid } from '../../domain/requests.ts';
import { FILTER_SHOWS_NO_STATE, filterShowsState } from '../../domain/builtin/activation.ts';
import { freshPolicy } from '../../domain/builtin/make.ts';
import { OPERATIONS, operationOf, resourceFor } from '../../domain/builtin/operations.ts';

const session = await openSession();
const activating = session.contract.operation(OPERATIONS.activate);

for (const form of activating?.forms ?? []) {
  defineTest(
    session,
    {
      suite: 'state/activation',
      title: 'activate makes active, deactivate inactive, and only the one',
      form,
      checks: ['activation'],
      requirements: ['policies.activate', 'policies.deactivate', 'policies.status', 'policies.filter-active'],
      effects: ['read', 'reversible'],
      cost: 40,
      ...(activating === undefined ? {} : { operation: activating }),
    },
    async (t) => {
      if (!(await filterShowsState(t))) t.skip(FILTER_SHOWS_NO_STATE);
      const resource = resourceFor(t.session, 'createPolicy');
      const [one, other] = [
        await create(t, resource, { form, suffix: 'act' }),
        await create(t, resource, { form, suffix: 'act' }),
      ];
      await t.sendQuietly(operationOf(t.session, 'deactivate'), {
        form,
        path: { id: one.id },
        label: 'deactivate, in case it began active',
      });
      for (const move of ['activate', 'deactivate', 'activate', 'deactivate', 'activate', 'deactivate'] as const) {
        const before = await stateOf(t, other, form);
        const moved = await t.send(operationOf(t.session, move), {
          form,
          path: { id: one.id },
          expect: 'success',
          label: move,
        });
        if (!isSuccess(moved.response?.status ?? 0)) return;
        if (!(await t.holds(() => hasState(t, one, form, { move, moved, active: move === 'activate' })))) return;
        if (before !== undefined && !(await t.holds(() => keeps(t, other, form, { move, moved, active: before }))))
          return;
      }
    },
  );
}

const ordering = session.contract.operation(OPERATIONS.setOrder);
for (const form of ordering?.forms ?? []) {
  defineTest(
    session,
    {
      suite: 'state/activation',
      title: 'setting the order moves no policy between active and inactive',
      form,
      checks: ['activation'],
      requirements: ['policies.set-processing-order'],
      effects: ['read', 'reversible', 'global'],
      ...(ordering === undefined ? {} : { operation: ordering }),
    },
    async (t) => {
      const policy = await freshPolicy(t, 'keeps');
      const moved = await t.sendQuietly(operationOf(t.session, 'activate'), {
        form,
        path: { id: policy.id },
        label: 'activate',
      });
      if (!(await settled(t, async () => (await stateOf(t, policy, form)) === true)) || ordering === undefined) return;
      const set = await sendValid(t, ordering, form, (ask) => ({ ...ask, label: 'set the order as it is' }));
      await t.holds(async () => {
        if ((await stateOf(t, policy, form)) !== false) return undefined;
        return {
          check: 'activation',
          requirement: 'policies.set-processing-order',
          operation: ordering,
          cause: 'the order deactivates a policy',
          message: `${ordering.id} deactivates a policy`,
          expected: `${policy.name} stays active`,
          received: 'it is inactive',
          exchanges: [moved, set],
        };
      });
    },
  );
}

interface Wanted {
  readonly move: 'activate' | 'deactivate';
  readonly moved: Exchange;
  readonly active: boolean;
}

interface Seen {
  readonly in: ReadonlySet<string>;
  readonly exchange: Exchange | undefined;
}

async function filtered(t: TestContext, form: Form, policy: Made, filterActive: boolean): Promise<Seen> {
  const seen = await walk(t, operationOf(t.session, 'policies'), {
    form,
    query: { filterActive },
    label: `filterActive=${filterActive}`,
  });
  return {
    in: new Set(seen?.ids),
    exchange:
      seen?.pages.find((page) =>
        JSON.stringify(page.response?.json ?? '')
          .toLowerCase()
          .includes(policy.id.toLowerCase()),
      ) ?? seen?.pages.at(-1),
  };
}

/** Active, inactive, or undefined where the filters do not agree. */
async function stateOf(t: TestContext, policy: Made, form: Form): Promise<boolean | undefined> {
  const id = policy.id.toLowerCase();
  const [yes, no] = [
    (await filtered(t, form, policy, true)).in.has(id),
    (await filtered(t, form, policy, false)).in.has(id),
  ];
  return yes === no ? undefined : yes;
}

async function hasState(
  t: TestContext,
  policy: Made,
  form: Form,
  { move, moved, active }: Wanted,
): Promise<Violation | undefined> {
  const id = policy.id.toLowerCase();
  const [yes, no] = [await filtered(t, form, policy, true), await filtered(t, form, policy, false)];
  const wrong = yes.in.has(id) !== active ? yes : no.in.has(id) === active ? no : undefined;
  if (wrong === undefined) return undefined;
  const operation = operationOf(t.session, move);
  const word = active ? 'active' : 'inactive';
  return {
    check: 'activation',
    requirement: `policies.${move}`,
    operation,
    cause: `not ${word} after ${move}`,
    message: `${operation.id}: the policy is not ${word} afterwards`,
    expected: `filterActive=${active} finds it, filterActive=${!active} does not`,
    received:
      wrong === yes
        ? `filterActive=true ${yes.in.has(id) ? 'finds' : 'does not find'} it`
        : `filterActive=false ${no.in.has(id) ? 'finds' : 'does not find'} it`,
    exchanges: [moved, ...(wrong.exchange === undefined ? [] : [wrong.exchange])],
  };
}

async function keeps(
  t: TestContext,
  other: Made,
  form: Form,
  { move, moved, active }: Wanted,
): Promise<Violation | undefined> {
  const state = await stateOf(t, other, form);
  if (state === undefined || state === active) return undefined;
  const operation = operationOf(t.session, move);
  return {
    check: 'activation',
    requirement: `policies.${move}`,
    operation,
    cause: `${move} moves another policy`,
    message: `${operation.id} changes the state of another policy`,
    expected: `${other.name} stays ${active ? 'active' : 'inactive'}`,
    received: `it is ${state ? 'active' : 'inactive'}`,
    exchanges: [other.created, moved],
  };
}
