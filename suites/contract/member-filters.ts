import { isObject } from '../../spec/index.ts';
import type { Contract, Json, JsonSchema, Operation, Parameter, SchemaRef } from '../../spec/index.ts';
import { alternatives, parameterSchema, propertyOf } from '../kit/schema-parts.ts';

/** A query parameter with the name of a member of the items, and a value that some of them have. */
export interface MemberFilter {
  readonly parameter: string;
  readonly member: string;
  readonly value: string | boolean | number;
  /** Set where the parameter gives the least or the greatest value. */
  readonly bound?: Bound;
}

type Bound = 'min' | 'max';

/** Parameters that select something else than items, although items may have a member of that name. */
const NO_FILTER =
  /^(page|limit|offset|skip|take|size|top|sort|order|fields|include|expand|embed|view|format|locale|lang|version|api_?version)/i;

/** The name in lower case without underscores, and without `filter` before it. */
const plain = (name: string): string =>
  name
    .replaceAll(/[[\]._-]/g, '')
    .replace(/^filter(?:by)?/i, '')
    .toLowerCase();

/** The members of an item, in JSON:API those of its attributes. */
function membersOf(item: Json): Readonly<Record<string, Json>> {
  if (!isObject(item)) return {};
  const { attributes } = item;
  return isObject(attributes) ? { ...item, ...attributes } : item;
}

export function valueIn(item: Json, member: string): Json | undefined {
  return membersOf(item)[member];
}

/** The member that a parameter is named as, with the bound that the name gives: `minSeats`, `price_max` or `price[gte]`. */
function memberNamed(
  names: readonly string[],
  { name }: Parameter,
): { readonly member: string; readonly bound?: Bound } | undefined {
  const own = plain(name);
  const member = names.find((each) => plain(each) === own);
  if (member !== undefined) return { member };
  const [, before, stem = '', last, after] = /^(?:(min|max)(?:imum)?(.+)|(.+?)(min|max|gte|lte))$/.exec(own) ?? [];
  const bounded = names.find((each) => plain(each) === (last ?? stem));
  const bound = ['min', 'gte'].includes(before ?? after ?? '') ? 'min' : 'max';
  return bounded === undefined ? undefined : { member: bounded, bound };
}

/** The first item of a response that a filter does not select. A number alone may also be the least or the greatest one. */
export function wrongIn(items: readonly Json[], filter: MemberFilter): Json | undefined {
  const others = items.filter((item) => isOther(item, filter));
  if (typeof filter.value !== 'number' || filter.bound !== undefined) return others[0];
  const sides = (['min', 'max'] as const).map((bound) => others.find((item) => isOther(item, { ...filter, bound })));
  return sides.every((each) => each !== undefined) ? sides[0] : undefined;
}

/** True where an item has a value that a filter does not select: a filter of texts may also look for a part, in any case. */
export function isOther(item: Json, { member, value, bound }: MemberFilter): boolean {
  const own = valueIn(item, member);
  if (typeof own !== typeof value) return false;
  if (bound !== undefined) return bound === 'min' ? Number(own) < Number(value) : Number(own) > Number(value);
  return typeof own === 'string' ? !own.toLowerCase().includes(String(value).toLowerCase()) : own !== value;
}

function isAllowed(contract: Contract, parameter: Parameter, value: Json): boolean {
  if (typeof value === 'number') return isNumber(contract, parameter) && isValid(contract, parameter.schema, value);
  const { type, enum: known } = parameterSchema(contract, parameter);
  return typeof value === type && (!Array.isArray(known) || known.includes(value));
}

/** True for a parameter of numbers, or null. */
function isNumber(contract: Contract, parameter: Parameter): boolean {
  const { type } = parameterSchema(contract, parameter);
  return [type].flat().some((each) => each === 'integer' || each === 'number');
}

const isValid = (contract: Contract, schema: SchemaRef | undefined, value: Json): boolean =>
  schema !== undefined && contract.validate(schema, value).length === 0;

/** A member of new items that a query parameter is named as, and values that both allow: two, or three numbers in order. */
export interface Filterable extends Omit<MemberFilter, 'value'> {
  readonly values: readonly MemberFilter['value'][];
}

/** The members of the body of a creation that query parameters are named as, where their schemas list values or are numbers. */
export function choicesOf(contract: Contract, { parameters }: Operation, creation: Operation): readonly Filterable[] {
  const [content] = creation.body?.content ?? [];
  const body = content?.schema;
  return parameters.flatMap((parameter): Filterable[] => {
    if (parameter.in !== 'query' || body === undefined || NO_FILTER.test(parameter.name)) return [];
    const known = alternatives(contract, body).flatMap(({ schema }) => namesIn(schema));
    const named = memberNamed(known, parameter);
    if (named === undefined) return [];
    const values = isNumber(contract, parameter)
      ? numbersFor(contract, parameter, propertyOf(contract, body, named.member))
      : named.bound === undefined
        ? listedIn(contract, parameter)
        : [];
    return values.length < 2 ? [] : [{ parameter: parameter.name, ...named, values }];
  });
}

/** The first two values that the schema of a parameter lists. */
function listedIn(contract: Contract, parameter: Parameter): readonly (string | boolean)[] {
  const { type, enum: listed } = parameterSchema(contract, parameter);
  const values = type === 'boolean' ? [true, false] : Array.isArray(listed) ? (listed as readonly Json[]) : [];
  return values.filter((each) => typeof each === 'string' || typeof each === 'boolean').slice(0, 2);
}

/** Three numbers in order that a member allows, and of which a parameter allows the second one. */
function numbersFor(contract: Contract, parameter: Parameter, member: SchemaRef | undefined): readonly number[] {
  const sets = [1, 10, 100, 1000].map((first) => [first, first + 1, first + 2] as const);
  return (
    sets.find(
      (each) => each.every((value) => isValid(contract, member, value)) && isValid(contract, parameter.schema, each[1]),
    ) ?? []
  );
}

function namesIn(schema: JsonSchema): readonly string[] {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** The filters by members that can be tested with these items: some of them have the value, others do not. */
export function memberFilters(
  contract: Contract,
  { parameters }: Operation,
  items: readonly Json[],
): readonly MemberFilter[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(membersOf(item))))];
  return parameters.flatMap((parameter) => {
    if (parameter.in !== 'query' || NO_FILTER.test(parameter.name)) return [];
    const named = memberNamed(names, parameter);
    if (named === undefined) return [];
    const candidates = items.flatMap((item) => {
      const value = valueIn(item, named.member);
      const isFit = (typeof value === 'string' && value !== '') || typeof value === 'boolean';
      const mayBe = typeof value === 'number' || (isFit && named.bound === undefined);
      return mayBe && isAllowed(contract, parameter, value) ? [{ parameter: parameter.name, ...named, value }] : [];
    });
    return candidates.find((each) => wrongIn(items, each) !== undefined) ?? [];
  });
}
