import { randomUUID } from 'node:crypto';
import { sample } from 'fast-check';
import type { RequiredParameters } from '../../client/index.ts';
import { isUnsatisfiable, bodyContent, requestArbitrary } from '../../generators/index.ts';
import { isIdempotencyKey, isObject } from '../../spec/index.ts';
import type { Contract, Json, JsonObject, Operation, Parameter, SchemaRef } from '../../spec/index.ts';
import { tellsNew } from '../items.ts';
import { NAME_MEMBERS, namedBody } from './named-body.ts';
import { otherBodies } from './other-bodies.ts';

/** A request made from the description alone, with required parameters only. */
export interface PlainRequest extends Required<RequiredParameters> {
  readonly path: Readonly<Record<string, Json>>;
  readonly json?: Json;
}

const plain = new WeakMap<Contract, Map<string, PlainRequest | undefined>>();

/**
 * A valid request by the description alone: the example of the description where it gives one, else a generated one. Undefined where
 * none can be generated.
 */
export function plainRequest(contract: Contract, operation: Operation): PlainRequest | undefined {
  const known = plain.get(contract) ?? new Map<string, PlainRequest | undefined>();
  plain.set(contract, known);
  if (!known.has(operation.id))
    known.set(operation.id, make(contract, operation, otherBodies(contract, operation).count));
  return known.get(operation.id);
}

/** `count`: how many other bodies went before the one of the request. */
function make(contract: Contract, operation: Operation, count: number): PlainRequest | undefined {
  const arbitrary = requestArbitrary(contract, withBody(operation));
  if (isUnsatisfiable(arbitrary))
    return operation.body?.required === false ? make(contract, withoutBody(operation), count) : undefined;
  const [request] = sample(arbitrary, { seed: 1, numRuns: 1 });
  const [other = request] = count === 0 ? [] : sample(arbitrary, { seed: 1 + count, numRuns: 1 });
  if (request === undefined) return undefined;
  const requiredOf = <T>(
    place: Parameter['in'],
    values: Readonly<Record<string, T>> = {},
  ): Readonly<Record<string, T>> =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) =>
        operation.parameters.some(
          (each) => each.in === place && each.required && each.name.toLowerCase() === name.toLowerCase(),
        ),
      ),
    );
  const json = bodyOf(contract, operation, other?.body?.value, count);
  return {
    path: request.path,
    query: requiredOf('query', request.query),
    headers: requiredOf('header', request.headers),
    cookies: requiredOf('cookie', request.cookies),
    ...(json === undefined ? {} : { json }),
  };
}

/**
 * The parameters that an operation requires, with the values of its plain request; an idempotency key is new each time, unless the
 * description wants another kind of value.
 */
export function requiredParameters(contract: Contract): (operation: Operation) => RequiredParameters {
  return (operation) => {
    if (!operation.parameters.some(({ required, in: place }) => required && place !== 'path')) return {};
    const { query = {}, headers = {}, cookies = {} } = plainRequest(contract, operation) ?? {};
    return { query, cookies, headers: withOwnKeys(contract, operation, headers) };
  };
}

/** Headers of a request with new idempotency keys in place of those in them, where the description allows any. */
export function withOwnKeys<T extends string | undefined>(
  contract: Contract,
  operation: Operation,
  headers: Readonly<Record<string, T>>,
): Readonly<Record<string, T | string>> {
  const isFree = (name: string, value: string): boolean =>
    operation.parameters.some(
      (each) =>
        each.in === 'header' &&
        each.name.toLowerCase() === name.toLowerCase() &&
        contract.validate(each.schema, value).length === 0,
    );
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (value === undefined || !isIdempotencyKey(name)) return [name, value];
      const fresh = randomUUID();
      return [name, isFree(name, value) && isFree(name, fresh) ? fresh : value];
    }),
  );
}

/** An optional body is sent too, where one can be generated. */
function withBody(operation: Operation): Operation {
  return operation.body === undefined ? operation : { ...operation, body: { ...operation.body, required: true } };
}

function withoutBody({ body: _body, ...operation }: Operation): Operation {
  return operation;
}

function bodyOf(
  contract: Contract,
  operation: Operation,
  generated: Json | undefined,
  count: number,
): Json | undefined {
  const media = bodyContent(operation.body);
  const example = media?.examples.find(
    (each) => count === 0 && (media.schema === undefined || contract.validate(media.schema, each).length === 0),
  );
  const least = required(contract, media?.schema, generated);
  const schema = media?.schema;
  const plain =
    example ??
    (schema === undefined || !isObject(least)
      ? least
      : withOrdinaryTexts(least, count % 2 === 1, (body) => contract.validate(schema, body).length === 0));
  return count % 2 === 1 ? withSmallNumbers(contract, media?.schema, plain) : plain;
}

/** The body with ones in place of other numbers, where the schema allows it: a service compares numbers with those of other items. */
function withSmallNumbers(contract: Contract, schema: SchemaRef | undefined, json: Json | undefined): Json | undefined {
  if (schema === undefined || !isObject(json)) return json;
  let small: JsonObject = json;
  for (const [name, value] of Object.entries(json)) {
    const changed = typeof value === 'number' ? { ...small, [name]: 1 } : small;
    if (contract.validate(schema, changed).length === 0) small = changed;
  }
  return small;
}

/** Ordinary texts, the longest first. */
const PLAIN_TEXTS = ['an ordinary text', 'text', 'a'];

/** A word in the name of a time or date at which something ends. */
const END = /^(?:ends?|ending|until|till|to|expir\w*|due|finish\w*|stops?|deadline)$/i;

const wordsOf = (name: string): readonly string[] => name.split(/[^A-Za-z]|(?<=[a-z])(?=[A-Z])/);

/**
 * Texts in place of one that services often refuse: with unusual characters, empty, or a time at which something ends, which then is in the
 * far future. `isAhead`: all times are.
 */
function ordinaryFor(name: string, text: string, isAhead: boolean): readonly string[] {
  if (text === '') return ['text', 'a'];
  const time = /^\d{4}-\d\d-\d\d(T.*)?$/i.exec(text);
  const isEnd = wordsOf(name).some((word) => END.test(word));
  if (time !== null && (isEnd || isAhead))
    return [`${isEnd ? '2099' : '2098'}-01-01${time[1] === undefined ? '' : 'T00:00:00Z'}`];
  return /^[\x21-\x7E]*$/.test(text) ? [] : PLAIN_TEXTS;
}

/** The value with ordinary texts, where `isValid` accepts it. */
function withOrdinaryTexts(value: Json, isAhead: boolean, isValid: (value: Json) => boolean, name = ''): Json {
  if (typeof value === 'string') return ordinaryFor(name, value, isAhead).find(isValid) ?? value;
  if (Array.isArray(value)) {
    const list: Json[] = [...(value as readonly Json[])];
    for (const [at, part] of list.entries())
      list[at] = withOrdinaryTexts(part, isAhead, (changed) => isValid(list.with(at, changed)), name);
    return list;
  }
  if (!isObject(value)) return value;
  let whole: JsonObject = value;
  for (const [key, part] of Object.entries(value)) {
    const before = whole;
    whole = {
      ...before,
      [key]: withOrdinaryTexts(part, isAhead, (changed) => isValid({ ...before, [key]: changed }), key),
    };
  }
  return whole;
}

/**
 * A generated body without the optional members of its objects: those that refer to other items would be refused. An object whose schema
 * requires no member stays whole, since then it does not show what the service needs.
 */
function required(contract: Contract, schema: SchemaRef | undefined, json: Json | undefined): Json | undefined {
  if (schema === undefined || !isObject(json)) return json;
  return withoutOptional(json, (body) => contract.validate(schema, body).length === 0);
}

function withoutOptional(json: JsonObject, isValid: (json: JsonObject) => boolean): JsonObject {
  if (isValid({})) return json;
  let least: JsonObject = json;
  for (const name of Object.keys(json)) {
    const { [name]: _left, ...rest } = least;
    if (!NAME_MEMBERS.includes(name) && isValid(rest)) least = rest;
  }
  for (const [name, value] of Object.entries(least))
    if (isObject(value)) {
      const outer = least;
      least = { ...outer, [name]: withoutOptional(value, (inner) => isValid({ ...outer, [name]: inner })) };
    }
  return least;
}

/** Where a service keeps more than the name unique, each body is another one. */
function takeOther(contract: Contract, operation: Operation): void {
  const others = otherBodies(contract, operation);
  if (others.areUnique) others.count += 1;
  if (others.areUnique || others.isNew) plain.get(contract)?.delete(operation.id);
  others.isNew = false;
}

/** A plain body with that name, by the description alone, and with the references that the description allows. */
export function plainBody(
  contract: Contract,
  operation: Operation,
  name: string,
  references: Readonly<Record<string, Json>> = {},
): Json | undefined {
  takeOther(contract, operation);
  const json = plainRequest(contract, operation)?.json;
  if (json === undefined) return undefined;
  const schema = bodyContent(operation.body)?.schema;
  const isValid = schema && ((body: Json): boolean => contract.validate(schema, body).length === 0);
  const referring = isObject(json) ? { ...json, ...references } : json;
  const refers = isValid?.(referring) !== false;
  // Where the status tells that an item is new, a name that the service drops would only raise doubts.
  const named = namedBody(refers ? referring : json, name, isValid, !tellsNew(operation));
  return refers && isObject(named) ? { ...named, ...references } : named;
}
