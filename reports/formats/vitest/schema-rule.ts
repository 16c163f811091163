import { isObject } from '../../../spec/json.ts';
import type { FindingEvidence } from './evidence.ts';
import { quoted } from './literal.ts';

/** Keywords of JSON Schema as expectations about a value. */
const RULES: Readonly<Record<string, (bound: string) => string>> = {
  type: (bound) => `expect(value).toSatisfy((each: any) => isA(each, [${bound}].flat()))`,
  enum: (bound) => `expect(${bound}).toContainEqual(value)`,
  const: (bound) => `expect(value).toEqual(${bound})`,
  required: (bound) => `expect(Object.keys(value)).toEqual(expect.arrayContaining(${bound}))`,
  minimum: (bound) => `expect(value).toBeGreaterThanOrEqual(${bound})`,
  maximum: (bound) => `expect(value).toBeLessThanOrEqual(${bound})`,
  minLength: (bound) => `expect([...value].length).toBeGreaterThanOrEqual(${bound})`,
  maxLength: (bound) => `expect([...value].length).toBeLessThanOrEqual(${bound})`,
  minItems: (bound) => `expect(value.length).toBeGreaterThanOrEqual(${bound})`,
  maxItems: (bound) => `expect(value.length).toBeLessThanOrEqual(${bound})`,
  pattern: (bound) => `expect(value).toMatch(new RegExp(${bound}, 'u'))`,
};

/** The schema of what contains no list; negated, that of a wrapper of a list. */
const NO_LIST = '{"additionalProperties":{"not":{"type":"array"}}}';

const CONTAINS_LIST =
  "expect(value).toSatisfy((each: any) => Array.isArray(each) || (!('id' in each) && Object.values(each).some(Array.isArray)))";

const FORMATS: Readonly<Record<string, string>> = {
  uuid: String.raw`/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i`,
  'date-time': String.raw`/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i`,
};

/** The violated keyword as an expectation, for every item of a list; answers with another status or media type have other schemas. */
export function schemaExpectation({
  finding,
  script,
  answer,
  last,
  unaskedType,
}: FindingEvidence): readonly string[] | undefined {
  const { keyword = '', value = null } = script.rule ?? {};
  const places = (finding.instancePointer ?? '').replaceAll(/\/\d+(?=\/|$)/g, '/*');
  const check = checkOf(keyword, value);
  const { status } = last.request.received ?? {};
  const conditions = [
    ...(status === undefined ? [] : [`${answer}.status === ${status}`]),
    ...(unaskedType === undefined ? [] : [`${answer}.type === ${quoted(unaskedType)}`]),
  ];
  const only = conditions.length === 0 ? '' : `if (${conditions.join(' && ')}) `;
  return check === undefined
    ? undefined
    : [`${only}for (const value of all(${answer}.json, ${quoted(places)})) ${check};`];
}

/** The expectation about `value`; undefined for keywords that are not known. */
function checkOf(keyword: string, bound: unknown): string | undefined {
  if (keyword === 'format') return formatCheck(bound);
  if (keyword === 'anyOf') return alternativesCheck(bound);
  if (keyword === 'not') {
    const alternatives = isObject(bound) && Array.isArray(bound['anyOf']) ? bound['anyOf'] : [bound];
    return alternatives.some((each) => JSON.stringify(each) === NO_LIST) ? CONTAINS_LIST : undefined;
  }
  return RULES[keyword]?.(JSON.stringify(bound));
}

function formatCheck(format: unknown): string | undefined {
  const pattern = typeof format === 'string' ? FORMATS[format] : undefined;
  return pattern === undefined ? undefined : `expect(value).toMatch(${pattern})`;
}

/** A value has the type of one of the alternatives; where one is a list and one an object around a list, it contains a list. */
function alternativesCheck(alternatives: unknown): string | undefined {
  const schemas = Array.isArray(alternatives) ? alternatives.filter(isObject) : [];
  const types = schemas.flatMap(({ type }) => type ?? []);
  if (schemas.length === 0 || !schemas.every(({ type }) => type !== undefined)) return undefined;
  const isOfList = types.includes('array') && schemas.some((each) => each['not'] !== undefined);
  return isOfList ? CONTAINS_LIST : RULES['type']?.(JSON.stringify(types));
}
