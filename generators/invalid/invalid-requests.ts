import type { Contract, Operation } from '../../spec/index.ts';
import { isUnsatisfiable } from '../schema/arbitrary-for.ts';
import { bodyContent, concreteType, isJson } from '../parameters/media.ts';
import { requestArbitrary } from '../parameters/request-arbitrary.ts';
import type { RequestArbitraryOptions } from '../parameters/request-arbitrary.ts';
import type { GeneratedRequest } from '../parameters/request.ts';
import type { InvalidCase } from './invalid-case.ts';
import { invalidParameters } from './invalid-parameters.ts';
import { invalidValues } from './invalid-values.ts';

/** A text that is not valid JSON. */
interface Malformed {
  readonly label: string;
  readonly text: (body: string) => string;
}

/** Lenient parsers accept comments, single quotes, trailing commas and more. */
const MALFORMED: readonly Malformed[] = [
  { label: 'unclosed object', text: () => '{"name": "assay", "inner": {"a": 1}' },
  { label: 'object that ends after a name', text: () => '{"name": "assay", "inner"' },
  { label: 'last character missing', text: (body) => body.slice(0, -1) },
  { label: 'second half missing', text: (body) => body.slice(0, Math.ceil(body.length / 2)) },
  { label: 'trailing comma', text: (body) => body.replace(/([}\]])\s*$/, ',$1') },
  { label: 'single quotes', text: (body) => body.replaceAll('"', `'`) },
  { label: 'comment', text: (body) => `/* assay */ ${body}` },
  { label: 'text after the end', text: (body) => `${body} x` },
  { label: 'repeated body', text: (body) => `${body}${body}` },
  { label: 'unquoted name', text: () => '{name: "assay"}' },
  { label: 'NaN', text: () => '{"name": NaN}' },
  { label: 'line break in a string', text: () => '{"name": "a\nb"}' },
  { label: 'invalid escape', text: () => String.raw`{"name": "\x41"}` },
  { label: 'bare word', text: () => 'assay' },
  { label: 'XML', text: () => '<name>assay</name>' },
  { label: 'empty', text: () => '' },
  { label: 'white space only', text: () => '  \n' },
];

/**
 * Requests of an operation that each violate exactly one constraint, confirmed by the validator, in a stable order. Empty if no valid
 * request can be generated.
 */
export function invalidRequests(
  contract: Contract,
  operation: Operation,
  options: RequestArbitraryOptions = {},
): InvalidCase[] {
  const arbitrary = requestArbitrary(contract, operation, options);
  if (isUnsatisfiable(arbitrary)) return [];
  const base = arbitrary.simplest;
  return [
    ...malformed(operation, base),
    ...invalidBodies(contract, operation, base, options),
    ...missingBody(operation, base),
    ...invalidParameters(contract, operation, base),
  ];
}

function malformed(operation: Operation, base: GeneratedRequest): InvalidCase[] {
  const { body } = base;
  if (body === undefined || !isJson(body.type)) return [];
  const text = JSON.stringify(body.value);
  // An empty text is a valid request where the body may be absent.
  const isDue = ({ text: corrupt }: (typeof MALFORMED)[number]): boolean =>
    operation.body?.required === true || corrupt(text).trim() !== '';
  return MALFORMED.filter(isDue).map(({ label, text: corrupt }) => ({
    pointer: '',
    keyword: 'json',
    label: `invalid JSON: ${label}`,
    request: base,
    rawBody: corrupt(text),
  }));
}

function invalidBodies(
  contract: Contract,
  operation: Operation,
  base: GeneratedRequest,
  options: RequestArbitraryOptions,
): InvalidCase[] {
  const media = bodyContent(operation.body);
  if (media?.schema === undefined || !isJson(media.type)) return [];
  const type = concreteType(media.type);
  return invalidValues(contract, media.schema, options.pins === undefined ? {} : { pins: options.pins }).map(
    ({ pointer, keyword, label, value }) => ({ pointer, keyword, label, request: { ...base, body: { type, value } } }),
  );
}

function missingBody(operation: Operation, base: GeneratedRequest): InvalidCase[] {
  if (operation.body?.required !== true || base.body === undefined) return [];
  const { path, query, headers } = base;
  return [{ pointer: '', keyword: 'required', label: 'no body', request: { path, query, headers } }];
}
