import { operationOf } from '../../domain/builtin/operations.ts';
import { saveOrder } from '../../domain/builtin/processing-order.ts';
import { settled } from '../../domain/context.ts';
import type { CreatedItem } from '../../domain/create.ts';
import { idOf, itemsOf, sameId } from '../../domain/items.ts';
import { sendValid } from '../../domain/requests.ts';
import { isObject, isServed } from '../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject, Violation } from '../../spec/index.ts';
import type { Evaluation, RequestSpec, TestContext } from '../kit/context.ts';
import { openSession } from '../kit/session.ts';
import { reportViolation, violationOf } from '../kit/violation.ts';
import {
  changedContent,
  findContentChanged,
  findUpdateLost,
  policyWithRules,
  storedPolicy,
} from './activation/content.ts';
import type { Moved } from './activation/content.ts';
import { findListedState, membersOf } from './activation/listed-state.ts';
import { defineForRole } from './define.ts';
import { NO_NAMES, NOT_REFUSED } from './lifecycle/refused-update.ts';
import { createNamed } from './lifecycle/same-name.ts';
import {
  FILTER_SHOWS_NO_STATE,
  filterShowsState,
  freshPolicy,
  isActive,
  listedAs,
  moveAndWait,
} from '../../domain/builtin/policies.ts';

const session = await openSession();

defineForRole(session, 'activate', {
  suite: 'state/activation',
  title: 'activate and deactivate change the state of that policy only',
  checks: ['activation'],
  requirements: [
    'policies.activate',
    'policies.deactivate',
    'policies.status',
    'policies.filter-active',
    'policies.create-stores',
  ],
  effects: ['read', 'reversible'],
  keepsOthers: true,
  cost: 40,
  run: async (t, { form }) => {
    if (!(await filterShowsState(t))) t.skip(FILTER_SHOWS_NO_STATE);
    const policy = await policyWithRules(t, form);
    const named = await createNamed(t, policy, form, 'create another policy with the same name');
    const other = named ?? (await freshPolicy(t, 'act', {}, form));
    let stored = await storedPolicy(t, policy, form);
    const path = { id: policy.id };
    const keepsContent = async (move: Moved['move'], moved: Exchange): Promise<boolean> => {
      const before = stored;
      return before === undefined || (await t.holds((t) => findContentChanged(t, before, form, { move, moved })));
    };
    const first = { form, path, label: 'deactivate, in case it is active' };
    if (!(await keepsContent('deactivate', await moveAndWait(t, 'deactivate', first)))) return;
    let known: boolean | undefined;
    // The last two name the policy with its id in capitals, which are the same uuid (RFC 9562); a deployment may refuse that.
    const moves = ['activate', 'deactivate', 'activate', 'deactivate', 'activate', 'deactivate'] as const;
    for (const [at, move] of moves.entries()) {
      const isPlain = at < 4;
      const id = isPlain ? policy.id : policy.id.toUpperCase();
      if (!isPlain && id === policy.id) return;
      if (at === 2) {
        known = await activateOther(t, other, form);
        stored = stored && (await changedContent(t, stored, form));
      }
      known ??= await isActive(t, other.id, { form });
      const before = known;
      const members = isPlain ? await membersOf(t, policy, form) : undefined;
      const moved = await t.send(operationOf(t, move), {
        form,
        path: { id },
        ...(isPlain ? { expect: 'success', label: move } : { label: `${move}, with the id in capitals` }),
      });
      if (!isServed(moved)) return;
      const isAsExpected = await Promise.all([
        t.takesEffect((t) => findOtherState(t, policy, form, { move, moved })),
        before === undefined || t.holds((t) => findOtherMoved(t, other, form, { move, moved, before })),
        keepsContent(move, moved),
      ]);
      if (isAsExpected.includes(false)) return;
      if (members !== undefined) {
        const shown = { move, moved, before: members };
        if (!(await t.holds((t) => findListedState(t, policy, form, shown)))) return;
      }
      // Repeating a move may be a conflict. Where it is served, the next move must still take effect.
      if (isPlain) await t.sendQuietly(operationOf(t, move), { form, path, label: `${move} again` });
    }
  },
});

defineForRole(session, 'setOrder', {
  suite: 'state/activation',
  title: 'setting the processing order activates and deactivates no policy',
  checks: ['activation'],
  requirements: ['policies.set-processing-order'],
  effects: ['read', 'reversible', 'global'],
  run: async (t, { operation, form }) => {
    const policy = await freshPolicy(t, 'keeps');
    const path = { id: policy.id };
    const moved = await t.sendQuietly(operationOf(t, 'activate'), { form, path, label: 'activate' });
    if (!(await settled(t, async () => (await isActive(t, policy.id, { form })) === true))) return;
    const other = await freshPolicy(t, 'rests');
    const isInactive = async (): Promise<boolean> => (await isActive(t, other.id, { form })) === false;
    const cases = [{ item: policy, change: moved, state: 'active' }];
    if (await settled(t, isInactive)) cases.push({ item: other, change: other.created, state: 'inactive' });
    await saveOrder(t);
    const sets: Exchange[] = [];
    // Each of the two is once the first of all, and once the last.
    for (const [first, last] of [
      [policy.id, other.id],
      [other.id, policy.id],
    ] as const)
      sets.push(await sendValid(t, operation, form, (request) => withEnds(request, first, last)));
    for (const { item, change, state } of cases)
      await t.holds(async (t) => {
        const asBefore = await listedAs(t, item.id, state === 'active', { form });
        const { isListed, exchange } = await listedAs(t, item.id, state !== 'active', { form });
        if (asBefore.isListed || !isListed) return undefined;
        return violationOf('activation/changed-by-order', operation, {
          requirement: 'policies.set-processing-order',
          expected: `${item.name} stays ${state}`,
          received: `it is ${state === 'active' ? 'inactive' : 'active'}`,
          exchanges: [change, ...sets, exchange],
        });
      });
  },
});

const onUpdates = { suite: 'state/activation', effects: ['read', 'reversible'] as const };

defineForRole(session, 'updatePolicy', {
  ...onUpdates,
  title: 'an update with the current state in its body does not change the state',
  checks: ['activation', 'updated-reads-back'],
  requirements: ['published.policy-state', 'policies.update-stores'],
  run: async (t, { operation, form }) => {
    const policy = await activePolicy(t, form);
    const sent = changedBody(policy);
    const request = { form, path: { id: policy.id }, json: sent, label: 'update an active policy' };
    const updated = await t.send(operation, request);
    if (!isServed(updated)) t.skip('the update of an active policy was refused');
    const rule = { code: 'activation/changed-by-update', requirement: 'published.policy-state' } as const;
    if (!(await t.holds((t) => findInactive(t, policy, form, updated, rule)))) return;
    await t.takesEffect((t) => findUpdateLost(t, { ...policy, sent }, form, [policy.activated, updated]));
  },
});

defineForRole(session, 'updatePolicy', {
  ...onUpdates,
  title: 'a refused update does not deactivate an active policy',
  checks: ['refused-changes-nothing'],
  requirements: ['errors.refused-changes-nothing'],
  run: async (t, { operation, form }) => {
    const policy = await activePolicy(t, form);
    let refusals = 0;
    for (const name of NO_NAMES) {
      const json = { ...changedBody(policy), name };
      const request = { form, path: { id: policy.id }, json, label: 'update an active policy without a name' };
      const refused = await t.send(operation, request);
      const status = refused.response?.status ?? 500;
      if (status < 400 || status >= 500) continue;
      refusals += 1;
      const requirement = 'errors.refused-changes-nothing';
      const rule = { code: 'refused-changes-nothing/changed-data', requirement } as const;
      if (!(await t.holds((t) => findInactive(t, policy, form, refused, rule)))) return;
    }
    if (refusals === 0) t.skip(NOT_REFUSED);
  },
});

interface ActivePolicy extends CreatedItem {
  readonly activated: Exchange;
}

async function activePolicy(t: TestContext, form: Form): Promise<ActivePolicy> {
  if (!(await filterShowsState(t))) t.skip(FILTER_SHOWS_NO_STATE);
  const policy = await policyWithRules(t, form);
  const request = { form, path: { id: policy.id }, label: 'activate' };
  const activated = await t.sendQuietly(operationOf(t, 'activate'), request);
  const isActiveNow = async (): Promise<boolean> => (await isActive(t, policy.id, { form })) === true;
  if (!(await settled(t, isActiveNow))) t.skip('the policy does not become active');
  return { ...policy, activated };
}

function changedBody({ sent, name }: CreatedItem): JsonObject {
  return { ...(isObject(sent) ? sent : {}), description: `Changed by Assay (${name}).`, isActive: true };
}

/** An active policy that an update has deactivated. */
async function findInactive(
  t: TestContext,
  { id, name, created, activated }: ActivePolicy,
  form: Form,
  updated: Exchange,
  { code, requirement }: Required<Pick<Violation, 'code' | 'requirement'>>,
): Evaluation {
  const inactive = await listedAs(t, id, false, { form });
  if (!inactive.isListed || (await listedAs(t, id, true, { form })).isListed) return undefined;
  return violationOf(code, operationOf(t, 'updatePolicy'), {
    requirement,
    expected: `${name} stays active`,
    received: 'filterActive=false lists it',
    exchanges: [created, activated, updated, inactive.exchange],
  });
}

defineForRole(session, 'readPolicy', {
  suite: 'state/activation',
  formIndex: 0,
  title: 'a token without the permission cannot read an active policy',
  checks: ['authorisation'],
  requirements: ['auth.lacking-permission'],
  effects: ['read', 'reversible'],
  run: async (t, { operation, form }) => {
    if (t.session.options.tokens.limited === undefined) t.skip('no limited token was given (--limited-token)');
    const policy = await freshPolicy(t, 'secret', {}, form);
    const path = { id: policy.id };
    const moved = await t.sendQuietly(operationOf(t, 'activate'), { form, path, label: 'activate' });
    const seen = await t.send(operation, { form, path, identity: 'limited', label: 'with the limited token' });
    if (!isServed(seen)) return;
    reportViolation(t, 'authorisation/accepted', operation, {
      requirement: 'auth.lacking-permission',
      expected: 'status 403',
      received: `status ${seen.response.status}`,
      exchanges: [moved, seen],
    });
  },
});

/** A request that sets the order, with one policy before all others and one after them. */
function withEnds(request: RequestSpec, first: string, last: string): RequestSpec {
  const entries = itemsOf(request.json) ?? [];
  const holding = (id: string): readonly Json[] => entries.filter((entry) => sameId(idOf(entry), id));
  const between = entries.filter((entry) => !sameId(idOf(entry), first) && !sameId(idOf(entry), last));
  const ordered = [...holding(first), ...between, ...holding(last)];
  const json = ordered.map((entry, order): Json => (isObject(entry) ? { ...entry, order } : entry));
  return { ...request, json, label: 'set the order with one of them first, and one last' };
}

/** Activates the other policy: the moves that follow must leave it active, as the earlier ones left it inactive. */
async function activateOther(t: TestContext, { id }: CreatedItem, form: Form): Promise<boolean | undefined> {
  await t.sendQuietly(operationOf(t, 'activate'), { form, path: { id }, label: 'activate another policy' });
  await settled(t, async () => (await isActive(t, id, { form })) === true);
  return isActive(t, id, { form });
}

async function findOtherState(t: TestContext, policy: CreatedItem, form: Form, { move, moved }: Moved): Evaluation {
  const active = move === 'activate';
  const [yes, no] = await Promise.all([
    listedAs(t, policy.id, true, { form }, active),
    listedAs(t, policy.id, false, { form }, !active),
  ]);
  const wrong = yes.isListed !== active ? yes : no.isListed === active ? no : undefined;
  if (wrong === undefined || !yes.isRead || !no.isRead) return undefined;
  return violationOf(active ? 'activation/not-active' : 'activation/not-inactive', operationOf(t, move), {
    requirement: `policies.${move}`,
    expected: `filterActive=${active} lists it, filterActive=${!active} does not`,
    received: `filterActive=${wrong === yes} ${wrong.isListed ? 'lists' : 'does not list'} it`,
    exchanges: [moved, wrong.exchange],
  });
}

async function findOtherMoved(
  t: TestContext,
  other: CreatedItem,
  form: Form,
  { move, moved, before }: Moved & { readonly before: boolean },
): Evaluation {
  const active = await isActive(t, other.id, { form });
  if (active === undefined || active === before) return undefined;
  const { exchange: shown } = await listedAs(t, other.id, active, { form });
  return violationOf('activation/other-policy', operationOf(t, move), {
    requirement: `policies.${move}`,
    expected: `another policy, ${other.id}, stays ${before ? 'active' : 'inactive'}`,
    received: `it is ${active ? 'active' : 'inactive'}`,
    exchanges: [other.created, moved, shown],
  });
}
