import { create } from '../../domain/create.ts';
import { sameId } from '../../domain/items.ts';
import type { Resource } from '../../domain/resources.ts';
import { isSuccess } from '../../spec/index.ts';
import type { CheckName, Form, Operation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import {
  findDeleted,
  findNotListed,
  findOtherItemChanged,
  findUnreadable,
  findUsable,
  findWrongResponse,
} from './lifecycle/read-back.ts';
import { keepsWhatItShows } from './lifecycle/shown.ts';
import { sharesName } from './lifecycle/same-name.ts';
import { storesFuller, storesLess } from './lifecycle/fuller.ts';
import { updateItem } from './lifecycle/update.ts';

const session = await openSession();

/** What a service stores is asserted where its document guarantees it, and is a warning where only its responses show it. */
for (const resource of session.knowledge.resources) {
  if (resource.read === undefined) continue;
  if (!session.knowledge.guarantees('storage', resource.create)) {
    defineForms(
      resource,
      resource.create,
      'an item that is shown as it was sent keeps its id, is updated and is gone once it is deleted',
      ['created-reads-back', 'updated-reads-back', 'deleted-is-gone'],
      [],
      keepsWhatItShows,
    );
    continue;
  }
  const { create, update, remove } = session.knowledge.lifecycleRequirements(resource);
  defineForms(
    resource,
    resource.create,
    'a created item can be read and is listed',
    ['created-reads-back'],
    create,
    created,
  );
  if (session.knowledge.fullerMembers !== undefined) {
    defineForms(
      resource,
      resource.create,
      'items can share a name, also with a deleted one',
      ['created-reads-back'],
      create,
      sharesName,
    );
    defineForms(
      resource,
      resource.create,
      'lists, letters and nested members are stored as they are sent',
      ['created-reads-back', 'updated-reads-back'],
      [...create, ...update],
      storesFuller,
    );
  }
  defineForms(
    resource,
    resource.create,
    'an item with its required members only can be read and is listed',
    ['created-reads-back'],
    create,
    storesLess,
  );
  defineForms(resource, resource.remove, 'a deletion removes one item only', ['deleted-is-gone'], remove, deleted);
  if (resource.replace !== undefined)
    defineForms(
      resource,
      resource.replace,
      'an update changes one item only',
      ['updated-reads-back'],
      update,
      updateItem,
    );
}

function defineForms(
  resource: Resource,
  operation: Operation,
  title: string,
  checks: readonly CheckName[],
  requirements: readonly string[],
  body: (t: TestContext, resource: Resource, form: Form) => Promise<void>,
): void {
  for (const form of resource.create.forms) {
    const effects = ['read', 'reversible'] as const;
    defineTest(session, { suite: 'state/lifecycle', title, operation, form, checks, requirements, effects }, (t) =>
      body(t, resource, form),
    );
  }
}

async function created(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const item = await create(t, resource, { form });
  const other = await create(t, resource, { form });
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
  const { stores } = t.knowledge.lifecycleRequirements(resource);
  const wrong = findWrongResponse(t, resource.create, stores, { sent: item.sent, exchange: item.created });
  if (wrong !== undefined) t.report(wrong);
  await t.takesEffect(() => findUnreadable(t, item, form));
  await t.takesEffect(() => findNotListed(t, item, form));
}

async function deleted(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const other = await create(t, resource, { form });
  const item = await create(t, resource, { form });
  const path = { [resource.idName]: item.id };
  await t.knowledge.prepare(t, resource.remove, path);
  const removed = await t.send(resource.remove, { form, path, expect: 'success', label: 'delete' });
  if (!isSuccess(removed.response?.status ?? 0)) return;
  const isGone = await t.takesEffect(() => findDeleted(t, item, form, removed));
  // One request after another: 409 is a right answer to two changes at once.
  if (isGone) await t.holds(() => findUsable(t, item, form, removed));
  await t.holds(() => findOtherItemChanged(t, other, form, 'deleted-is-gone/other-item', removed));
}
