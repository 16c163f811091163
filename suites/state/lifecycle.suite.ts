import { create, create as makeItem, uniqueName } from '../../domain/create.ts';
import { sameId } from '../../domain/items.ts';
import type { Resource } from '../../domain/resources.ts';
import { isObject, isServed, isSuccess } from '../../spec/index.ts';
import type { CheckName, Form, Json, JsonObject, Operation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import {
  findDeleted,
  findNotListed,
  findOtherItemChanged,
  findUnreadable,
  findUpdateLost,
} from './lifecycle/read-back.ts';
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
  if (session.knowledge.fullerMembers !== undefined)
    defineForms(
      resource,
      resource.create,
      'lists and maps of an item are stored as they are sent',
      'created-reads-back',
      [...create, ...update],
      storesFuller,
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
  await t.takesEffect(() => findUnreadable(t, item, form));
  await t.takesEffect(() => findNotListed(t, item, form));
}

/** Creates an item with members that a deployment may refuse, and turns the lists among them round in an update. */
async function storesFuller(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { create, replace, idName } = resource;
  const members = await t.knowledge.fullerMembers?.(t, create, uniqueName(t, 'full'));
  if (members === undefined) return t.skip(`no fuller body of ${create.id} is known`);
  const references = await t.knowledge.references(t, create, {});
  const bodyWith = (name: string, more: JsonObject): JsonObject => {
    const sample = t.knowledge.sampleBody(create, name, references);
    return { ...(isObject(sample) ? sample : {}), ...more };
  };
  const item = await makeItem(t, resource, { form, expect: 'any', body: (name) => bodyWith(name, members) });
  if (!(await t.holds(() => findUnreadable(t, item, form))) || replace === undefined) return;
  const turned = Object.entries(members).map(([name, value]) => [name, turnedRound(value)] as const);
  const sent = bodyWith(item.name, Object.fromEntries(turned));
  const changed = await t.send(replace, {
    form,
    path: { [idName]: item.id },
    json: sent,
    label: 'turn the lists round',
  });
  if (isServed(changed)) await t.holds(() => findUpdateLost(t, item, form, { sent, changed }));
}

function turnedRound(value: Json): Json {
  return Array.isArray(value) ? (value as readonly Json[]).toReversed() : value;
}

async function deleted(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const other = await create(t, resource, { form });
  const item = await create(t, resource, { form });
  const path = { [resource.idName]: item.id };
  await t.knowledge.prepare(t, resource.remove, path);
  const removed = await t.send(resource.remove, { form, path, expect: 'success', label: 'delete' });
  if (!isSuccess(removed.response?.status ?? 0)) return;
  await t.takesEffect(() => findDeleted(t, item, form, removed));
  await t.holds(() => findOtherItemChanged(t, other, form, 'deleted-is-gone/other-item', removed));
}
