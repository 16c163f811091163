import { create, createdId, uniqueName } from '../../domain/create.ts';
import type { CreatedItem } from '../../domain/create.ts';
import { isUuid, mentions, sameId } from '../../domain/items.ts';
import type { Resource } from '../../domain/resources.ts';
import { isServed, isObject } from '../../spec/index.ts';
import type { CheckName, Exchange, Form, Operation } from '../../spec/index.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { reportViolation, violationOf } from '../kit/violation.ts';
import {
  awaitListed,
  findDeleted,
  findOtherItemChanged,
  otherItem,
  findUnreadable,
  findUsable,
  findWrongResponse,
} from './lifecycle/read-back.ts';
import { checkInferredStorage, checkInnerStorage } from './lifecycle/inferred-storage.ts';
import { findNotListed } from './lifecycle/listed.ts';
import { checkListedRemoval } from './lifecycle/listed-removal.ts';
import { keepsWhatItRefuses } from './lifecycle/refused-deletion.ts';
import { sharesName } from './lifecycle/same-name.ts';
import { storesExtraMembers, storesRequiredMembers } from './lifecycle/extra-members.ts';
import { keepsWhatIsNotUpdated } from './lifecycle/refused-update.ts';
import { updateAgain, updateItem, JSON_TYPES } from './lifecycle/update.ts';

const session = await openSession();

type Body = (t: TestContext, resource: Resource, form: Form) => Promise<void>;
type More = Pick<TestDefinition, 'isLate' | 'isAwaited' | 'isolated' | 'keepsOthers'>;

const CREATED = ['created-reads-back'] as const;
const UPDATED = ['updated-reads-back'] as const;
const DELETED = ['deleted-is-gone'] as const;
const REFUSED = ['refused-changes-nothing'] as const;
const REFUSES = ['errors.refused-changes-nothing'];

const { resources, nested = [], inner = [] } = session.knowledge;

/** Storage is asserted where the document guarantees it. Where only responses show that the service stores items, violations are warnings. */
for (const resource of [...resources, ...nested, ...inner]) {
  const { create, read, replace, remove } = resource;
  const define = (
    operation: Operation,
    title: string,
    checks: readonly CheckName[],
    requirements: readonly string[],
    body: Body,
    more: More = {},
  ): void => {
    for (const form of create.forms) {
      const effects = ['read', 'reversible'] as const;
      const definition = { suite: 'state/lifecycle', title, operation, form, checks, requirements, effects, ...more };
      defineTest(session, { ...definition, run: (t) => body(t, resource, form) });
    }
  };
  const [isStored, isInner] = [session.knowledge.guarantees('storage', create), inner.includes(resource)];
  if (read === undefined) {
    const title = 'a deleted item that was listed is not listed any more';
    if (!isStored) define(remove, title, DELETED, [], isInner ? checkInnerStorage : checkListedRemoval);
    continue;
  }
  if (!isStored) {
    const [title, check] = isInner
      ? ['an item below another one that reads back as sent can be updated and deleted', checkInnerStorage]
      : ['an item that reads back as sent keeps its id and can be updated and deleted', checkInferredStorage];
    define(create, title, [...CREATED, ...UPDATED, ...DELETED], [], check);
    continue;
  }
  const required = session.knowledge.lifecycleRequirements(resource);
  define(create, 'a created item can be read and is listed', CREATED, required.create, created);
  if (session.knowledge.extraMembers !== undefined) {
    const named = 'items can have the same name, also that of a deleted item';
    define(create, named, CREATED, required.create, sharesName, { isLate: true });
    const extra = 'lists, non-ASCII texts and nested members are stored as sent, and such items can be deleted';
    const requirements = [...required.create, ...required.update];
    define(create, extra, [...CREATED, ...UPDATED, ...DELETED], requirements, storesExtraMembers);
  }
  if ((create.body?.content.length ?? 0) > 1) {
    const title = 'items that are created with each media type can be read';
    define(create, title, CREATED, required.create, storesEachType, { isLate: true });
  }
  const title = 'an item with only its required members can be read and is listed';
  define(create, title, CREATED, required.create, storesRequiredMembers);
  define(remove, 'a deletion removes that item only', DELETED, required.remove, deleted, { keepsOthers: true });
  if (session.knowledge.use !== undefined) {
    const checks = [...REFUSED, ...CREATED, ...UPDATED];
    define(remove, 'a refused deletion removes nothing', checks, REFUSES, keepsWhatItRefuses, { isAwaited: true });
  }
  if (replace === undefined) continue;
  define(replace, 'an update changes that item only', UPDATED, required.update, updateItem, { keepsOthers: true });
  const again = 'updates of each media type, and small ones, are stored';
  // Where other tests create items, a list that is stale until then looks like one that is late.
  define(replace, again, UPDATED, required.update, updateAgain, { isLate: true, isolated: true });
  define(replace, 'a refused update changes nothing', REFUSED, REFUSES, keepsWhatIsNotUpdated);
}

async function created(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const item = await create(t, resource, { form });
  const other = await create(t, resource, { form });
  if (sameId(item.id, other.id)) {
    reportViolation(t, 'created-reads-back/same-id', resource.create, {
      requirement: t.knowledge.lifecycleRequirements(resource).distinct,
      expected: 'a new id for each creation',
      received: item.id,
      exchanges: [item.created, other.created],
    });
  }
  const { stores } = t.knowledge.lifecycleRequirements(resource);
  const wrong = findWrongResponse(t, resource.create, stores, { sent: item.sent, exchange: item.created });
  if (wrong !== undefined) t.report(wrong);
  await t.takesEffect((t) => findUnreadable(t, item, form));
  await t.takesEffect((t) => findNotListed(t, item, form));
}

async function deleted(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const other = await otherItem(t, await create(t, resource, { form }), form);
  const item = await create(t, resource, { form });
  await t.knowledge.prepare(t, resource.remove, item.path);
  await awaitListed(t, item, form);
  const removed = await t.send(resource.remove, { form, path: item.path, expect: 'success', label: 'delete' });
  if (!isServed(removed)) return;
  const isGone = await t.takesEffect((t) => findDeleted(t, item, form, removed));
  // One after the other: 409 is allowed for two changes at the same time.
  if (isGone) await t.holds((t) => findUsable(t, item, form, removed));
  if (isGone) await t.holds((t) => findReadableInCapitals(t, item, form, removed));
  const isKept = await t.holds((t) => findOtherItemChanged(t, other, form, 'deleted-is-gone/other-item', removed));
  if (isGone && isKept) await deletedInCapitals(t, other.item, form);
}

/** A deleted item that can be read with its id in capitals, which are the same uuid (RFC 9562). */
async function findReadableInCapitals(
  t: TestContext,
  { resource: { read, remove, idName }, id, name }: CreatedItem,
  form: Form,
  removed: Exchange,
): Evaluation {
  if (read === undefined || !isUuid(id)) return undefined;
  const request = { form, path: { [idName]: id.toUpperCase() }, label: 'read, with the id in capitals' };
  const seen = await t.send(read, { ...request, valid: false });
  if (!isServed(seen) || !mentions(seen.response.json, name)) return undefined;
  const evidence = { expected: 'status 404', received: `status ${seen.response.status}`, exchanges: [removed, seen] };
  return violationOf('deleted-is-gone/readable', remove, { requirement: 'errors.not-found', ...evidence });
}

/** Deletes an item with its id in capitals, which are the same uuid (RFC 9562). A deployment may refuse that. */
async function deletedInCapitals(t: TestContext, item: CreatedItem, form: Form): Promise<void> {
  const { remove, idName } = item.resource;
  const id = item.id.toUpperCase();
  if (!isUuid(item.id) || id === item.id) return;
  await t.knowledge.prepare(t, remove, item.path);
  const removed = await t.send(remove, { form, path: { [idName]: id }, label: 'delete, with the id in capitals' });
  if (isServed(removed)) await t.takesEffect((t) => findDeleted(t, item, form, removed));
}

/** Creates an item with each media type that is the same JSON; each must read back as sent. */
async function storesEachType(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { create } = resource;
  for (const type of JSON_TYPES) {
    const name = uniqueName(t, 'typed');
    const references = await t.knowledge.references(t, create, {});
    const sent = t.knowledge.sampleBody(create, name, references);
    if (!isObject(sent)) return t.skip(`no sample body is known for ${create.id}`);
    const body = { type, content: JSON.stringify(sent) };
    // Which types are accepted is judged by contract/bodies.
    const created = await t.send(create, { form, body, label: `create as ${type}` });
    const id = isServed(created) ? await createdId(t, resource, created) : undefined;
    if (id === undefined) continue;
    const item = { resource, id, path: { [resource.idName]: id }, name, sent, created };
    if (!(await t.holds((t) => findUnreadable(t, item, form)))) return;
  }
}
