import { sameId } from '../../domain/items.ts';
import { createWithReferences } from '../../domain/requests.ts';
import type { Resource } from '../../domain/resources.ts';
import { isSuccess } from '../../spec/index.ts';
import type { CheckName, Form, Operation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { findDeleted, findNotListed, findOtherItemChanged, findUnreadable } from './lifecycle/read-back.ts';
import { updateItem } from './lifecycle/update.ts';

const session = await openSession();

/** Runs for any API whose knowledge guarantees that it stores what it is given. */
for (const resource of session.knowledge.resources) {
  if (resource.read === undefined || !session.knowledge.guarantees('storage', resource.create)) continue;
  const { create, update, remove } = session.knowledge.lifecycleRequirements(resource);
  defineForms(
    resource,
    resource.create,
    'a created item can be read and is listed',
    'created-reads-back',
    create,
    created,
  );
  defineForms(resource, resource.remove, 'a deletion removes one item only', 'deleted-is-gone', remove, deleted);
  if (resource.replace !== undefined)
    defineForms(
      resource,
      resource.replace,
      'an update changes one item only',
      'updated-reads-back',
      update,
      updateItem,
    );
}

function defineForms(
  resource: Resource,
  operation: Operation,
  title: string,
  check: CheckName,
  requirements: readonly string[],
  body: (t: TestContext, resource: Resource, form: Form) => Promise<void>,
): void {
  for (const form of resource.create.forms) {
    const effects = ['read', 'reversible'] as const;
    defineTest(
      session,
      { suite: 'state/lifecycle', title, operation, form, checks: [check], requirements, effects },
      (t) => body(t, resource, form),
    );
  }
}

async function created(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const item = await createWithReferences(t, resource, { form });
  const other = await createWithReferences(t, resource, { form });
  if (sameId(item.id, other.id)) {
    t.report(
      violationOf('created-reads-back/same-id', resource.create, {
        requirement: t.knowledge.lifecycleRequirements(resource).distinct,
        expected: 'a new id for each creation',
        received: item.id,
        exchanges: [item.created, other.created],
      }),
    );
  }
  await t.holds(() => findUnreadable(t, item, form));
  await t.holds(() => findNotListed(t, item, form));
}

async function deleted(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const other = await createWithReferences(t, resource, { form });
  const item = await createWithReferences(t, resource, { form });
  const path = { [resource.idName]: item.id };
  const removed = await t.send(resource.remove, { form, path, expect: 'success', label: 'delete' });
  if (!isSuccess(removed.response?.status ?? 0)) return;
  await t.holds(() => findDeleted(t, item, form, removed));
  await t.holds(() => findOtherItemChanged(t, other, form, 'deleted-is-gone/other-item', removed));
}
