import { create } from '../../../domain/create.ts';
import { bodyContent } from '../../../generators/index.ts';
import { idInResponse } from '../../../domain/id-in-response.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { ifSkipped, readUntil } from '../../../domain/context.ts';
import { areOwn, below, sameValues } from '../../../domain/inner-items.ts';
import { ownParents } from '../../../domain/inferred/references.ts';
import { pathValues } from '../../../domain/path-values.ts';
import { idForPath, isUuid, itemsIn, mentions, sameId } from '../../../domain/items.ts';
import type { BodyReferences } from '../../../domain/knowledge.ts';
import type { Resource } from '../../../domain/resources.ts';
import { defined } from '../../../spec/defined.ts';
import { spellsId } from '../../../spec/id-member.ts';
import { isObject, isServed, parsedJson } from '../../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation, Parameter, Violation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { describesMember } from '../../kit/schema-parts.ts';
import { findReadable } from '../../kit/still-readable.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Evidence } from '../../kit/violation.ts';
import { checkListedRemoval } from './listed-removal.ts';
import { findMemberLost, membersOf, membersOfCallers, namesAt } from './inferred-members.ts';

/** An item of which a read showed the unique text that was sent: the service, unlike a mock, stores what it is sent. */
interface Shown {
  readonly t: TestContext;
  readonly item: CreatedItem;
  readonly form: Form;
  readonly read: Operation;
}

/**
 * For APIs whose document does not guarantee storage. Where a read shows a new item as sent, it must also show its id and its update,
 * and must not find it after its deletion. Skips the test where the read does not show the item as sent.
 */
export async function checkInferredStorage(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { read } = resource;
  if (read === undefined) return;
  const item = await create(t, resource, { form });
  const shown = { t, item, form, read };
  const seen = await readItem(shown);
  if (!showsText(seen, item.name)) return t.skip(`${read.id} does not show what ${resource.create.id} was sent`);
  reportOtherId(shown, seen);
  await checkOtherParent(shown);
  await checkUpdates(shown);
  await checkMembers(shown);
  await checkStaleVersions(shown);
  await checkRemoval(shown);
}

/** {@link checkInferredStorage} for items below one of the run. */
export async function checkInnerStorage(t: TestContext, resource: Resource, form: Form): Promise<void> {
  if (resource.read === undefined) {
    const parents = Object.values(await pathValues(t, resource.create, 'fresh'));
    if (!(await areOwn(t, parents))) t.skip(`${resource.create.id} adds to an item that this run did not create`);
    return checkListedRemoval(below(t, parents), resource, form);
  }
  await checkInferredStorage(below(t, Object.values(await ownParents(t, resource.create))), resource, form);
}

/** Reads an item below an item of the run that it was not added to. */
async function checkOtherParent(shown: Shown): Promise<void> {
  const { t, item, form, read } = shown;
  const { create: creation, idName } = item.resource;
  if (!creation.path.includes('{') || creation.path.split('{').length >= read.path.split('{').length) return;
  const parents = await pathValues(t, creation, 'fresh').catch(ifSkipped);
  if (parents === undefined) return;
  const path = { ...sameValues(read.path, Object.values(parents)), [idName]: item.id };
  const seen = await t.send(read, { form, path, valid: false, label: 'read it below another item' });
  if (showsText(seen, item.name))
    report(shown, 'created-reads-back/other-parent', read, {
      expected: 'status 404',
      received: `status ${seen.response?.status ?? 'none'} and the item`,
      exchanges: [item.created, seen],
    });
}

function readItem({ t, item, form, read }: Shown): Promise<Exchange> {
  return t.send(read, { form, path: item.path, label: 'read' });
}

function showsText(exchange: Exchange, text: string): boolean {
  return isServed(exchange) && mentions(exchange.response.json, text);
}

/** Reports the violation as inferred: the description does not state it. */
function report(
  { t }: Shown,
  code: Parameters<typeof violationOf>[0],
  operation: Operation,
  evidence: Omit<Evidence, 'grade'>,
): void {
  t.report(violationOf(code, operation, { ...evidence, grade: 'inferred' }) satisfies Violation);
}

function reportOtherId(shown: Shown, seen: Exchange): void {
  const { item, read } = shown;
  const { idName } = item.resource;
  const id = idForPath(seen.response?.json, idName);
  if (idInResponse(item.created, idName) === undefined || id === undefined || sameId(id, item.id)) return;
  report(shown, 'created-reads-back/other-id', read, {
    expected: `id ${item.id}, as in the path`,
    received: id,
    exchanges: [item.created, seen],
  });
}

/** An update of the item, and the text that names the item in it. */
interface Update {
  readonly operation: Operation;
  readonly name: string;
  readonly json: Json;
}

/** The body of an update with this name; undefined where the operation cannot set it. */
async function updateWith(
  { t, item }: Shown,
  operation: Operation | undefined,
  name: string,
): Promise<Update | undefined> {
  if (operation === undefined || !t.allows(operation.effect)) return undefined;
  const references = await t.knowledge.references(t, operation, item.path);
  const sample = t.knowledge.sampleBody(operation, name, references);
  const patch = operation.method === 'PATCH' ? patchWith(t, item, operation, name) : undefined;
  const patches = patch === undefined ? [] : [patch, withReferences(patch, references)];
  const json = patches.find((each) => isDescribedBody(t, operation, each)) ?? sample;
  return json !== undefined && mentions(json, name) ? { operation, name, json } : undefined;
}

/** A patch with the references of its operation, such as the id of the item; those in `data` are only its `id`. */
function withReferences(patch: JsonObject, references: BodyReferences): JsonObject {
  const [{ data }, { data: own }] = [patch, references];
  const id = isObject(own) ? own['id'] : undefined;
  return { ...patch, ...references, ...(isObject(data) && id !== undefined ? { data: { ...data, id } } : {}) };
}

function isDescribedBody({ contract }: TestContext, { body }: Operation, json: Json): boolean {
  const schema = bodyContent(body)?.schema;
  return schema === undefined || contract.validate(schema, json).length === 0;
}

/** A patch of the member that has the name in the body of the creation, where the patch is described as an object with it. */
function patchWith(
  { contract }: TestContext,
  { created, name: own, resource: { idName } }: CreatedItem,
  patch: Operation,
  name: string,
): JsonObject {
  const sent = parsedJson(created.request.body ?? '');
  const schemas = patch.body?.content.flatMap(({ schema }) => schema ?? []) ?? [];
  const members = Object.entries(isObject(sent) ? sent : {}).filter(
    ([key, value]) =>
      mentions(value, own) &&
      // With another name, the item of `/pools/{name}` would have another path.
      (key !== idName || spellsId(idName)) &&
      schemas.some((schema) => describesMember(contract, schema, key)),
  );
  return Object.fromEntries(
    members.map(([key, value]) => [key, JSON.parse(JSON.stringify(value).replaceAll(own, name)) as Json]),
  );
}

/** True where the name is in a member that the description of the update has, if it has any: another one may be dropped. */
function setsName(t: TestContext, { operation, name, json }: Update): boolean {
  const schema = bodyContent(operation.body)?.schema;
  const described = schema === undefined ? [] : namesAt(t, schema, json);
  const named = Object.entries(membersOf(json)).filter(([, value]) => mentions(value, name));
  return described.length === 0 || named.some(([member]) => described.includes(member));
}

/** Sends updates with a new text; a read that shows the old text only, after the settle time, is a violation. */
async function checkUpdates(shown: Shown): Promise<void> {
  const { t, item, form } = shown;
  const { replace, patch } = item.resource;
  let before = item.name;
  for (const [operation, end] of [
    [replace, 'zz'],
    [patch, 'zy'],
  ] as const) {
    const update = await updateWith(shown, operation, `${item.name.slice(0, -2)}${end}`);
    if (update === undefined || !setsName(t, update)) continue;
    const request = { form, path: item.path, json: update.json, label: 'update' };
    const changed = await t.send(update.operation, request);
    if (!isServed(changed)) continue;
    const old = before;
    // A member that the update cannot name, such as a slug, keeps the old text.
    const isStored = (seen: Exchange): boolean => showsText(seen, update.name) || !showsText(seen, old);
    const last = await readUntil(t, () => readItem(shown), isStored);
    if (isStored(last)) before = update.name;
    else
      report(shown, 'updated-reads-back/member', update.operation, {
        expected: `${update.name}, as it was sent`,
        received: `${before}, as before`,
        exchanges: [item.created, changed, last],
      });
  }
}

/** Updates other members than the name. */
async function checkMembers(shown: Shown): Promise<void> {
  const { t, item, form, read } = shown;
  for (const operation of [item.resource.replace, item.resource.patch]) {
    const update = await updateWith(shown, operation, item.name);
    if (update === undefined || !isObject(update.json)) continue;
    const found = await findMemberLost(t, {
      operation: update.operation,
      named: update.json,
      readOperation: read,
      send: (json, label) => t.send(update.operation, { form, path: item.path, json, label }),
      read: () => readItem(shown),
      ofCallers: (members) => membersOfCallers(t, item.resource, form, members),
    });
    if (found !== undefined) {
      const { code, exchanges, ...evidence } = found;
      report(shown, code, update.operation, { ...evidence, exchanges: [item.created, ...exchanges] });
    }
  }
}

/** An update or deletion whose If-Match does not name the current ETag must not be served (RFC 9110, section 13.1.1). */
async function checkStaleVersions(shown: Shown): Promise<void> {
  const { t, item, form } = shown;
  const { replace, patch, remove } = item.resource;
  const isIfMatch = ({ name, in: place }: Parameter): boolean =>
    place === 'header' && name.toLowerCase() === 'if-match';
  for (const operation of [replace, patch, remove]) {
    if (operation?.parameters.some(isIfMatch) !== true) continue;
    const update = operation === remove ? undefined : await updateWith(shown, operation, item.name);
    if (update === undefined && operation !== remove) continue;
    const seen = await readItem(shown);
    const etag = seen.response?.headers.find(([name]) => name === 'etag')?.[1];
    if (etag === undefined) return;
    const request = { form, path: item.path, ...defined({ json: update?.json }) };
    const headers = { 'if-match': '"assay-other-version"' };
    const label = operation === remove ? 'delete another version' : 'update another version';
    const changed = await t.sendQuietly(operation, { ...request, headers, label });
    if (isServed(changed))
      report(shown, 'updated-reads-back/stale-version', operation, {
        ...(operation === remove && { message: `${operation.id} is served although If-Match names another version` }),
        expected: `412: the ETag of the item is ${etag}`,
        received: `status ${changed.response.status}`,
        exchanges: [item.created, seen, changed],
      });
  }
}

async function checkRemoval(shown: Shown): Promise<void> {
  const { t, item, form } = shown;
  const { remove, list, idName } = item.resource;
  const { path, created } = item;
  const before = await readItem(shown);
  if (!isServed(before)) return;
  const removed = await t.send(remove, { form, path, label: 'delete' });
  if (!isServed(removed) || removed.response.status === 202) return;
  const readable = await findReadable(t, { remove, read: shown.read, path, form, created, before, removed });
  if (readable !== undefined) return t.report(readable);
  // An item that can be read, with another content, is marked as deleted.
  if (list === undefined || isServed(await readItem(shown))) return;
  const isUnlisted = (seen: Exchange): boolean => {
    const listed = itemsIn(seen)?.find((each) => sameId(idForPath(each, idName), item.id));
    // A number may be given to the next item.
    return (
      listed === undefined || (!isUuid(item.id) && !mentions(listed, t.tag) && mentions(before.response.json, t.tag))
    );
  };
  const last = await readUntil(t, () => t.send(list, { form, label: 'list' }), isUnlisted);
  if (!isUnlisted(last))
    report(shown, 'deleted-is-gone/listed', remove, {
      expected: `no item ${item.id} in the list`,
      received: 'it is in the list',
      exchanges: [item.created, removed, last],
    });
}
