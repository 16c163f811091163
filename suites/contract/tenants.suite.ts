import { isSuccess } from '../../spec/index.ts';
import type { Exchange, FindingCode, Operation } from '../../spec/index.ts';
import { create, uniqueName } from '../../domain/create.ts';
import type { CreatedItem } from '../../domain/create.ts';
import { mentions } from '../../domain/items.ts';
import { walk } from '../../domain/read-list.ts';
import type { Resource } from '../../domain/resources.ts';
import { ownDifferences } from '../kit/compare.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { reportViolation } from '../kit/violation.ts';
import { statusOf } from './violations.ts';

const session = await openSession();

for (const resource of session.options.tokens.otherTenant === undefined ? [] : session.knowledge.resources)
  defineTest(session, {
    suite: 'contract/tenants',
    title: 'another tenant cannot read, list or change the items of this one',
    operation: resource.create,
    checks: ['tenant-isolation'],
    requirements: ['auth.tenant-isolation'],
    effects: ['reversible', 'read'],
    run: (t) => isInvisible(t, resource),
  });

async function isInvisible(t: TestContext, resource: Resource): Promise<void> {
  const item = await create(t, resource);
  const { read, list, replace, remove } = resource;
  if (list !== undefined) await isUnlisted(t, list, item);
  if (read === undefined) return;
  await isUnreadable(t, read, item);
  const json = replace && t.knowledge.sampleBody(replace, uniqueName(t));
  if (replace !== undefined && json !== undefined) await isUnchanged(t, read, replace, item, { json });
  await isUnchanged(t, read, remove, item, {});
}

/** Sends a request with the token of the other tenant. */
function asOther(t: TestContext, operation: Operation, request: RequestSpec): Promise<Exchange> {
  return t.send(operation, { ...request, identity: 'otherTenant', label: 'with the token of another tenant' });
}

function report(
  t: TestContext,
  code: FindingCode,
  operation: Operation,
  received: string,
  exchanges: readonly Exchange[],
): void {
  reportViolation(t, code, operation, {
    requirement: 'auth.tenant-isolation',
    expected: 'no access to the items of another tenant',
    received,
    exchanges,
  });
}

async function isUnreadable(t: TestContext, read: Operation, { id, path, created }: CreatedItem): Promise<void> {
  const seen = await asOther(t, read, { path });
  if (isSuccess(statusOf(seen)) && mentions(seen.response?.json, id))
    report(t, 'tenant-isolation/readable', read, `status ${statusOf(seen)} and the item`, [created, seen]);
}

async function isUnlisted(t: TestContext, list: Operation, { id, created }: CreatedItem): Promise<void> {
  const label = 'with the token of another tenant';
  const listed = await walk(t, list, { identity: 'otherTenant', valid: false, label });
  const page = listed?.pages.find((each) => mentions(each.response?.json, id));
  if (page !== undefined) report(t, 'tenant-isolation/listed', list, `a list with ${id}`, [created, page]);
}

/** Only a change is a violation: the status of the response is not documented. */
async function isUnchanged(
  t: TestContext,
  read: Operation,
  write: Operation,
  { path }: CreatedItem,
  request: RequestSpec,
): Promise<void> {
  const before = await t.send(read, { path, label: 'read the item' });
  if (statusOf(before) !== 200) return;
  const attempt = await asOther(t, write, { ...request, path });
  if (!isSuccess(statusOf(attempt))) return;
  const after = await t.send(read, { path, label: 'read the item again' });
  const changed = statusOf(after) !== 200 || ownDifferences(t, before, after).length > 0;
  if (changed)
    report(t, 'tenant-isolation/changed', write, `status ${statusOf(attempt)}, and the item has changed`, [
      before,
      attempt,
      after,
    ]);
}
