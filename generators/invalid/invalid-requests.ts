import { isObject } from '../../spec/index.ts';
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
  readonly text: (body: string, name: string) => string;
}

/** How {@link invalidRequests} makes invalid requests. */
interface InvalidOptions extends RequestArbitraryOptions {
  /** The name in texts that are not valid JSON, by which an item can be found that a lenient parser makes of one; default `assay`. */
  readonly name?: string;
}

/** Lenient parsers accept comments, single quotes, trailing commas and more. */
const MALFORMED: readonly Malformed[] = [
  { label: 'unclosed object', text: (_, name) => `{"name": "${name}", "inner": {"a": 1}` },
  { label: 'object that ends after a name', text: (_, name) => `{"name": "${name}", "inner"` },
  { label: 'last character missing', text: (body) => body.slice(0, -1) },
  { label: 'second half missing', text: (body) => body.slice(0, Math.ceil(body.length / 2)) },
  { label: 'trailing comma', text: (body) => body.replace(/([}\]])\s*$/, ',$1') },
  { label: 'single quotes', text: (body) => body.replaceAll('"', `'`) },
  { label: 'comment', text: (body) => `/* assay */ ${body}` },
  { label: 'text after the end', text: (body) => `${body} x` },
  { label: 'repeated body', text: (body) => `${body}${body}` },
  { label: 'unquoted name', text: (_, name) => `{name: "${name}"}` },
  { label: 'NaN', text: (_, name) => `{"name": "${name}", "size": NaN}` },
  { label: 'line break in a string', text: (_, name) => `{"name": "${name}\n"}` },
  { label: 'invalid escape', text: (_, name) => String.raw`{"name": "${name}\x41"}` },
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
  { name = 'assay', ...options }: InvalidOptions = {},
): InvalidCase[] {
  const arbitrary = requestArbitrary(contract, operation, options);
  if (isUnsatisfiable(arbitrary)) return [];
  const base = arbitrary.simplest;
  return [
    ...malformed(operation, base, name),
    ...invalidBodies(contract, operation, base, options),
    ...missingBody(operation, base),
    ...invalidParameters(contract, operation, base),
  ];
}

function malformed(operation: Operation, base: GeneratedRequest, name: string): InvalidCase[] {
  const { body } = base;
  if (body === undefined || !isJson(body.type)) return [];
  const isNamed = isObject(body.value) && typeof body.value['name'] === 'string';
  const text = JSON.stringify(isNamed ? { ...body.value, name } : body.value);
  // An empty text is a valid request where the body may be absent.
  const isDue = ({ text: corrupt }: (typeof MALFORMED)[number]): boolean =>
    operation.body?.required === true || corrupt(text, name).trim() !== '';
  return MALFORMED.filter(isDue).map(({ label, text: corrupt }) => ({
    pointer: '',
    keyword: 'json',
    label: `invalid JSON: ${label}`,
    request: base,
    rawBody: corrupt(text, name),
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
