import { isObject } from '../../spec/index.ts';
import type { Contract, Json, JsonSchema, Operation, Parameter } from '../../spec/index.ts';
import { alternatives, parameterSchema } from '../kit/schema-parts.ts';

/** A query parameter with the name of a member of the items, and a value that some of them have. */
export interface MemberFilter {
  readonly parameter: string;
  readonly member: string;
  readonly value: string | boolean;
}

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

/** True where an item has a value that a filter does not select: a filter of texts may also look for a part, in any case. */
export function isOther(item: Json, { member, value }: MemberFilter): boolean {
  const own = valueIn(item, member);
  if (typeof own !== typeof value) return false;
  return typeof own === 'string' ? !own.toLowerCase().includes(String(value).toLowerCase()) : own !== value;
}

function isAllowed(contract: Contract, parameter: Parameter, value: Json): boolean {
  const { type, enum: known } = parameterSchema(contract, parameter);
  return typeof value === type && (!Array.isArray(known) || known.includes(value));
}

/** A member of new items that a query parameter is named as, and two values that both allow. */
export interface Filterable {
  readonly parameter: string;
  readonly member: string;
  readonly values: readonly [MemberFilter['value'], MemberFilter['value']];
}

/** The members of the body of a creation that query parameters are named as, where their schemas list values. */
export function choicesOf(contract: Contract, { parameters }: Operation, creation: Operation): readonly Filterable[] {
  const [content] = creation.body?.content ?? [];
  const body = content?.schema;
  return parameters.flatMap((parameter): Filterable[] => {
    if (parameter.in !== 'query' || body === undefined || NO_FILTER.test(parameter.name)) return [];
    const { type, enum: listed } = parameterSchema(contract, parameter);
    const values = type === 'boolean' ? [true, false] : Array.isArray(listed) ? (listed as readonly Json[]) : [];
    const known = alternatives(contract, body).flatMap(({ schema }) => namesIn(schema));
    const member = known.find((name) => plain(name) === plain(parameter.name));
    const [one, other] = values.filter((each) => typeof each === 'string' || typeof each === 'boolean');
    if (member === undefined || one === undefined || other === undefined) return [];
    return [{ parameter: parameter.name, member, values: [one, other] }];
  });
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
    const member = names.find((name) => plain(name) === plain(parameter.name));
    if (member === undefined) return [];
    const candidates = items.flatMap((item) => {
      const value = valueIn(item, member);
      const isFit = (typeof value === 'string' && value !== '') || typeof value === 'boolean';
      return isFit && isAllowed(contract, parameter, value) ? [{ parameter: parameter.name, member, value }] : [];
    });
    return candidates.find((each) => items.some((item) => isOther(item, each))) ?? [];
  });
}
