import { operationOf } from '../../domain/builtin/operations.ts';
import { settled } from '../../domain/context.ts';
import type { Made } from '../../domain/create.ts';
import { sendValid } from '../../domain/requests.ts';
import { isObject, isServed, isSuccess } from '../../spec/index.ts';
import type { Exchange, Form, Violation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { defineForForms } from './define.ts';
import {
  FILTER_SHOWS_NO_STATE,
  filterShowsState,
  freshPolicy,
  isActive,
  listedAs,
} from '../../domain/builtin/policies.ts';

const session = await openSession();

defineForForms(
  session,
  'activate',
  {
    suite: 'state/activation',
    title: 'activate and deactivate change the state of one policy only',
    checks: ['activation'],
    requirements: ['policies.activate', 'policies.deactivate', 'policies.status', 'policies.filter-active'],
    effects: ['read', 'reversible'],
    cost: 40,
  },
  async (t, { form }) => {
    if (!(await filterShowsState(t))) t.skip(FILTER_SHOWS_NO_STATE);
    const policy = await freshPolicy(t, 'act', {}, form);
    const other = await freshPolicy(t, 'act', {}, form);
    const path = { id: policy.id };
    await t.sendQuietly(operationOf(t, 'deactivate'), { form, path, label: 'deactivate, in case it is active' });
    for (const move of ['activate', 'deactivate', 'activate', 'deactivate'] as const) {
      const before = await isActive(t, other.id, { form });
      const moved = await t.send(operationOf(t, move), { form, path, expect: 'success', label: move });
      if (!isSuccess(moved.response?.status ?? 0)) return;
      const isAsExpected = await Promise.all([
        t.takesEffect(() => findOtherState(t, policy, form, { move, moved })),
        before === undefined || t.holds(() => findOtherMoved(t, other, form, { move, moved, before })),
      ]);
      if (isAsExpected.includes(false)) return;
      // It may be a conflict; where it is served, the next move must have its effect all the same.
      await t.sendQuietly(operationOf(t, move), { form, path, label: `${move} again` });
    }
  },
);

defineForForms(
  session,
  'setOrder',
  {
    suite: 'state/activation',
    title: 'setting the processing order deactivates no policy',
    checks: ['activation'],
    requirements: ['policies.set-processing-order'],
    effects: ['read', 'reversible', 'global'],
  },
  async (t, { operation, form }) => {
    const policy = await freshPolicy(t, 'keeps');
    const path = { id: policy.id };
    const moved = await t.sendQuietly(operationOf(t, 'activate'), { form, path, label: 'activate' });
    if (!(await settled(t, async () => (await isActive(t, policy.id, { form })) === true))) return;
    const set = await sendValid(t, operation, form, (request) => ({ ...request, label: 'set the order as it is' }));
    await t.holds(async () => {
      if ((await isActive(t, policy.id, { form })) !== false) return undefined;
      return violationOf('activation/changed-by-order', operation, {
        requirement: 'policies.set-processing-order',
        expected: `${policy.name} stays active`,
        received: 'it is inactive',
        exchanges: [moved, set],
      });
    });
  },
);

defineForForms(
  session,
  'updatePolicy',
  {
    suite: 'state/activation',
    title: 'an update that names the state keeps it',
    checks: ['activation'],
    requirements: ['published.policy-state'],
    effects: ['read', 'reversible'],
  },
  async (t, { operation, form }) => {
    if (!(await filterShowsState(t))) t.skip(FILTER_SHOWS_NO_STATE);
    const policy = await freshPolicy(t, 'kept', {}, form);
    const path = { id: policy.id };
    const moved = await t.sendQuietly(operationOf(t, 'activate'), { form, path, label: 'activate' });
    const isActiveNow = async (): Promise<boolean> => (await isActive(t, policy.id, { form })) === true;
    if (!(await settled(t, isActiveNow))) return;
    const sample = isObject(policy.sent) ? policy.sent : {};
    const json = { ...sample, description: `Changed by Assay (${policy.name}).`, isActive: true };
    const updated = await t.send(operation, { form, path, json, label: 'update an active policy' });
    if (!isServed(updated)) return;
    await t.holds(async () => {
      const inactive = await listedAs(t, policy.id, false, { form });
      if (!inactive.isListed || (await listedAs(t, policy.id, true, { form })).isListed) return undefined;
      return violationOf('activation/changed-by-update', operation, {
        requirement: 'published.policy-state',
        expected: `${policy.name} stays active, as the update says`,
        received: 'filterActive=false lists it',
        exchanges: [policy.created, moved, updated, ...(inactive.exchange === undefined ? [] : [inactive.exchange])],
      });
    });
  },
);

defineForForms(
  session,
  'readPolicy',
  {
    suite: 'state/activation',
    turn: 0,
    title: 'a token without the permission reads no active policy',
    checks: ['authorisation'],
    requirements: ['auth.lacking-permission'],
    effects: ['read', 'reversible'],
  },
  async (t, { operation, form }) => {
    if (t.session.options.tokens.limited === undefined) t.skip('no limited token was given (--limited-token)');
    const policy = await freshPolicy(t, 'secret', {}, form);
    const path = { id: policy.id };
    const moved = await t.sendQuietly(operationOf(t, 'activate'), { form, path, label: 'activate' });
    const seen = await t.send(operation, { form, path, identity: 'limited', label: 'with the limited token' });
    if (!isServed(seen)) return;
    t.report(
      violationOf('authorisation/accepted', operation, {
        requirement: 'auth.lacking-permission',
        expected: 'status 403',
        received: `status ${seen.response.status}`,
        exchanges: [moved, seen],
      }),
    );
  },
);

interface Moved {
  readonly move: 'activate' | 'deactivate';
  readonly moved: Exchange;
}

async function findOtherState(
  t: TestContext,
  policy: Made,
  form: Form,
  { move, moved }: Moved,
): Promise<Violation | undefined> {
  const active = move === 'activate';
  const [yes, no] = await Promise.all([
    listedAs(t, policy.id, true, { form }),
    listedAs(t, policy.id, false, { form }),
  ]);
  const wrong = yes.isListed !== active ? yes : no.isListed === active ? no : undefined;
  if (wrong === undefined) return undefined;
  return violationOf(active ? 'activation/not-active' : 'activation/not-inactive', operationOf(t, move), {
    requirement: `policies.${move}`,
    expected: `filterActive=${active} lists it, filterActive=${!active} does not`,
    received: `filterActive=${wrong === yes} ${wrong.isListed ? 'lists' : 'does not list'} it`,
    exchanges: [moved, ...(wrong.exchange === undefined ? [] : [wrong.exchange])],
  });
}

async function findOtherMoved(
  t: TestContext,
  other: Made,
  form: Form,
  { move, moved, before }: Moved & { readonly before: boolean },
): Promise<Violation | undefined> {
  const active = await isActive(t, other.id, { form });
  if (active === undefined || active === before) return undefined;
  const { exchange: shown } = await listedAs(t, other.id, active, { form });
  return violationOf('activation/other-policy', operationOf(t, move), {
    requirement: `policies.${move}`,
    expected: `${other.name} stays ${before ? 'active' : 'inactive'}`,
    received: `it is ${active ? 'active' : 'inactive'}`,
    exchanges: [other.created, moved, ...(shown === undefined ? [] : [shown])],
  });
}
