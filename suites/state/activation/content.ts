import { extraMembers } from '../../../domain/builtin/bodies/extra-members.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { freshPolicy, isActive } from '../../../domain/builtin/policies.ts';
import { ifSkipped, settled } from '../../../domain/context.ts';
import { uniqueName } from '../../../domain/create.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, Form } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { bodyFormats } from '../../kit/formats.ts';
import { firstMismatch } from '../../kit/read-back.ts';
import { violationOf } from '../../kit/violation.ts';

export interface Moved {
  readonly move: 'activate' | 'deactivate';
  readonly moved: Exchange;
}

/** A policy, and the updates that changed what it was created with. */
export interface Stored extends CreatedItem {
  readonly changes: readonly Exchange[];
}

/** A policy with rules, or without where the deployment refuses them. */
export async function policyWithRules(t: TestContext, form: Form): Promise<CreatedItem> {
  const { id: create } = operationOf(t, 'createPolicy');
  const { lists = {} } = await extraMembers(t, create, uniqueName(t, 'rules'));
  return (await freshPolicy(t, 'act', lists, form).catch(ifSkipped)) ?? freshPolicy(t, 'act', {}, form);
}

/** The policy, for {@link findContentChanged}; undefined where it does not read back as it was created. */
export async function storedPolicy(t: TestContext, policy: CreatedItem, form: Form): Promise<Stored | undefined> {
  return (await readPolicy(t, policy, form)).mismatch === undefined ? { ...policy, changes: [] } : undefined;
}

/** The policy with a new description; undefined where the update does not read back. */
export async function changedContent(t: TestContext, policy: Stored, form: Form): Promise<Stored | undefined> {
  if (!isObject(policy.sent)) return undefined;
  const sent = { ...policy.sent, description: `Changed by Assay (${policy.name}).` };
  const request = { form, path: { id: policy.id }, json: sent, label: 'update the inactive policy' };
  const updated = await t.sendQuietly(operationOf(t, 'updatePolicy'), request);
  const after = { ...policy, sent, changes: [updated] };
  const isStored = async (): Promise<boolean> => (await readPolicy(t, after, form)).mismatch === undefined;
  if (!isServed(updated) || !(await settled(t, isStored))) return undefined;
  // An update without the state may set it.
  if ((await isActive(t, policy.id, { form })) !== false)
    await t.sendQuietly(operationOf(t, 'deactivate'), { form, path: { id: policy.id } });
  return after;
}

/** Reads a policy and compares it with what was sent last. */
async function readPolicy(t: TestContext, { id, sent }: CreatedItem, form: Form) {
  const exchange = await t.send(operationOf(t, 'readPolicy'), { form, path: { id }, label: 'read the policy' });
  const formats = bodyFormats(t.contract, operationOf(t, 'createPolicy'));
  const { json } = exchange.response ?? {};
  const found = isObject(sent) && isObject(json) ? firstMismatch(sent, json, t.knowledge.members, formats) : undefined;
  return { exchange, mismatch: found?.grade === undefined ? found : undefined };
}

/** A member of the policy as it was sent last, in an update while it was active, that does not read back. */
export async function findUpdateLost(
  t: TestContext,
  policy: CreatedItem,
  form: Form,
  changes: readonly Exchange[],
): Evaluation {
  const { exchange, mismatch } = await readPolicy(t, policy, form);
  if (mismatch === undefined || !isServed(exchange)) return undefined;
  return violationOf('updated-reads-back/member', operationOf(t, 'updatePolicy'), {
    subject: `${mismatch.name} of an active policy`,
    requirement: 'policies.update-stores',
    expected: `${mismatch.name}: ${mismatch.expected}`,
    received: mismatch.received,
    exchanges: [policy.created, ...changes, exchange],
  });
}

/** A member of the policy that a move changed. */
export async function findContentChanged(
  t: TestContext,
  policy: Stored,
  form: Form,
  { move, moved }: Moved,
): Evaluation {
  const { exchange, mismatch } = await readPolicy(t, policy, form);
  if (mismatch === undefined) return undefined;
  return violationOf('activation/changed-content', operationOf(t, move), {
    subject: mismatch.name,
    requirement: 'policies.create-stores',
    expected: `${mismatch.name} unchanged: ${mismatch.expected}`,
    received: mismatch.received,
    exchanges: [policy.created, ...policy.changes, moved, exchange],
  });
}
