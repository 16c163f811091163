import { isObject, isServed, parsedJson, responseFor } from '../../../spec/index.ts';
import type { Exchange, Json, Operation } from '../../../spec/index.ts';
import { createdId } from '../../../domain/create.ts';
import type { Resource } from '../../../domain/resources.ts';
import { differences } from '../../kit/compare.ts';
import type { TestContext } from '../../kit/context.ts';
import { topMember } from '../../kit/read-back.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Case } from '../case.ts';
import type { CaseViolation, CaseViolations } from '../violation.ts';
import type { Fixture } from './fixture.ts';
import { sendCase } from './slot.ts';
import type { Slot } from './slot.ts';

/** A resource with its list and its read operation. */
export interface Listing {
  readonly resource: Resource;
  readonly list: Operation;
  readonly read: Operation;
  /** Other operations on an item that need no body. */
  readonly bodiless: readonly Operation[];
  readonly fixture: Fixture;
}

/** An item that was created for a case. */
export interface CaseItem {
  readonly value: Case;
  readonly id: string;
  readonly created: Exchange;
  readonly read: Exchange;
}

/** Names of members of the body that are texts or objects: the item and the list may both show them. */
export function textNames(body: Json | undefined): readonly string[] {
  if (!isObject(body)) return [];
  return Object.keys(body).filter((name) => typeof body[name] === 'string' || isObject(body[name]));
}

/** Creates the item of a case and reads it; undefined where the creation was refused. */
export async function createItem(
  t: TestContext,
  { resource, read }: Pick<Listing, 'resource' | 'read'>,
  value: Case,
  slot: Slot,
): Promise<CaseItem | undefined> {
  const created = await sendCase(t, resource.create, value, slot);
  const id = await createdId(t, resource, created);
  if (id === undefined) return undefined;
  return { value, id, created, read: await t.sendQuietly(read, { path: { [resource.idName]: id }, label: 'read it' }) };
}

export async function removeItem(t: TestContext, { resource }: Pick<Listing, 'resource'>, id: string): Promise<void> {
  await t.sendQuietly(resource.remove, { path: { [resource.idName]: id }, label: 'remove it' });
}

/** The requirement about each response media type besides `application/json`. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  'text/json': 'content.response-text-json',
  'text/plain': 'content.response-text-plain',
};

/** Reads an item in each offered media type: the texts that were sent must be the same. Other members may change between reads. */
export async function readInAllTypes(
  t: TestContext,
  { resource, read }: Pick<Listing, 'resource' | 'read'>,
  { id, read: plain, value }: CaseItem,
): CaseViolations {
  const own = new Set(textNames(value.request.body?.value));
  const found: CaseViolation[] = [];
  for (const { type } of responseFor(read, 200)?.content ?? []) {
    const requirement = REQUIREMENTS[type];
    if (requirement === undefined) continue;
    const path = { [resource.idName]: id };
    const exchange = await t.sendQuietly(read, { path, accept: type, label: `read it as ${type}` });
    const pointer = differentMembers(plain, exchange).find((each) => own.has(topMember(each)));
    if (pointer === undefined) continue;
    found.push(
      violationOf('response-media-types/content', read, {
        subject: type,
        requirement,
        expected: `${pointer} as in application/json`,
        received: `another value at ${pointer}`,
        exchanges: [plain, exchange],
        instancePointer: pointer,
      }),
    );
  }
  return found;
}

function differentMembers(one: Exchange, other: Exchange): readonly string[] {
  const [json, text] = [one.response?.json, contentOf(other)];
  return [one, other].every(isServed) && isObject(json) && isObject(text) ? differences(json, text) : [];
}

/** The JSON of a body, whatever its media type. */
function contentOf({ response }: Exchange): Json | undefined {
  return response === undefined ? undefined : (response.json ?? parsedJson(response.body));
}
