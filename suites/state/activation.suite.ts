import type { Exchange, Form } from '../../spec/index.ts';
import { isSuccess } from '../../spec/index.ts';
import { create, settled } from '../session/create.ts';
import type { Made } from '../session/create.ts';
import { law } from '../session/law.ts';
import { openSession } from '../session/session.ts';
import type { LawBreach, Trial } from '../session/trial.ts';
import { walk } from '../session/walk.ts';
import { sendValid } from './ask.ts';
import { FILTER_TELLS_NOTHING, filterTells, freshPolicy, operationOf, OPERATIONS, resourceFor } from './world/index.ts';

const session = await openSession();
const activating = session.contract.operation(OPERATIONS.activate);

for (const form of activating?.forms ?? []) {
  law(
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
    async (trial) => {
      if (!(await filterTells(trial))) trial.skip(FILTER_TELLS_NOTHING);
      const resource = resourceFor(trial.session, 'createPolicy');
      const [one, other] = [
        await create(trial, resource, { form, suffix: 'act' }),
        await create(trial, resource, { form, suffix: 'act' }),
      ];
      await trial.sendQuietly(operationOf(trial.session, 'deactivate'), {
        form,
        path: { id: one.id },
        label: 'deactivate, in case it began active',
      });
      for (const move of ['activate', 'deactivate', 'activate', 'deactivate', 'activate', 'deactivate'] as const) {
        const before = await stateOf(trial, other, form);
        const moved = await trial.send(operationOf(trial.session, move), {
          form,
          path: { id: one.id },
          expect: 'success',
          label: move,
        });
        if (!isSuccess(moved.response?.status ?? 0)) return;
        if (!(await trial.holds(() => hasState(trial, one, form, { move, moved, active: move === 'activate' }))))
          return;
        if (
          before !== undefined &&
          !(await trial.holds(() => keeps(trial, other, form, { move, moved, active: before })))
        )
          return;
      }
    },
  );
}

const ordering = session.contract.operation(OPERATIONS.setOrder);
for (const form of ordering?.forms ?? []) {
  law(
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
    async (trial) => {
      const policy = await freshPolicy(trial, 'keeps');
      const moved = await trial.sendQuietly(operationOf(trial.session, 'activate'), {
        form,
        path: { id: policy.id },
        label: 'activate',
      });
      if (!(await settled(trial, async () => (await stateOf(trial, policy, form)) === true)) || ordering === undefined)
        return;
      const set = await sendValid(trial, ordering, form, (ask) => ({ ...ask, label: 'set the order as it is' }));
      await trial.holds(async () => {
        if ((await stateOf(trial, policy, form)) !== false) return undefined;
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

async function filtered(trial: Trial, form: Form, policy: Made, filterActive: boolean): Promise<Seen> {
  const seen = await walk(trial, operationOf(trial.session, 'policies'), {
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
async function stateOf(trial: Trial, policy: Made, form: Form): Promise<boolean | undefined> {
  const id = policy.id.toLowerCase();
  const [yes, no] = [
    (await filtered(trial, form, policy, true)).in.has(id),
    (await filtered(trial, form, policy, false)).in.has(id),
  ];
  return yes === no ? undefined : yes;
}

async function hasState(
  trial: Trial,
  policy: Made,
  form: Form,
  { move, moved, active }: Wanted,
): Promise<LawBreach | undefined> {
  const id = policy.id.toLowerCase();
  const [yes, no] = [await filtered(trial, form, policy, true), await filtered(trial, form, policy, false)];
  const wrong = yes.in.has(id) !== active ? yes : no.in.has(id) === active ? no : undefined;
  if (wrong === undefined) return undefined;
  const operation = operationOf(trial.session, move);
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
  trial: Trial,
  other: Made,
  form: Form,
  { move, moved, active }: Wanted,
): Promise<LawBreach | undefined> {
  const state = await stateOf(trial, other, form);
  if (state === undefined || state === active) return undefined;
  const operation = operationOf(trial.session, move);
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
