import { bodyContent, isJson } from '../../../generators/index.ts';
import { spellsId } from '../../../spec/id-member.ts';
import { isObject, parsedJson, responseFor, scalarText, writeBody } from '../../../spec/index.ts';
import type { Exchange, Json, Operation, Parameter } from '../../../spec/index.ts';
import { uniqueName } from '../../../domain/create.ts';
import { tellsNew } from '../../../domain/items.ts';
import { REFERENCE, withOwnAddresses } from '../../../domain/inferred/named-body.ts';
import type { PathValues } from '../../../domain/path-values.ts';
import { resourcesOf } from '../../../domain/resources.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import { propertyOf } from '../../kit/schema-parts.ts';
import { ENCODINGS } from '../cases/encodings.ts';
import { UNKNOWN_MEMBERS, withMember } from '../cases/unknown-members.ts';
import type { Case } from '../case.ts';
import type { CaseViolation } from '../violation.ts';

/** Placeholder in cases for a name with the run's tag. */
export const NAME = 'assay-name';

/** Placeholder in the paths of cases, followed by the number of the parameter, for an id that only the run knows. */
export const PATH_ID = '00000000-0000-4000-8000-00000000a55';

/** Values of the run that a case needs, such as the id of an item. Only one case uses a slot at a time. */
export interface Slot {
  readonly path: PathValues;
  /** Ids that replace placeholders in the body. */
  readonly ids?: Readonly<Record<string, string>>;
  /** The exchange that created the item of the path. */
  readonly created?: Exchange;
}

/** A pool of slots for concurrent cases. */
export interface Slots {
  readonly all: readonly Slot[];
  /** Waits for a free slot. */
  use<R>(work: (slot: Slot) => Promise<R>): Promise<R>;
}

export function makeSlots(all: readonly Slot[]): Slots {
  const free = [...all];
  const waiting: ((slot: Slot) => void)[] = [];
  const take = (): Promise<Slot> => {
    const slot = free.pop();
    return slot === undefined
      ? new Promise((resolve) => {
          waiting.push(resolve);
        })
      : Promise.resolve(slot);
  };
  const release = (slot: Slot): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(slot);
    else next(slot);
  };
  return {
    all,
    async use(work) {
      const slot = await take();
      try {
        return await work(slot);
      } finally {
        release(slot);
      }
    },
  };
}

export function itemIdOf({ path }: Slot, { idName }: Pick<Resource, 'idName'>): string | undefined {
  return path[idName] === undefined ? undefined : scalarText(path[idName]);
}

/** A case that is sent, with the values of the run. */
export interface Attempt {
  readonly value: Case;
  readonly slot: Slot;
  /** Whether its effects may take the whole settle time to become visible. */
  readonly patient: boolean;
}

/** The result of a case. */
export interface CaseOutcome {
  /** The request of the case itself. */
  readonly exchange: Exchange;
  readonly violations: readonly CaseViolation[];
  /** True where a read showed the item, so that its members were compared with those that were sent. */
  readonly isCompared?: boolean;
}

export function requestSpecOf(t: TestContext, operation: Operation, value: Case, slot: Slot): RequestSpec {
  const { request } = value;
  const body = bodyOf(t, operation, value, slot);
  return {
    path: { ...request.path, ...slot.path },
    query: request.query,
    isExact: true,
    ...formOption(operation, value),
    ...(Object.keys(request.headers).length === 0 ? {} : { headers: request.headers }),
    ...(request.cookies === undefined ? {} : { cookies: request.cookies }),
    ...(body === undefined ? {} : { body }),
  };
}

export function formOption({ forms }: Operation, { form }: Pick<Case, 'form'>): Pick<RequestSpec, 'form'> {
  const found = forms[form % Math.max(1, forms.length)];
  return found === undefined ? {} : { form: found };
}

function bodyOf(t: TestContext, operation: Operation, value: Case, slot: Slot): RequestSpec['body'] {
  const {
    rawBody,
    request: { body },
  } = value;
  if (rawBody !== undefined) return encoded(value, filled(t, rawBody, slot));
  if (body === undefined) return undefined;
  const own = withKey(t, operation, unique(t, operation, body.value), slot);
  const content = filled(t, JSON.stringify(findable(t, operation, own)), slot);
  if (isJson(body.type)) return encoded(value, content);
  const media = operation.body?.content.find(({ type }) => type === body.type);
  return writeBody(body.type, JSON.parse(content) as Json, media?.files);
}

/**
 * A body whose member with the name of the path parameter, such as `name` of `/pools/{name}`, has the run's tag in a creation, and the
 * value of the path in an update, which would otherwise move the item to another path. Unchanged where the parameter takes an id, and
 * where a valid body would become invalid, or an invalid one valid.
 */
function withKey(t: TestContext, operation: Operation, value: Json, { path }: Slot): Json {
  const resource = resourcesOf(t.contract).find(({ create, replace }) => create === operation || replace === operation);
  if (resource === undefined || spellsId(resource.idName) || !isObject(value)) return value;
  const { idName, create } = resource;
  const key = create === operation ? NAME : path[idName];
  if (key === undefined || typeof value[idName] !== 'string') return value;
  const isValid = validatorOf(t, operation);
  const keyed = { ...value, [idName]: key };
  return isValid(keyed) === isValid(value) ? keyed : value;
}

/**
 * A body with the run's tag in a text, by which an item is found in the list where the response does not contain its id, and told from
 * one that existed before. Unchanged where responses contain the ids of items that are new for sure, and where the body has the tag
 * already, or no text in which it leaves an invalid body invalid and a valid one valid.
 */
function findable(t: TestContext, operation: Operation, value: Json): Json {
  const isCreation = resourcesOf(t.contract).some(({ create }) => create === operation);
  const { returnsIds } = t.session;
  const returnsId = returnsIds.get(operation.id) ?? (responseFor(operation, 200)?.content ?? []).length > 0;
  const isNew = t.knowledge.guarantees('effects', operation) || tellsNew(operation);
  if (!isCreation || (returnsId && isNew) || !isObject(value)) return value;
  const texts = Object.entries(value)
    .filter((each): each is [string, string] => typeof each[1] === 'string')
    .toSorted(([a], [b]) => Number(REFERENCE.test(a)) - Number(REFERENCE.test(b)));
  if (texts.some(([, text]) => text.includes(NAME))) return value;
  const isValid = validatorOf(t, operation);
  const schema = bodyContent(operation.body)?.schema;
  // In an invalid body too: a service that refuses the tagged member does not come to what is wrong.
  const mayHave = (name: string, text: string): boolean => {
    const member = schema && propertyOf(t.contract, schema, name);
    return member === undefined || t.contract.validate(member, text).length === 0;
  };
  const tagged = texts
    .map(([name, text]): [string, string] => [name, `${text} ${NAME}`])
    .filter(([name, text]) => mayHave(name, text))
    .map(([name, text]) => ({ ...value, [name]: text }));
  return tagged.find((each) => isValid(each) === isValid(value)) ?? value;
}

function validatorOf({ contract }: TestContext, { body }: Operation): (value: Json) => boolean {
  const schema = bodyContent(body)?.schema;
  return (value) => schema === undefined || contract.validate(schema, value).length === 0;
}

/**
 * A body with the run's tag in its plain e-mail addresses: services often refuse an address that is taken. Unchanged for an API that is
 * known to store what it is given, and where a valid body would become invalid, or an invalid one valid.
 */
function unique(t: TestContext, operation: Operation, value: Json): Json {
  if (t.knowledge.guarantees('storage', operation) || !isObject(value)) return value;
  const isValid = validatorOf(t, operation);
  const wasValid = isValid(value);
  return withOwnAddresses(value, NAME, (body) => isValid(body) === wasValid);
}

/** The body in the encoding, or with the unknown member, that the variant of the case names. */
function encoded({ request, variant = '' }: Case, content: string): NonNullable<RequestSpec['body']> {
  const type = request.body?.type ?? 'application/json';
  const encoding = Object.hasOwn(ENCODINGS, variant) ? ENCODINGS[variant] : undefined;
  const member = Object.hasOwn(UNKNOWN_MEMBERS, variant) ? UNKNOWN_MEMBERS[variant] : undefined;
  if (encoding !== undefined)
    return { type: encoding.type ?? type, content: encoding.write(JSON.parse(content) as Json) };
  return { type, content: member === undefined ? content : withMember(content, member) };
}

/** Replaces the placeholders. */
function filled(t: TestContext, content: string, { ids = {} }: Slot): string {
  let text = content;
  for (const [placeholder, id] of Object.entries(ids))
    text = text.replaceAll(placeholder, id).replaceAll(placeholder.toUpperCase(), id.toUpperCase());
  return text.includes(NAME) ? text.replaceAll(NAME, uniqueName(t, 'p')) : text;
}

/** Sends a case without judging it. `valid`: see {@link RequestSpec}. */
export function sendCase(
  t: TestContext,
  operation: Operation,
  value: Case,
  slot: Slot,
  valid = value.served === true ? true : undefined,
): Promise<Exchange> {
  const spec = requestSpecOf(t, operation, value, slot);
  return t.sendQuietly(operation, {
    ...(valid === false ? withoutOthers(operation, spec) : spec),
    ...(valid === undefined ? {} : { valid }),
    label: value.label ?? 'generated request',
  });
}

/** An invalid request without the required parameters that it does not set: their absence is what makes it invalid. */
function withoutOthers({ parameters }: Operation, spec: RequestSpec): RequestSpec {
  const absent = (place: Parameter['in'], values: object = {}): Readonly<Record<string, undefined>> =>
    Object.fromEntries(
      parameters
        .filter((each) => each.required && each.in === place)
        .map(({ name }) => (place === 'header' ? name.toLowerCase() : name))
        .filter((name) => !Object.hasOwn(values, name))
        .map((name) => [name, undefined]),
    );
  const { query, headers, cookies } = spec;
  return {
    ...spec,
    query: { ...query, ...absent('query', query) },
    headers: { ...headers, ...absent('header', headers) },
    cookies: { ...cookies, ...absent('cookie', cookies) },
  };
}

/** The JSON that was sent, placeholders replaced. */
export function sentJson({ request }: Exchange): Json | undefined {
  return request.body === undefined ? undefined : parsedJson(request.body);
}
