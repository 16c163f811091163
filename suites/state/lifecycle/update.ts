import { create } from '../../../domain/create.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { isUuid, itemIn, memberOf } from '../../../domain/items.ts';
import { walk } from '../../../domain/read-list.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isObject, isServed, responseFor } from '../../../spec/index.ts';
import type { Exchange, Form, JsonObject, Operation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { isDocumentedAsSame } from '../../kit/media-types.ts';
import { violationOf } from '../../kit/violation.ts';
import { findListedAsBefore } from './listed.ts';
import { findOtherItemChanged, findUpdateLost, findWrongResponse, otherItem } from './read-back.ts';

/** An item that is updated several times. */
interface Updated {
  readonly item: CreatedItem;
  readonly replace: Operation;
  readonly form: Form;
  readonly requirement: string | undefined;
}

/** Name of the member that holds a map with the client's own keys, where there is one. */
const MAP = 'metadata';

/** Media types of the same JSON. */
export const JSON_TYPES = [
  'application/json',
  'text/json',
  'application/json-patch+json',
  'application/vnd.assay+json',
];

/** Small changes, which a lax comparison does not detect. */
const SMALL_CHANGES: Readonly<Record<string, (text: string) => string>> = {
  'in upper case': (text) => text.toUpperCase(),
  'in lower case': (text) => text.toLowerCase(),
  'with one more space': (text) => text.replace(/.$/, ' $&'),
  'with an accented letter': (text) => `${text}\u00E9`,
  'with a combining accent': (text) => `${text}e\u0301`,
  'without the last letter': (text) => text.slice(0, -1),
};

/** Updates an item; the update must be stored, and another item stays as it is. */
export async function updateItem(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { replace } = resource;
  if (replace === undefined) return;
  const other = await otherItem(t, await create(t, resource, { form }), form);
  const { updated, body } = await itemToUpdate(t, resource, replace, form);
  const { item, requirement } = updated;
  // Fills a cache of the deployment: a stale list afterwards is a violation.
  if (resource.list !== undefined) await walk(t, resource.list, { form });
  const { path } = item;
  const types = await typesRead(t, item, form);
  const changed = await t.send(replace, { form, path, json: body, expect: 'success', label: 'update' });
  if (!isServed(changed)) return;
  const isShown = await t.takesEffect((t) => findUpdateLost(t, item, form, { sent: body, changed }));
  for (const accept of isShown ? types : [])
    await t.holds((t) => findUpdateLost(t, item, form, { sent: body, changed, accept }));
  const wrong = findWrongResponse(t, replace, requirement, { sent: body, exchange: changed });
  if (wrong !== undefined) t.report(wrong);
  await t.holds((t) => findListedAsBefore(t, item, form, { sent: body, changed }));
  await t.holds((t) => findKeptKey(t, updated, body, changed));
  // It changes nothing: a service may find nothing to store, and must not fail.
  const again = await t.send(replace, { form, path, json: body, label: 'the same update again' });
  if (isServed(again)) await t.holds((t) => findUpdateLost(t, item, form, { sent: body, changed: again }));
  await t.holds((t) => findOtherItemChanged(t, other, form, 'updated-reads-back/other-item', changed));
}

/** Reads the item in each further media type that the API document offers for the same JSON: a cache may hold one response for each. */
async function typesRead(
  t: TestContext,
  { resource: { read }, path }: CreatedItem,
  form: Form,
): Promise<readonly string[]> {
  if (read === undefined) return [];
  const types = (responseFor(read, 200)?.content ?? []).map(({ type }) => type).filter(isDocumentedAsSame(t.contract));
  for (const accept of types) await t.send(read, { form, path, accept, label: `read as ${accept}` });
  return types;
}

/** Updates an item several times, with each media type and with small changes; each update must be stored. */
export async function updateAgain(t: TestContext, resource: Resource, form: Form): Promise<void> {
  if (resource.replace === undefined) return;
  const { updated, body } = await itemToUpdate(t, resource, resource.replace, form);
  await updateWithEachType(t, updated, body);
  await updateSlightly(t, updated, body);
  await updateInCapitals(t, updated, body);
  await emptyMap(t, updated, body);
}

/** A new item and the body of its first update. */
async function itemToUpdate(
  t: TestContext,
  resource: Resource,
  replace: Operation,
  form: Form,
): Promise<{ readonly updated: Updated; readonly body: JsonObject }> {
  const item = await create(t, resource, { form });
  await t.knowledge.prepare(t, replace, item.path);
  const [requirement] = t.knowledge.lifecycleRequirements(resource).update;
  const references = await t.knowledge.references(t, replace, item.path);
  const sample = t.knowledge.sampleBody(replace, `${item.name}-again`, references);
  if (!isObject(sample)) return t.skip(`no sample body is known for ${replace.id}`);
  const map = isObject(sample[MAP]) ? { [MAP]: { 'assay-again': item.name } } : {};
  const body = withText({ ...sample, ...map }, `Changed by Assay (${item.name}).`);
  return { updated: { item, replace, form, requirement }, body };
}

/** Changes the texts of several words, and the description, or else the first member that holds a text. */
function withText(body: JsonObject, text: string): JsonObject {
  const texts = Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []));
  const first = 'description' in body ? 'description' : texts[0]?.name;
  const changed = texts.filter(({ name, value }) => name === first || value.includes(' '));
  return { ...body, ...Object.fromEntries(changed.map(({ name }) => [name, text])) };
}

function putAs(t: TestContext, { item, replace, form }: Updated, json: JsonObject, type: string): Promise<Exchange> {
  const body = { type, content: JSON.stringify(json) };
  return t.send(replace, { form, path: item.path, body, label: `update again, as ${type}` });
}

async function updateWithEachType(t: TestContext, updated: Updated, body: JsonObject): Promise<void> {
  const { item, form } = updated;
  let before: JsonObject | undefined;
  for (const [at, type] of JSON_TYPES.entries()) {
    // JSON is UTF-8 in every media type (RFC 8259, section 8.1).
    const sent = withText(body, `Changed by Assay (${item.name}) again (${at + 1}, \u00E9\u65E5).`);
    const changed = await putAs(t, updated, sent, type);
    // contract/bodies judges whether the type is accepted.
    if (!isServed(changed)) continue;
    if (!(await t.takesEffect((t) => findUpdateLost(t, item, form, { sent, changed })))) return;
    // The name stays the same from the second update on: a list must show the other members nevertheless.
    const shown = before;
    if (shown !== undefined)
      await t.holds((t) => findListedAsBefore(t, { ...item, sent: shown }, form, { sent, changed }));
    before = sent;
  }
}

/** Updates an item by its id in capitals, which are the same uuid (RFC 9562). A deployment may refuse that. */
async function updateInCapitals(t: TestContext, { item, replace, form }: Updated, body: JsonObject): Promise<void> {
  const id = item.id.toUpperCase();
  if (!isUuid(item.id) || id === item.id) return;
  const sent = withText(body, `Changed by Assay (${item.name}), with the id in capitals.`);
  const path = { [item.resource.idName]: id };
  const changed = await t.send(replace, { form, path, json: sent, label: 'update, with the id in capitals' });
  if (isServed(changed)) await t.takesEffect((t) => findUpdateLost(t, item, form, { sent, changed }));
}

async function updateSlightly(t: TestContext, updated: Updated, body: JsonObject): Promise<void> {
  const { item, replace, form } = updated;
  for (const [what, change] of Object.entries(SMALL_CHANGES)) {
    const members = Object.entries(body).map(([name, value]) =>
      typeof value === 'string' && value.includes(item.name) ? [name, change(value)] : [name, value],
    );
    const sent = Object.fromEntries(members) as JsonObject;
    const changed = await t.send(replace, { form, path: item.path, json: sent, label: `update: the texts ${what}` });
    // Which texts are valid is not documented.
    if (!isServed(changed)) continue;
    if (!(await t.holds((t) => findUpdateLost(t, item, form, { sent, changed })))) return;
  }
}

async function emptyMap(t: TestContext, updated: Updated, body: JsonObject): Promise<void> {
  const { item, replace, form } = updated;
  if (!isObject(body[MAP])) return;
  const sent = { ...body, [MAP]: {} };
  const label = `update: ${MAP} without entries`;
  const changed = await t.send(replace, { form, path: item.path, json: sent, label });
  const before = { ...updated, item: { ...item, sent: body } };
  if (isServed(changed)) await t.holds((t) => findKeptKey(t, before, sent, changed));
}

/** A map that is sent again replaces all keys: what PUT means (RFC 9110, 9.3.4), but not stated by the API document. */
async function findKeptKey(
  t: TestContext,
  { item, replace, form, requirement }: Updated,
  sent: JsonObject,
  changed: Exchange,
): Evaluation {
  const { read } = item.resource;
  const [before, now] = [isObject(item.sent) ? item.sent[MAP] : undefined, sent[MAP]];
  if (read === undefined || !isObject(before) || !isObject(now)) return undefined;
  const exchange = await t.send(read, { form, path: item.path, label: 'read' });
  const shown = memberOf(itemIn(exchange.response?.json, item.id), MAP);
  const kept = Object.keys(before).find((key) => now[key] === undefined && isObject(shown) && shown[key] !== undefined);
  if (kept === undefined) return undefined;
  return violationOf('updated-reads-back/kept-key', replace, {
    subject: MAP,
    requirement,
    grade: 'inferred',
    expected: `${MAP} ${JSON.stringify(now)}`,
    received: JSON.stringify(shown),
    exchanges: [item.created, changed, exchange],
  });
}
