import { create, uniqueName } from '../../../domain/create.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { ifSkipped } from '../../../domain/context.ts';
import { memberOf } from '../../../domain/items.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Form, Json, JsonObject } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { findCreatedTwice, findListedAsBefore, findNotListed } from './listed.ts';
import { findDeleted, findUnreadable, findUpdateLost } from './read-back.ts';

/** The resource and form of a test, and its bodies with extra members. */
interface Subject {
  readonly t: TestContext;
  readonly resource: Resource;
  readonly form: Form;
  /** The plain body with that name and extra members. */
  readonly bodyWith: (name: string, members: JsonObject) => JsonObject;
}

/** Creates items with members that a deployment may refuse, and updates them with such members. */
export async function storesExtraMembers(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const references = await t.knowledge.references(t, resource.create, {});
  const bodyWith: Subject['bodyWith'] = (name, members) => {
    const sample = t.knowledge.sampleBody(resource.create, name, references);
    const more = typeof members['name'] === 'string' ? { ...members, name: `${name}${members['name']}` } : members;
    return { ...(isObject(sample) ? sample : {}), ...more };
  };
  const subject = { t, resource, form, bodyWith };
  const sets = (await t.knowledge.extraMembers?.(t, resource.create, uniqueName(t, 'full'))) ?? {};
  const plain = await create(t, resource, { form });
  const [isUpdated, ...items] = await Promise.all([
    updateInTurn(subject, plain, sets),
    ...Object.entries(sets).map(([what, members]) => createAndReverse(subject, what, members)),
  ]);
  if (!isUpdated || items.includes(null)) return;
  const created = items.filter((item) => isObject(item));
  if (!(await t.holds((t) => findCreatedTwice(t, resource, form, created)))) return;
  if ((await Promise.all(created.map((item) => isRemoved(t, item, form)))).includes(false)) return;
  if (!(await shortensLists(subject, plain, sets))) return;
  const all = Object.values(sets).reduce((some, each) => ({ ...some, ...each }), bodyWith(plain.name, {}));
  if (!(await update(subject, plain, 'empty the lists', emptied(all, Array.isArray, [])))) return;
  const { name: _name, ...texts } = sets['texts'] ?? {};
  await update(
    subject,
    plain,
    'empty the texts',
    emptied(texts, (value) => typeof value === 'string', ''),
  );
}

/** Updates an item with each set of members; false where a violation was reported. */
async function updateInTurn(
  subject: Subject,
  item: CreatedItem,
  sets: Readonly<Record<string, JsonObject>>,
): Promise<boolean> {
  for (const [what, members] of Object.entries(sets))
    if (!(await update(subject, item, `update: ${what}`, members))) return false;
  return true;
}

/** Creates an item with these members, then reverses their lists; undefined where it is refused, null where a violation was reported. */
async function createAndReverse(
  subject: Subject,
  what: string,
  members: JsonObject,
): Promise<CreatedItem | null | undefined> {
  const item = await createWith(subject, what, members);
  if (!item) return item;
  return (await update(subject, item, 'reverse the lists', withReversedLists(members))) ? item : null;
}

/** Deletes an item, where that is not refused; false where it is still there. */
async function isRemoved(t: TestContext, item: CreatedItem, form: Form): Promise<boolean> {
  const removed = await t.send(item.resource.remove, { form, path: item.path, label: 'delete' });
  return !isServed(removed) || t.holds((t) => findDeleted(t, item, form, removed));
}

/** Updates an item with lists, and then with shorter ones; false where a violation was reported. */
async function shortensLists(subject: Subject, item: CreatedItem, sets: Readonly<Record<string, JsonObject>>) {
  const { lists = {} } = sets;
  const shorter = Object.entries(lists).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, 1) : value,
  ]);
  if (!Object.values(lists).some((value) => Array.isArray(value) && value.length > 1)) return true;
  return (
    (await update(subject, item, 'update: lists', lists)) &&
    update(subject, item, 'shorten the lists', Object.fromEntries(shorter) as JsonObject)
  );
}

/** Creates an item; undefined where it is refused, null where a violation was reported. */
async function createWith(
  { t, resource, form, bodyWith }: Subject,
  what: string,
  members: JsonObject,
): Promise<CreatedItem | null | undefined> {
  const options = { form, expect: 'any', label: `create: ${what}` } as const;
  const item = await create(t, resource, { ...options, body: (name) => bodyWith(name, members) }).catch(ifSkipped);
  if (item === undefined) return undefined;
  return (await t.holds((t) => findUnreadable(t, item, form))) ? item : null;
}

/** Updates an item; false where a violation was reported. */
async function update(
  { t, resource, form, bodyWith }: Subject,
  item: CreatedItem,
  label: string,
  members: JsonObject,
): Promise<boolean> {
  const { replace } = resource;
  if (replace === undefined) return true;
  const sent = bodyWith(item.name, members);
  const changed = await t.send(replace, { form, path: item.path, json: sent, label });
  if (!isServed(changed)) return true;
  const isStored = await t.holds((t) => findUpdateLost(t, item, form, { sent, changed }));
  const hasFlags = Object.values(members).some((each) => typeof each === 'boolean');
  return isStored && (!hasFlags || t.holds((t) => findListedAsBefore(t, item, form, { sent, changed })));
}

/** The lists in reverse. The members `order` stay in their places: a deployment may sort by them. */
export function withReversedLists(members: JsonObject): JsonObject {
  const reversed = (list: readonly Json[]): readonly Json[] =>
    list.toReversed().map((item, at) => {
      const order = memberOf(list[at], 'order');
      return isObject(item) && order !== undefined ? { ...item, order } : item;
    });
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, Array.isArray(value) ? reversed(value) : value]),
  );
}

function emptied(members: JsonObject, isOfKind: (value: Json) => boolean, empty: Json): JsonObject {
  const some = Object.entries(members).filter(([, value]) => isOfKind(value));
  return Object.fromEntries(some.map(([name]) => [name, empty]));
}

/** Creates an item with only its name and the members that the description requires. */
export async function storesRequiredMembers(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const required = new Set(requiredOf(t, resource));
  const references = await t.knowledge.references(t, resource.create, {});
  const body = (name: string): Json => {
    const sample = t.knowledge.sampleBody(resource.create, name, references);
    const members = Object.entries(isObject(sample) ? sample : {});
    return Object.fromEntries(members.filter(([key, value]) => required.has(key) || value === name));
  };
  const item = await create(t, resource, { form, expect: 'any', body });
  await t.holds((t) => findUnreadable(t, item, form));
  await t.holds((t) => findNotListed(t, item, form));
}

function requiredOf(t: TestContext, { create: operation }: Resource): readonly string[] {
  const sent = operation.body?.content[0]?.schema;
  const schema = sent === undefined ? undefined : t.contract.resolve(sent).schema;
  const required = typeof schema === 'object' ? schema['required'] : undefined;
  return Array.isArray(required) ? required.filter((each): each is string => typeof each === 'string') : [];
}
