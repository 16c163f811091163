import { randomUUID } from 'node:crypto';
import { growingPauses, poll, settled } from '../../../domain/context.ts';
import { showsNothing } from '../../../domain/create.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { idOf, isDescribed, itemIn, itemsIn, memberOf, sameId } from '../../../domain/items.ts';
import { pageWith, searchParameterOf, walkUntil } from '../../../domain/read-list.ts';
import type { Walk } from '../../../domain/read-list.ts';
import { isObject, isServed, isSuccess } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Form, Json, JsonObject, Operation, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { bodyFormats } from '../../kit/formats.ts';
import { firstMismatch } from '../../kit/read-back.ts';
import { violationOf } from '../../kit/violation.ts';

/** How an item that was read differs from what was sent. */
interface Difference {
  readonly kind: 'not-readable' | 'other-id' | 'member' | 'respelled';
  readonly member?: string;
  readonly grade?: 'inferred';
  readonly expected: string;
  readonly received: string;
  readonly exchange: Exchange;
}

async function compareWithSent(
  t: TestContext,
  { resource, id, path }: CreatedItem,
  form: Form,
  sent: Json,
  accept?: string,
): Promise<Difference | undefined> {
  if (resource.read === undefined) return undefined;
  const label = accept === undefined ? 'read' : `read as ${accept}`;
  const request = { form, path, label, ...(accept === undefined ? {} : { accept }) };
  const exchange = await t.send(resource.read, request);
  const json = itemIn(exchange.response?.json, id);
  if (showsNothing(resource.read, exchange)) return undefined;
  if (!isServed(exchange) || !isObject(json)) {
    const { status = 'none' } = exchange.response ?? {};
    const received = isServed(exchange) ? `status ${status} and a body that is not an item` : `status ${status}`;
    return { kind: 'not-readable', expected: 'status 200 and the item', received, exchange };
  }
  const shown = idOf(json);
  if (shown !== undefined && !sameId(shown, id)) {
    return { kind: 'other-id', expected: id, received: shown, exchange };
  }
  const formats = bodyFormats(t.contract, resource.create);
  const compared = comparableWith(json, sent, resource.read);
  const missing = isObject(compared) ? firstMismatch(compared, json, t.knowledge.members, formats) : undefined;
  if (missing === undefined) return undefined;
  return { ...missing, kind: missing.isRespelled ? 'respelled' : 'member', member: missing.name, exchange };
}

/**
 * The members that were sent, as far as a body shows them. One that the description does not show may hold them elsewhere, or in
 * another form: a member of another JSON type is not compared there.
 */
function comparableWith(shown: JsonObject, sent: Json, read: Operation): Json {
  if (isDescribed(read) || !isObject(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => isOfOneType(memberOf(shown, name), value)));
}

/** Null is of every type. */
function isOfOneType(shown: Json | undefined, sent: Json): boolean {
  const typeOf = (value: Json | undefined): string => (Array.isArray(value) ? 'array' : typeof value);
  return [shown, sent].includes(null) || typeOf(shown) === typeOf(sent);
}

/** True for an item that shows none of these members, but its id, for example: which fields a response has is not documented. */
export function isBrief(shown: JsonObject, members: readonly string[]): boolean {
  const names = new Set(members.map((name) => name.toLowerCase()));
  return idOf(shown) !== undefined && !Object.keys(shown).some((name) => names.has(name.toLowerCase()));
}

/** A response with a documented body that does not show the item as it was sent. */
export function findWrongResponse(
  t: TestContext,
  operation: Operation,
  requirement: string | undefined,
  { sent, exchange }: { readonly sent: Json; readonly exchange: Exchange },
): Violation | undefined {
  const shown = exchange.response?.json;
  if (!isDescribed(operation) || !isObject(shown) || !isObject(sent) || isBrief(shown, Object.keys(sent)))
    return undefined;
  const missing = firstMismatch(sent, shown, t.knowledge.members, bodyFormats(t.contract, operation));
  if (missing === undefined) return undefined;
  const { name: subject, grade, expected, received } = missing;
  const check = operation.method === 'POST' ? 'created-reads-back' : 'updated-reads-back';
  const kind = missing.isRespelled ? 'respelled' : 'response';
  const evidence = { subject, requirement, grade, expected, received, exchanges: [exchange] };
  return violationOf(`${check}/${kind}`, operation, evidence);
}

/** A new item that cannot be read as it was sent. */
export async function findUnreadable(t: TestContext, item: CreatedItem, form: Form): Evaluation {
  const difference = await compareWithSent(t, item, form, item.sent);
  if (difference === undefined) return undefined;
  const { kind, member, grade, expected, received, exchange } = difference;
  const { create, read = create } = item.resource;
  const operation = member === undefined ? read : create;
  const requirement = member === undefined ? undefined : t.knowledge.lifecycleRequirements(item.resource).stores;
  const exchanges = [item.created, exchange];
  const evidence = { subject: member, requirement, grade, expected, received, exchanges };
  return violationOf(`created-reads-back/${kind}`, operation, evidence);
}

/** An updated item that cannot be read as it was sent with `changed`. `accept`: the media type in which it is read. */
export async function findUpdateLost(
  t: TestContext,
  item: CreatedItem,
  form: Form,
  { sent, changed, accept }: { readonly sent: Json; readonly changed: Exchange; readonly accept?: string },
): Evaluation {
  const difference = await compareWithSent(t, item, form, sent, accept);
  if (difference === undefined) return undefined;
  const { kind, member, grade, expected, received, exchange } = difference;
  return violationOf(`updated-reads-back/${kind}`, item.resource.replace ?? item.resource.create, {
    subject: member,
    requirement: t.knowledge.lifecycleRequirements(item.resource).update[0],
    grade,
    expected,
    received,
    exchanges: [changed, exchange],
  });
}

/** An item, and how it differed from what was sent before another item was changed or deleted. */
export interface OtherItem {
  readonly item: CreatedItem;
  readonly before: Difference | undefined;
}

/** Reads an item that a change or deletion of another one must leave as it is. */
export async function otherItem(t: TestContext, item: CreatedItem, form: Form): Promise<OtherItem> {
  const read = (): Promise<Difference | undefined> => compareWithSent(t, item, form, item.sent);
  const isDone = (difference?: Difference): boolean => difference === undefined || difference.kind === 'respelled';
  const before = await poll(read, isDone, growingPauses(t.settleMs));
  return { item, before };
}

/** Another item that a change or a deletion has changed. */
export async function findOtherItemChanged(
  t: TestContext,
  { item, before }: OtherItem,
  form: Form,
  code: FindingCode & `${string}/other-item`,
  changed: Exchange,
): Evaluation {
  const difference = await compareWithSent(t, item, form, item.sent);
  if (difference === undefined || difference.kind === 'respelled') return undefined;
  // What its creation did is reported where items are created.
  if (before?.kind === difference.kind && before.member === difference.member) return undefined;
  const { resource, created } = item;
  const { update, remove } = t.knowledge.lifecycleRequirements(resource);
  const [operation, requirement] =
    code === 'deleted-is-gone/other-item'
      ? [resource.remove, remove[0]]
      : [resource.replace ?? resource.create, update[0]];
  const { expected, received, exchange } = difference;
  return violationOf(code, operation, { requirement, expected, received, exchanges: [created, changed, exchange] });
}

/** True where an id that no item ever had is answered with the same status. */
async function answersUnknown(
  t: TestContext,
  read: Operation,
  form: Form,
  { idName, status }: { readonly idName: string; readonly status: number },
): Promise<boolean> {
  const { response } = await t.send(read, { form, path: { [idName]: randomUUID() }, label: 'read an unknown id' });
  return response?.status === status;
}

/** A deleted item that can still be read or is still listed. */
export async function findDeleted(
  t: TestContext,
  { resource, id, path, name }: CreatedItem,
  form: Form,
  removed: Exchange,
): Evaluation {
  const { read, list, remove, idName } = resource;
  const [requirement] = t.knowledge.lifecycleRequirements(resource).remove;
  const seen = read === undefined ? undefined : await t.send(read, { form, path, label: 'read' });
  const { status } = seen?.response ?? {};
  if (read !== undefined && seen !== undefined && status !== undefined && status !== 404 && status < 500) {
    const evidence = { requirement, expected: 'status 404', received: `status ${status}`, exchanges: [removed, seen] };
    const isGone = !isSuccess(status) || (await answersUnknown(t, read, form, { idName, status }));
    if (!isGone) return violationOf('deleted-is-gone/readable', remove, evidence);
    if (t.knowledge.guarantees('statuses', read))
      return violationOf('deleted-is-gone/status', read, { ...evidence, subject: String(status) });
  }
  if (list === undefined) return undefined;
  const shown = await pageListing(t, list, { id, name }, form);
  if (shown === undefined) return undefined;
  const evidence = { requirement, expected: `${name} is not in the list`, received: 'it is in the list' };
  return violationOf('deleted-is-gone/listed', list, { ...evidence, exchanges: [removed, shown] });
}

/** The response with the item, of a search for its name or of its list. */
async function pageListing(
  t: TestContext,
  list: Operation,
  item: Pick<CreatedItem, 'id' | 'name'>,
  form: Form,
): Promise<Exchange | undefined> {
  return (await searchFor(t, list, item, form)) ?? findListed(t, list, item.id, form);
}

/** Waits until the list of an item shows it: before that, a deletion cannot be seen in a list that lags behind. */
export async function awaitListed(t: TestContext, item: CreatedItem, form: Form): Promise<void> {
  const { list } = item.resource;
  if (list !== undefined) await settled(t, async () => (await pageListing(t, list, item, form)) !== undefined);
}

/** The page of a list that shows an item. */
async function findListed(t: TestContext, list: Operation, id: string, form: Form): Promise<Exchange | undefined> {
  const isListed = ({ ids }: Walk): boolean => ids.includes(id.toLowerCase());
  const all = await walkUntil(t, list, { form }, isListed);
  return all !== undefined && isListed(all) ? pageWith(all, id) : undefined;
}

/** The search for an item by its name, if it finds the item: its page does not depend on other items. */
async function searchFor(
  t: TestContext,
  list: Operation,
  { id, name }: Pick<CreatedItem, 'id' | 'name'>,
  form: Form,
): Promise<Exchange | undefined> {
  const search = searchParameterOf(list);
  if (search === undefined) return undefined;
  const found = await t.send(list, { form, query: { [search]: name }, label: 'search for it' });
  return itemsIn(found)?.some((item) => sameId(idOf(item), id)) === true ? found : undefined;
}

/** A deletion, a change or another call of an item that treats a deleted one as existing. */
export async function findUsable(
  t: TestContext,
  { resource, path, name, sent }: CreatedItem,
  form: Form,
  removed: Exchange,
): Evaluation {
  const { remove, replace, patch } = resource;
  const base = `${remove.path}/`;
  const calls = t.contract.operations.filter(
    (each) => each.method !== 'GET' && each.path.startsWith(base) && !each.path.includes('{', base.length),
  );
  const uses = [replace, patch, ...calls].filter((each) => each !== undefined && t.allows(each.effect));
  const otherForms = remove.forms.filter((each) => each.name !== form.name);
  for (const { operation, through } of [
    ...[remove, ...uses].map((each) => ({ operation: each ?? remove, through: form })),
    ...otherForms.map((each) => ({ operation: remove, through: each })),
  ]) {
    const allowed = t.knowledge.unknownIdStatuses?.(operation) ?? [404];
    const json = operation === replace ? sent : t.knowledge.sampleBody(operation, name, {});
    const body = operation.body === undefined || json === undefined ? {} : { json };
    const request = { form: through, path, ...body };
    const exchange = await t.send(operation, { ...request, valid: false, label: 'use the deleted item' });
    const status = exchange.response?.status ?? 0;
    if (status === 0 || status >= 500 || allowed.length === 0 || allowed.includes(status)) continue;
    // The body may be refused before the item is looked for.
    if (operation.body !== undefined && !isSuccess(status)) continue;
    return violationOf(isSuccess(status) ? 'deleted-is-gone/served' : 'deleted-is-gone/status', operation, {
      subject: isSuccess(status) ? undefined : String(status),
      requirement: 'errors.not-found',
      expected: 'status 404',
      received: `status ${status}`,
      exchanges: [removed, exchange],
    });
  }
  return undefined;
}
