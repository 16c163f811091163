import { isDeepStrictEqual } from 'node:util';
import type { GeneratedRequest } from '../../generators/index.ts';
import { isObject, pointerTo, pointerTokens, readPointer } from '../../spec/index.ts';
import type { Contract, Json, JsonSchema, Operation, SchemaRef } from '../../spec/index.ts';
import { propertyOf, restOf } from '../kit/schema-parts.ts';

/** A member or parameter in which a request differs from a plain one. */
export interface Place {
  readonly in: 'body' | 'query' | 'path' | 'headers';
  /** Within that part of the request. */
  readonly pointer: string;
  /** A name that does not depend on the input: a pointer with `*` for list positions and keys of maps, `?name` or `{name}`. */
  readonly name: string;
}

const PARTS = ['path', 'query', 'headers'] as const;

/** Where a request differs from a plain one. */
export function placesOf(
  contract: Contract,
  operation: Operation,
  value: GeneratedRequest,
  simplest: GeneratedRequest,
): readonly Place[] {
  const parts = PARTS.flatMap((part) =>
    Object.keys(value[part])
      .filter((name) => !isDeepStrictEqual(value[part][name], simplest[part][name]))
      .map((name): Place => ({
        in: part,
        pointer: pointerTo('', name),
        name: part === 'query' ? `?${name}` : `{${name}}`,
      })),
  );
  return [...parts, ...bodyPlaces(contract, operation, value.body?.value, simplest.body?.value)];
}

function bodyPlaces(
  contract: Contract,
  operation: Operation,
  value: Json | undefined,
  simplest: Json | undefined,
): readonly Place[] {
  const schema = operation.body?.content.find((each) => each.schema !== undefined)?.schema;
  return leaves(value, simplest).map((pointer) => ({
    in: 'body',
    pointer,
    name: schema === undefined ? '/*' : generalPointer(contract, schema, pointer),
  }));
}

/** Pointers at which two values differ; an object that one of them lacks counts member by member. */
function leaves(value: Json | undefined, simplest: Json | undefined, at = ''): readonly string[] {
  if (value === undefined) return simplest === undefined ? [] : [at];
  if (isObject(value) && (simplest === undefined || isObject(simplest)) && Object.keys(value).length > 0) {
    const keys = new Set([...Object.keys(value), ...Object.keys(simplest ?? {})]);
    return [...keys].flatMap((key) => leaves(member(value, key), member(simplest, key), pointerTo(at, key)));
  }
  if (Array.isArray(value) && (simplest === undefined || Array.isArray(simplest)) && value.length > 0) {
    const base: readonly Json[] = simplest ?? [];
    return value.flatMap((item: Json, index) => leaves(item, base[index], pointerTo(at, index)));
  }
  return isDeepStrictEqual(value, simplest) ? [] : [at];
}

function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A pointer with `*` for positions and for names that the schema does not know. */
export function generalPointer(contract: Contract, schema: SchemaRef, pointer: string): string {
  let at: SchemaRef | undefined = schema;
  let name = '';
  for (const token of pointerTokens(pointer)) {
    const known: SchemaRef | undefined = at === undefined ? undefined : propertyOf(contract, at, token);
    name += known === undefined ? '/*' : pointerTo('', token);
    at = known ?? (at === undefined ? undefined : restOf(contract, at));
  }
  return name;
}

/** A value without the members that its schema does not know: nothing is documented about those. */
export function knownPart(contract: Contract, ref: SchemaRef, value: Json): Json {
  const { pointer, schema } = contract.resolve(ref);
  const rest = restOf(contract, ref);
  if (Array.isArray(value))
    return rest === undefined ? value : (value as readonly Json[]).map((item) => knownPart(contract, rest, item));
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(value)) return value;
  if (!isObject(properties))
    return rest === undefined
      ? value
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, knownPart(contract, rest, member)]));
  const known = Object.entries(value).filter(([key]) => Object.hasOwn(properties, key));
  return Object.fromEntries(
    known.map(([key, member]) => [
      key,
      knownPart(
        contract,
        { pointer: pointerTo(pointer, 'properties', key), schema: properties[key] as JsonSchema },
        member,
      ),
    ]),
  );
}

/** The request, with the values of the plain one at the given places. */
export function neutral(
  value: GeneratedRequest,
  simplest: GeneratedRequest,
  places: readonly Place[],
): GeneratedRequest {
  let result = value;
  for (const place of places) {
    if (place.in === 'body') {
      if (result.body !== undefined)
        result = {
          ...result,
          body: { ...result.body, value: cleared(result.body.value, simplest.body?.value, stem(place.name)) },
        };
    } else {
      const [name = ''] = pointerTokens(place.pointer);
      const { [name]: _gone, ...others } = result[place.in] as Readonly<Record<string, never>>;
      const plain = simplest[place.in][name];
      result = { ...result, [place.in]: plain === undefined ? others : { ...others, [name]: plain } };
    }
  }
  return result;
}

/** The tokens of a pointer before the first `*`. */
function stem(name: string): readonly string[] {
  const tokens = pointerTokens(name);
  const end = tokens.indexOf('*');
  return end < 0 ? tokens : tokens.slice(0, end);
}

function cleared(value: Json, simplest: Json | undefined, [token, ...rest]: readonly string[]): Json {
  if (token === undefined) return simplest ?? (Array.isArray(value) ? [] : {});
  if (!isObject(value)) return value;
  const plain = member(simplest, token);
  const inner =
    rest.length === 0 || member(value, token) === undefined ? plain : cleared(value[token] ?? null, plain, rest);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      key !== token ? [[key, each]] : inner === undefined ? [] : [[key, inner]],
    ),
  );
}

/** Stands for the names of so many members that no single one can be blamed. */
const SEVERAL = 'several-members';

/** Names of places for a subject that stays the same between runs; of many places only their top-level members. */
export function placeNames(places: readonly Place[]): readonly string[] {
  const names = [...new Set(places.map((each) => each.name))].sort();
  if (names.length <= 3) return names;
  const tops = [...new Set(names.map((name) => name.split('/').slice(0, 2).join('/')))];
  return tops.length <= 4 ? tops : [SEVERAL];
}

/** True for so many places that a subject names none of them. */
export function isOfSeveral(places: readonly Place[]): boolean {
  return placeNames(places).includes(SEVERAL);
}

/** True where the request lacks what a plain one has. */
export function isLeftOut(value: GeneratedRequest, place: Place): boolean {
  return partAt(value, place) === undefined;
}

/** The request, with the members and parameters of the plain one that it lacks. */
export function completed(value: GeneratedRequest, simplest: GeneratedRequest): GeneratedRequest {
  const body =
    value.body !== undefined && isObject(value.body.value) && isObject(simplest.body?.value)
      ? { ...value.body, value: { ...simplest.body.value, ...value.body.value } }
      : value.body;
  return {
    path: { ...simplest.path, ...value.path },
    query: { ...simplest.query, ...value.query },
    headers: { ...simplest.headers, ...value.headers },
    ...(body === undefined ? {} : { body }),
  };
}

function partAt(value: GeneratedRequest, place: Place): Json | undefined {
  const part = place.in === 'body' ? value.body?.value : value[place.in];
  return part === undefined ? undefined : readPointer(part, place.pointer);
}

/** Texts that are this long and begin alike are the same: it is their length that matters. */
const LONG_TEXT = 100;

/** The beginning of the text at all of the places; undefined where texts differ, or for a short text of letters only. */
export function commonText(value: GeneratedRequest, places: readonly Place[]): string | undefined {
  const texts = new Set(places.map((each) => partAt(value, each)));
  const [text] = texts;
  if (texts.size !== 1 || typeof text !== 'string') return undefined;
  return text.length >= LONG_TEXT || /[^a-z]/i.test(text) ? text.slice(0, LONG_TEXT) : undefined;
}

/** The values at the places, for a message. */
export function describePlaces(value: GeneratedRequest, places: readonly Place[]): string {
  if (isOfSeveral(places)) return `${places.length} members with unusual values, ${longest(value, places)}`;
  const values = places
    .slice(0, 3)
    .map((place) => shown(place.in === 'body' ? place.pointer || 'the body' : place.name, partAt(value, place)));
  return `${values.join(', ')}${places.length > 3 ? ` and ${places.length - 3} more` : ''}`;
}

/** The largest part of the request: a size that is not supported is a frequent cause. */
function longest(value: GeneratedRequest, places: readonly Place[]): string {
  const sized = places.map((place) => ({ place, part: partAt(value, place) }));
  const lengthOf = (part: Json | undefined): number => JSON.stringify(part)?.length ?? 0;
  const [first] = sized.toSorted((a, b) => lengthOf(b.part) - lengthOf(a.part));
  if (first === undefined) return 'each of another kind';
  const { place, part } = first;
  return `the longest ${shown(place.in === 'body' ? place.pointer || 'the body' : place.name, part)}`;
}

function shown(name: string, value: Json | undefined): string {
  return value === undefined ? `${name} left out` : `${name} = ${valueText(value)}`;
}

function valueText(value: Json): string {
  const text = JSON.stringify(value);
  const short = text.length > 60 ? `${text.slice(0, 48)}…` : text;
  return typeof value === 'string' && value.length > 20 ? `${short} (${Array.from(value).length} characters)` : short;
}
