import { settled } from '../../../domain/context.ts';
import { REFERENCE } from '../../../domain/inferred/named-body.ts';
import { mentions } from '../../../domain/items.ts';
import { bodyContent } from '../../../generators/index.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Json, JsonObject, Operation, SchemaRef } from '../../../spec/index.ts';
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
  read(): Promise<Exchange>;
}

type Found = Omit<Evidence, 'grade'> & { readonly code: FindingCode };

/**
 * Updates other members than the name: flags, numbers and open texts. A read that still shows the old value of one, or none, is a
 * violation, and so is a PATCH of the name that changes one of them. Undefined where nothing is wrong or the service refuses such values.
 */
export async function findMemberLost(t: TestContext, update: MemberUpdate): Promise<Found | undefined> {
  // Where the first update sets a member that the item does not have, only the second one changes it.
  return (await findLostIn(t, update)) ?? findLostIn(t, update);
}

async function findLostIn(t: TestContext, update: MemberUpdate): Promise<Found | undefined> {
  const { operation, named } = update;
  const before = await update.read();
  const old = membersOf(before.response?.json);
  const json = withOtherMembers(t, operation, named, old);
  const sent = membersOf(json);
  const names = Object.keys(sent).filter((name) => sent[name] !== membersOf(named)[name]);
  if (names.length === 0) return undefined;
  const changed = await update.send(json, 'update other members');
  if (!isServed(changed)) return undefined;
  let last: Exchange = changed;
  let wrong: string | undefined;
  await settled(t, async () => {
    last = await update.read();
    const shown = membersOf(last.response?.json);
    wrong = isServed(last) ? names.find((name) => isLost(t, update, { name, old, sent, shown })) : undefined;
    return wrong === undefined;
  });
  const shown = membersOf(last.response?.json);
  if (wrong !== undefined)
    return {
      code: 'updated-reads-back/member',
      ...evidence(wrong, sent[wrong], shown[wrong]),
      exchanges: [before, changed, last],
    };
  const others = names.filter((name) => !Object.hasOwn(membersOf(named), name));
  return operation.method === 'PATCH' && isServed(last) ? findPatched(update, others, last) : undefined;
}

/** A member that a PATCH of the name changes. */
async function findPatched(update: MemberUpdate, names: readonly string[], full: Exchange): Promise<Found | undefined> {
  const patched = await update.send(update.named, 'update the name only');
  const after = await update.read();
  if (!isServed(patched) || !isServed(after)) return undefined;
  const [shown, now] = [membersOf(full.response?.json), membersOf(after.response.json)];
  const lost = names.find((name) => !sameValue(shown[name], now[name], undefined));
  if (lost === undefined) return undefined;
  return {
    code: 'updated-reads-back/other-member',
    ...evidence(lost, shown[lost], now[lost]),
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
  if (sameValue(value, sent[name], undefined)) return false;
  if (value !== undefined && value !== null) return sameValue(value, before, undefined);
  const schemas = update.readOperation.responses.flatMap(({ content }) =>
    content.flatMap(({ schema }) => schema ?? []),
  );
  return Object.hasOwn(old, name) || schemas.some((schema) => describesMember(contract, schema, name));
}

/** The object in a body that has the members of the item itself: the body, or what is in `data` and `attributes`. */
function membersOf(json: Json | undefined): JsonObject {
  if (!isObject(json)) return {};
  const inner = ['data', 'attributes'].map((name) => json[name]).find(isObject);
  return inner === undefined ? json : membersOf(inner);
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
  const wrapper = ['data', 'attributes'].find((name) => isObject(body[name]));
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

/** Names of the members that a schema describes. */
function namesIn({ contract }: TestContext, ref: SchemaRef): readonly string[] {
  return alternatives(contract, ref).flatMap(({ schema }) => {
    const properties = isObject(schema) ? schema['properties'] : undefined;
    return isObject(properties) ? Object.keys(properties) : [];
  });
}

/** True for a member that has a meaning to the service, or that it may set itself. */
function isSetElsewhere({ knowledge: { members } }: TestContext, name: string): boolean {
  const isSet = members.setByService.has(name.toLowerCase()) || members.volatile.test(`/${name}`);
  return isSet || REFERENCE.test(name) || /version|revision/i.test(name);
}

/** Values that differ from the old one, those of its type first. */
function othersThan(old: Json | undefined): readonly Json[] {
  const near = typeof old === 'number' ? [old + 1, old - 1] : [];
  const values = [...near, true, false, 7, 8, 1, 'an ordinary text', 'text', '2001-02-03', '2001-02-04'].filter(
    (each) => each !== old,
  );
  const isAlike = (each: Json): number => (typeof each === typeof old ? 0 : 1);
  return values.toSorted((a, b) => isAlike(a) - isAlike(b));
}
