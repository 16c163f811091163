import type { Exchange, Expectation, Form, Json, Operation, Violation } from '../spec/index.ts';
import { isObject, isServed, isSuccess } from '../spec/index.ts';
import { defined } from '../spec/defined.ts';
import { nameIn } from '../client/index.ts';
import { sameIdAgain, swappedResponse } from './creation-violations.ts';
import { notCreated, Skip, settled, waitedForBusy } from './context.ts';
import type { ApiContext } from './context.ts';
import { findByName } from './find-by-name.ts';
import type { Found } from './find-by-name.ts';
import { idInResponse } from './id-in-response.ts';
import { isDescribed, itemsIn, itemsOf, mentions } from './items.ts';
import type { BodyReferences } from './knowledge.ts';
import { isNewId, noteEarlier } from './own-ids.ts';
import type { Resource } from './resources.ts';

export interface CreatedItem {
  readonly resource: Resource;
  /** As the deployment spells it. */
  readonly id: string;
  /** Its id as the path parameter of the operations on it. */
  readonly path: Readonly<Record<string, string>>;
  /** Its name, unique in the deployment. */
  readonly name: string;
  readonly sent: Json;
  readonly created: Exchange;
  /** The first read that showed it; undefined where it cannot be read by its id. */
  readonly shown?: Exchange;
}

export interface CreateOptions {
  readonly form?: Form;
  /** End of its name, before the number that makes it unique. */
  readonly suffix?: string;
  /** Makes the body from the name; undefined: the plain sample. */
  readonly body?: (name: string) => Json | undefined;
  /** Text by which the item is recognised when it is read. Default: its name. */
  readonly mark?: string;
  /** Default: those that the knowledge gives. */
  readonly references?: BodyReferences;
  /** Default: success, where the body has no other members than the plain sample. */
  readonly expect?: Expectation;
  readonly label?: string;
  readonly proof?: boolean;
}

let counter = 0;

/** A unique name with the run's tag. Names with the same suffix have the same length, also in a replay. */
export function uniqueName({ tag }: Pick<ApiContext, 'tag'>, suffix?: string): string {
  counter += 1;
  return `${tag}-${suffix ?? 'n'}${counter.toString(36).padStart(4, '0')}`;
}

/**
 * Creates an item and waits until it can be read. An item that never appears under the returned id is a violation; its
 * real id is then looked up in the list. Only an id that was read back is acknowledged in the journal. Throws {@link
 * Skip} where the item cannot be created or found.
 */
export async function create(t: ApiContext, resource: Resource, options: CreateOptions = {}): Promise<CreatedItem> {
  const name = uniqueName(t, options.suffix);
  const path = (await t.knowledge.parents?.(t, resource.create)) ?? {};
  const references = options.references ?? (await t.knowledge.references(t, resource.create, path));
  const plain = t.knowledge.sampleBody(resource.create, name, references);
  const sent = options.body?.(name) ?? plain;
  if (sent === undefined && resource.create.body !== undefined)
    throw new Skip(`no sample body is known for ${resource.create.id}`);
  if (!t.knowledge.guarantees('effects', resource.create) && !mentions(sent, t.tag)) await noteEarlier(t, resource);
  // The document prefers the last form.
  const { forms } = resource.create;
  const chosen = await t.once(`form of creations ${resource.create.id}`, async () => ({ form: forms.at(-1) }));
  const form = options.form ?? chosen.form;
  const created = await t.send(resource.create, {
    path,
    ...(sent === undefined ? {} : { json: sent }),
    expect: options.expect ?? (hasMembersOf(sent, plain) ? 'success' : 'any'),
    label: options.label ?? 'create',
    ...(form === undefined ? {} : { form }),
    ...(options.proof === true ? { proof: true } : {}),
  });
  // With another name: the same creation is never sent twice.
  if (await waitedForBusy(t, resource.create, created)) return create(t, resource, options);
  const other = forms.find((each) => each !== form);
  if (!isServed(created) && options.form === undefined && other !== undefined) {
    // A form that fails must not keep the tests of other operations from running.
    const item = await create(t, resource, { ...options, form: other });
    chosen.form = other;
    return item;
  }
  if (t.knowledge.mayServeOther?.(resource.create, created) === true) return create(t, resource, options);
  if (!isServed(created)) throw notCreated(created);
  const { id, listed, shown } = await confirm(t, resource, {
    name,
    mark: options.mark ?? name,
    returned: await returnedId(t, resource, created),
    form,
    created,
  });
  if (listed === undefined && !isNewId(t, resource.create, created, id, shown))
    throw new Skip(`${resource.create.id} returned the id of an item that may have existed before`);
  await t.acknowledge(created, id, listed);
  const creation = listed === undefined ? created : { ...created, listed };
  const own = { resource, id, path: { [resource.idName]: id }, name, sent: sent ?? null, created: creation };
  return { ...own, ...defined({ shown }) };
}

/**
 * True where a body has no members besides those of the plain one, which the deployment accepts, and no items in lists that are
 * empty there: others may be refused.
 */
function hasMembersOf(sent: Json | undefined, plain: Json | undefined): boolean {
  if (!isObject(sent) || !isObject(plain)) return true;
  const isEmptyList = (value: Json | undefined): boolean => Array.isArray(value) && value.length === 0;
  return Object.entries(sent).every(
    ([name, value]) => Object.hasOwn(plain, name) && (isEmptyList(value) || !isEmptyList(plain[name])),
  );
}

/**
 * The id of the item that a request created, acknowledged in the journal: the one in the response, or else that of the listed item
 * with the name that was sent, which contains the run's tag. Undefined where the request failed or the id cannot be found.
 */
export async function createdId(t: ApiContext, resource: Resource, created: Exchange): Promise<string | undefined> {
  if (!isServed(created)) return undefined;
  const returned = await returnedId(t, resource, created);
  const id = returned !== undefined && isNewId(t, resource.create, created, returned) ? returned : undefined;
  const name = id === undefined ? nameIn(created.request.body ?? '', t.tag) : undefined;
  const { found } = name === undefined ? {} : await findByName(t, resource, name);
  const known = id ?? found?.id;
  if (known !== undefined) await t.acknowledge(created, known, found?.listed);
  return known;
}

interface Creation {
  readonly name: string;
  readonly mark: string;
  readonly returned: string | undefined;
  readonly form: Form | undefined;
  readonly created: Exchange;
}

/** Waits for new items of a resource that may be in vain, one after another: then the deployment probably shows none, and the waits are short. */
const MOST_WAITS = 4;

/** The id under which the new item can be read: the one that was returned, or else the one in the list. */
async function confirm(
  t: ApiContext,
  resource: Resource,
  { name, mark, returned, form, created }: Creation,
): Promise<Found & { readonly shown?: Exchange }> {
  const { read } = resource;
  const isStored = t.knowledge.guarantees('storage', resource.create);
  let last: Exchange | undefined;
  if (returned !== undefined) {
    if (read === undefined) return { id: returned };
    const request = {
      path: { [resource.idName]: returned },
      valid: true,
      label: 'read it',
      ...(form === undefined ? {} : { form }),
    };
    const waits = await t.once(`waits for items of ${resource.create.id}`, async () => ({ inVain: 0 }));
    const settleMs = waits.inVain < MOST_WAITS ? t.settleMs : t.settleMs / 10;
    const isThere = await settled({ ...t, settleMs }, async () => {
      last = await t.sendQuietly(read, request);
      return isServed(last) && (!isStored || mentions(last.response.json, mark) || showsNothing(read, last));
    });
    waits.inVain = isThere ? 0 : waits.inVain + 1;
    const other = isThere && isStored ? t.otherCreation?.(returned, created) : undefined;
    if (other !== undefined) {
      t.report(sameIdAgain(resource, returned, other, created));
      throw new Skip(`${resource.create.id} returned the id of an item that existed already`);
    }
    if (isThere) return { id: returned, ...(last === undefined ? {} : { shown: last }) };
  }
  const { found, page } = await findByName(t, resource, name, returned === undefined);
  if (
    returned !== undefined &&
    found !== undefined &&
    found.id !== returned.toLowerCase() &&
    !isDescribed(resource.create)
  ) {
    (await returnedIds(t, resource)).isOther = true;
    return found;
  }
  if (returned !== undefined && last !== undefined && isStored)
    t.report(notReadable(t, resource, { created, last, returned, mark, found }));
  if (found === undefined) {
    // A list of bare ids does not show which of them is new.
    const showsItems = itemsIn(page)?.every((item) => isObject(item)) === true;
    if (isStored && mark === name && returned === undefined && showsItems)
      t.report(notListed(t, resource, name, [created, ...(page ? [page] : [])]));
    if (!isStored && returned !== undefined && last?.response?.status === 404 && created.response?.status !== 202)
      t.report(unreadable(resource, created, last));
    const why = `the item that ${resource.create.id} created cannot be found`;
    if (returned === undefined && !showsItems) (await untraced(t, resource.create)).why = why;
    throw new Skip(why);
  }
  return found;
}

/** A read with the id that a creation returned does not show the new item. */
function notReadable(
  t: ApiContext,
  resource: Resource,
  {
    created,
    last,
    returned,
    mark,
    found,
  }: Pick<Creation, 'created' | 'mark'> & { last: Exchange; returned: string; found: Found | undefined },
): Violation {
  const { create: creation, read = creation } = resource;
  const other = t.otherCreation?.(returned, created);
  if (other !== undefined) return sameIdAgain(resource, returned, other, created);
  const status = last.response?.status;
  return (
    swappedResponse(t, resource, created, last) ?? {
      code: 'created-reads-back/not-readable',
      subject: String(status ?? 'no response'),
      operation: found?.id === returned.toLowerCase() || isServedAsNoJson(last) ? read : creation,
      message: `the item that ${creation.id} created is not readable under the returned id`,
      expected: `${read.id} with that id answers 200 and an item named ${mark}`,
      received: `status ${status ?? 'none'}${status === 200 ? ' and another item' : ''}`,
      exchanges: [created, last],
    }
  );
}

/** `isOther`: what the response to a creation holds is not the id of the item, where the description does not show its body. */
const returnedIds = (t: ApiContext, { create: { id } }: Resource): Promise<{ isOther: boolean }> =>
  t.once(`returned ids of ${id}`, async () => ({ isOther: false }));

/** The id of the new item in the response to its creation. */
export async function returnedId(t: ApiContext, resource: Resource, created: Exchange): Promise<string | undefined> {
  return (await returnedIds(t, resource)).isOther ? undefined : idInResponse(created, resource.idName);
}

/**
 * `why` is set where no more items are to be created: the deployment removes none, or neither the response to a creation nor a list
 * shows the id of a new item.
 */
export function untraced(t: ApiContext, { id }: Operation): Promise<{ why?: string }> {
  return t.once(`untraced ${id}`, async () => ({}));
}

/** The description does not say that items are stored; a mock would not answer 404 either. */
function unreadable({ create: operation, read }: Resource, created: Exchange, last: Exchange): Violation {
  return {
    code: 'created-reads-back/not-readable',
    grade: 'inferred',
    subject: '404',
    operation,
    message: `the item that ${operation.id} created is not readable under the returned id`,
    expected: `${read?.id ?? 'the read'} with that id answers with the item`,
    received: 'status 404',
    exchanges: [created, last],
  };
}

/** A list that was read after the settle time without the new item, whose creation returned no id. */
function notListed(t: ApiContext, resource: Resource, name: string, exchanges: readonly Exchange[]): Violation {
  const operation = resource.list ?? resource.create;
  const { listed } = t.knowledge.lifecycleRequirements(resource);
  return {
    code: 'created-reads-back/not-listed',
    operation,
    ...(listed === undefined ? {} : { requirement: listed }),
    message: `${operation.id} does not list an item that ${resource.create.id} created`,
    expected: `${name} in the list`,
    received: `a list of ${itemsOf(exchanges.at(-1)?.response?.json)?.length ?? 0} other items`,
    exchanges,
  };
}

/** True for an answer without a body where the description shows none: it need not have one, and says nothing about the item. */
export function showsNothing(operation: Operation, { response }: Exchange): boolean {
  return response !== undefined && isSuccess(response.status) && response.body.length === 0 && !isDescribed(operation);
}

/** True for a success without JSON, which says nothing about the item. */
function isServedAsNoJson({ response }: Exchange): boolean {
  return response !== undefined && isSuccess(response.status) && response.json === undefined;
}
