import { isObject } from '../../spec/index.ts';
import type { Contract, Json, Operation, Parameter, SchemaViolation } from '../../spec/index.ts';
import { isGenerated, readings } from '../parameters/parameter.ts';
import { PLACES } from '../parameters/request.ts';
import type { GeneratedRequest } from '../parameters/request.ts';
import type { InvalidCase } from './invalid-case.ts';

/** Texts that are invalid for some type of parameter. */
const TEXTS: readonly string[] = [
  'not-a-valid-value',
  'null',
  '1.5',
  '-1',
  '0',
  '2147483648',
  '99999999999999999999',
  '1e999',
  'true',
  '',
  'a'.repeat(300),
  '[]',
  '2024-13-45',
  '00000000-0000-0000-0000-00000000000g',
  `'`,
];

/** Cases per parameter and violated keyword. */
const MAX_PER_KEYWORD = 3;

/** Requests with one invalid parameter. Validity is that of the text in the URL: `?x=null` is the string "null". */
export function* invalidParameters(
  contract: Contract,
  operation: Operation,
  base: GeneratedRequest,
): Iterable<InvalidCase> {
  for (const parameter of operation.parameters.filter(isGenerated)) {
    if (parameter.required && parameter.in !== 'path') yield missing(parameter, base);
    yield* invalidTexts(contract, parameter, base);
  }
}

function missing(parameter: Parameter, base: GeneratedRequest): InvalidCase {
  return { ...caseOf(parameter, 'required', 'missing'), request: withParameter(base, parameter, undefined) };
}

function* invalidTexts(contract: Contract, parameter: Parameter, base: GeneratedRequest): Iterable<InvalidCase> {
  const counts = new Map<string, number>();
  for (const text of TEXTS.filter((candidate) => isSendable(parameter, candidate))) {
    const violation = violationOf(contract, parameter, text);
    const count = (counts.get(violation?.keyword ?? '') ?? 0) + 1;
    if (violation === undefined || count > MAX_PER_KEYWORD) continue;
    counts.set(violation.keyword, count);
    yield {
      ...caseOf(parameter, violation.keyword, `as ${JSON.stringify(text.slice(0, 40))}`),
      request: withParameter(base, parameter, text),
    };
  }
}

function isSendable(parameter: Parameter, text: string): boolean {
  if (parameter.in === 'query') return true;
  return text !== '' && (parameter.in !== 'header' || text.trim() === text);
}

/** The first violation in the closest interpretation of a text; undefined if one is valid, or for arrays and objects. */
function violationOf(contract: Contract, parameter: Parameter, text: string): SchemaViolation | undefined {
  if (parameter.mediaType !== undefined) return undefined;
  const { schema } = contract.resolve(parameter.schema);
  const type = isObject(schema) ? schema['type'] : undefined;
  if (typeof type !== 'string' || type === 'array' || type === 'object') return undefined;
  const outcomes = readings(text).map((reading) => contract.validate(parameter.schema, reading));
  return outcomes.some((violations) => violations.length === 0)
    ? undefined
    : outcomes.toSorted((one, other) => typeErrors(one) - typeErrors(other))[0]?.[0];
}

function typeErrors(violations: readonly SchemaViolation[]): number {
  return violations.filter(({ keyword }) => keyword === 'type').length;
}

function withParameter(base: GeneratedRequest, parameter: Parameter, value: Json | undefined): GeneratedRequest {
  const place = PLACES[parameter.in];
  const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
  const others = Object.fromEntries(Object.entries(base[place] ?? {}).filter(([key]) => key !== name));
  return { ...base, [place]: value === undefined ? others : { ...others, [name]: value } };
}

function caseOf(parameter: Parameter, keyword: string, how: string): Omit<InvalidCase, 'request'> {
  return { pointer: `/${parameter.name}`, keyword, label: `${parameter.in} parameter ${parameter.name} ${how}` };
}
