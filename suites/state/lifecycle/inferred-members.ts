import { ifSkipped, readUntil } from '../../../domain/context.ts';
import { create } from '../../../domain/create.ts';
import { REFERENCE, WRAPPERS } from '../../../domain/inferred/named-body.ts';
import { canonical, mentions } from '../../../domain/items.ts';
import type { Resource } from '../../../domain/resources.ts';
import { bodyContent } from '../../../generators/index.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Form, Json, JsonObject, Operation, SchemaRef } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { sameValue } from '../../kit/same-value.ts';
import { alternatives, describesMember, propertyOf } from '../../kit/schema-parts.ts';
import type { Evidence } from '../../kit/violation.ts';

/** An update of an item: its operation, a body with a name, and how it is sent and the item read. */
export interface MemberUpdate {
  readonly operation: Operation;
  readonly named: JsonObject;
  readonly readOperation: Operation;
  send(json: JsonObject, label: string): Promise<Exchange>;
  readonly read: () => Promise<Exchange>;
  /** Names of those of the members that callers set, and not the service; see {@link membersOfCallers}. */
  ofCallers(members: JsonObject): Promise<readonly string[]>;
}

type Found = Omit<Evidence, 'grade'> & { readonly code: FindingCode };

/**
 * Updates other members than the name: flags, numbers and open texts. A read that still shows the old value of one, or none, is a
 * violation, and so is a PATCH of the name that changes one of them. Undefined where nothing is wrong, where the service refuses such
 * values, and where a creation does not take them either: then the service probably sets them itself.
 */
export async function findMemberLost(t: TestContext, update: MemberUpdate): Promise<Found | undefined> {
  // Where the first update sets a member that the item does not have, only the second one changes it.
  return (await findLostIn(t, update)) ?? findLostIn(t, update);
}

async function findLostIn(t: TestContext, update: MemberUpdate): Promise<Found | undefined> {
  const { operation, named } = update;
  const before = await update.read();
  const old = membersOf(before.response?.json);
  const bodies = [old, withoutLists(old)].map((each) => withOtherMembers(t, operation, named, each));
  const [whole = named, plain = named] = bodies;
  const [all, few] = [otherNames(whole, named), otherNames(plain, named)];
  if (all.length === 0) return undefined;
  let json = whole;
  let changed = await update.send(json, 'update other members');
  // The texts of a list may have to be those of other items.
  if (!isServed(changed) && few.length > 0 && few.length < all.length) {
    json = plain;
    changed = await update.send(json, 'update other members, but no lists');
  }
  if (!isServed(changed)) return undefined;
  const [sent, names] = [membersOf(json), json === whole ? all : few];
  const lostIn = (seen: Exchange): readonly string[] => {
    const shown = membersOf(seen.response?.json);
    return isServed(seen) ? names.filter((name) => isLost(t, update, { name, old, sent, shown })) : [];
  };
  const last = await readUntil(t, update.read, (seen) => lostIn(seen).length === 0);
  const lost = lostIn(last);
  const shown = membersOf(last.response?.json);
  const [wrong] = lost.length === 0 ? [] : await update.ofCallers(pick(sent, lost));
  if (wrong !== undefined)
    return {
      code: 'updated-reads-back/member',
      ...evidence(wrong, sent[wrong], shown[wrong]),
      exchanges: [before, changed, last],
    };
  const others = names.filter((name) => !Object.hasOwn(membersOf(named), name));
  return operation.method === 'PATCH' && isServed(last) ? findPatched(t, update, others, last) : undefined;
}

/** A member that a PATCH of the name changes. */
async function findPatched(
  t: TestContext,
  update: MemberUpdate,
  names: readonly string[],
  full: Exchange,
): Promise<Found | undefined> {
  const patched = await update.send(update.named, 'update the name only');
  if (!isServed(patched)) return undefined;
  const shown = membersOf(full.response?.json);
  const lostIn = (seen: Exchange): string | undefined => {
    const now = membersOf(seen.response?.json);
    return isServed(seen) ? names.find((name) => !isSame(shown[name], now[name])) : undefined;
  };
  const after = await readUntil(t, update.read, (seen) => lostIn(seen) === undefined);
  const lost = lostIn(after);
  if (lost === undefined) return undefined;
  return {
    code: 'updated-reads-back/other-member',
    ...evidence(lost, shown[lost], membersOf(after.response?.json)[lost]),
    exchanges: [full, patched, after],
  };
}

function evidence(name: string, expected: Json | undefined, received: Json | undefined): Omit<Evidence, 'exchanges'> {
  const text = (value: Json | undefined): string => `${name} = ${JSON.stringify(value) ?? 'nothing'}`;
  return { subject: `/${name}`, expected: text(expected), received: text(received) };
}

interface Values {
  readonly name: string;
  readonly old: JsonObject;
  readonly sent: JsonObject;
  readonly shown: JsonObject;
}

/** True where a read shows the old value, or none although its description has the member. */
function isLost({ contract }: TestContext, update: MemberUpdate, { name, old, sent, shown }: Values): boolean {
  const [value, before] = [shown[name], old[name]];
  if (isSame(value, sent[name])) return false;
  if (value !== undefined && value !== null) return isSame(value, before);
  const schemas = update.readOperation.responses.flatMap(({ content }) =>
    content.flatMap(({ schema }) => schema ?? []),
  );
  return Object.hasOwn(old, name) || schemas.some((schema) => describesMember(contract, schema, name));
}

/** The object in a body that has the members of the item itself: the body, or what is in `data` and `attributes`. */
export function membersOf(json: Json | undefined): JsonObject {
  if (!isObject(json)) return {};
  const inner = WRAPPERS.map((name) => json[name]).find(isObject);
  return inner === undefined ? json : membersOf(inner);
}

/**
 * Names of those of the members that callers set: the body of a creation does not have them, or a new item shows them as it was created
 * with them. Descriptions often have one schema for bodies and responses, without `readOnly` at what the service sets itself.
 */
export async function membersOfCallers(
  t: TestContext,
  resource: Resource,
  form: Form,
  members: JsonObject,
): Promise<readonly string[]> {
  const references = await t.knowledge.references(t, resource.create, {});
  const schema = bodyContent(resource.create.body)?.schema;
  const sampleOf = (name: string): Json | undefined => t.knowledge.sampleBody(resource.create, name, references);
  const described = schema === undefined ? [] : namesAt(t, schema, sampleOf(t.tag));
  const names = Object.keys(members);
  const common = names.filter((name) => described.includes(name));
  if (common.length === 0) return names;
  const body = (name: string): Json | undefined => {
    const sample = sampleOf(name);
    return isObject(sample) ? withMembers(sample, pick(members, common)) : sample;
  };
  const item = await create(t, resource, { form, references, expect: 'any', body }).catch(ifSkipped);
  const shown = membersOf(item?.shown?.response?.json);
  return names.filter((name) => !common.includes(name) || isSame(shown[name], members[name]));
}

const pick = (members: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));

/** The body with these members where those of the item itself are. */
function withMembers(json: JsonObject, members: JsonObject): JsonObject {
  const wrapper = WRAPPERS.find((name) => isObject(json[name]));
  return wrapper === undefined
    ? { ...json, ...members }
    : { ...json, [wrapper]: withMembers(json[wrapper] as JsonObject, members) };
}

/** The body with other values than `old` in the members that the service probably leaves to its callers. */
function withOtherMembers(t: TestContext, operation: Operation, body: JsonObject, old: JsonObject): JsonObject {
  const schema = bodyContent(operation.body)?.schema;
  if (schema === undefined) return body;
  const isValid = (json: JsonObject): boolean => t.contract.validate(schema, json).length === 0;
  return changedIn(t, body, schema, old, isValid);
}

function changedIn(
  t: TestContext,
  body: JsonObject,
  ref: SchemaRef,
  old: JsonObject,
  isValid: (json: JsonObject) => boolean,
): JsonObject {
  const wrapper = WRAPPERS.find((name) => isObject(body[name]));
  const inside = wrapper === undefined ? undefined : propertyOf(t.contract, ref, wrapper);
  if (wrapper !== undefined && inside !== undefined) {
    const inner = body[wrapper] as JsonObject;
    return { ...body, [wrapper]: changedIn(t, inner, inside, old, (part) => isValid({ ...body, [wrapper]: part })) };
  }
  let changed = body;
  for (const name of namesIn(t, ref)) {
    if (isSetElsewhere(t, name) || mentions(body[name], t.tag)) continue;
    const bodies = othersThan(old[name]).map((value): JsonObject => ({ ...changed, [name]: value }));
    changed = bodies.find(isValid) ?? changed;
  }
  return changed;
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  Array.isArray(one) && Array.isArray(other) ? canonical(one) === canonical(other) : sameValue(one, other, undefined);

/** Names of the members in which two bodies differ. */
function otherNames(json: JsonObject, named: JsonObject): readonly string[] {
  const [sent, plain] = [membersOf(json), membersOf(named)];
  return Object.keys(sent).filter((name) => sent[name] !== plain[name]);
}

const withoutLists = (json: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(json).filter(([, value]) => !Array.isArray(value)));

/** Names of the members that a schema describes. */
function namesIn({ contract }: TestContext, ref: SchemaRef): readonly string[] {
  return alternatives(contract, ref).flatMap(({ schema }) => {
    const properties = isObject(schema) ? schema['properties'] : undefined;
    return isObject(properties) ? Object.keys(properties) : [];
  });
}

/** Names of the members of the item itself that the schema of a body describes. */
export function namesAt(t: TestContext, ref: SchemaRef, body: Json | undefined): readonly string[] {
  const wrapper = isObject(body) ? WRAPPERS.find((name) => isObject(body[name])) : undefined;
  const inside = wrapper === undefined ? undefined : propertyOf(t.contract, ref, wrapper);
  return inside === undefined || wrapper === undefined || !isObject(body)
    ? namesIn(t, ref)
    : namesAt(t, inside, body[wrapper]);
}

/** True for a member that has a meaning to the service, or that it may set itself. */
function isSetElsewhere({ knowledge: { members } }: TestContext, name: string): boolean {
  const isSet = members.setByService.has(name.toLowerCase()) || members.volatile.test(`/${name}`);
  return isSet || REFERENCE.test(name) || /version|revision/i.test(name);
}

/** Values that differ from the old one, those of its type first. */
function othersThan(old: Json | undefined): readonly Json[] {
  const near = typeof old === 'number' ? [old + 1, old - 1] : [];
  const texts = ['an ordinary text', 'text', '2001-02-03', '2001-02-04'];
  const lists = Array.isArray(old) ? [['text'], ['a']] : [];
  const values = [...near, true, false, 7, 8, 1, ...texts, ...lists].filter((each) => !isSame(each, old));
  const isAlike = (each: Json): number => (typeof each === typeof old ? 0 : 1);
  return values.toSorted((a, b) => isAlike(a) - isAlike(b));
}
