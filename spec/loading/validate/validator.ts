import { withoutRequiredAccess } from '../schema/access.ts';
import { createCompiler, keywordPointer } from './compiler.ts';
import { explain } from './explain.ts';
import { documentedView, schemaView } from './views.ts';
import type { ErrorObject } from 'ajv';
import type { Contract, Direction, SchemaViolation } from '../../contract.ts';
import { isObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import type { Compiler, KeywordFailure } from './compiler.ts';

/** Longest value shown in a message. */
const MAX_SHOWN = 80;

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN - 1)}…` : json;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/** Messages with more detail than ajv's, by keyword. */
const MESSAGES: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: (error) => `must be ${[error.schema].flat().join(' or ')}, but is ${kindOf(error.data)}`,
  enum: (error) => `must be one of ${shown(error.schema)}, but is ${shown(error.data)}`,
  const: (error) => `must be ${shown(error.schema)}, but is ${shown(error.data)}`,
  format: (error) => `must be a ${String(error.schema)}, but is ${shown(error.data)}`,
  multipleOf: (error) => `must be a multiple of ${shown(error.schema)}, but is ${shown(error.data)}`,
  pattern: (error) => `must match ${String(error.schema)}, but is ${shown(error.data)}`,
  required: (error) => `must have the property ${shown(error.params['missingProperty'])}`,
  additionalProperties: (error) => `must not have the property ${shown(error.params['additionalProperty'])}`,
  unevaluatedProperties: (error) => `must not have the property ${shown(error.params['unevaluatedProperty'])}`,
  not: ({ schema }) => {
    const description = isObject(schema) ? schema['description'] : undefined;
    return typeof description === 'string' ? `must not be ${description}` : `must not match ${shown(schema)}`;
  },
  anyOf: (error) => `must match one of ${Array.isArray(error.schema) ? error.schema.length : 'the'} alternatives`,
};

function messageOf(error: ErrorObject): string {
  const message = Object.hasOwn(MESSAGES, error.keyword) ? MESSAGES[error.keyword] : undefined;
  return message?.(error) ?? error.message ?? `fails ${error.keyword}`;
}

/** Failures explained per value. */
const MAX_FAILURES = 100;

function violation(failure: KeywordFailure, grade: SchemaViolation['grade']): SchemaViolation {
  const { error } = failure;
  return {
    instancePointer: error.instancePath,
    schemaPointer: keywordPointer(failure),
    keyword: error.keyword,
    message: messageOf(error),
    grade,
  };
}

function failuresOf(compiler: Compiler, pointer: string, value: unknown): readonly KeywordFailure[] {
  const failures = compiler.judge(pointer, value);
  if (failures === undefined) return [];
  // The alternatives of the whole value fail last, and explain the failures before them.
  const ofWhole = failures.slice(MAX_FAILURES).filter(({ error }) => error.instancePath === '');
  return explain(compiler, [...failures.slice(0, MAX_FAILURES), ...ofWhole], value);
}

interface Compilers {
  readonly whole: Compiler;
  readonly documented: Compiler | undefined;
}

function compilersOf(document: JsonObject): Compilers {
  const view = schemaView(document);
  const documented = documentedView(view);
  return { whole: createCompiler(view), documented: documented === undefined ? undefined : createCompiler(documented) };
}

/** What validates requests and what validates responses: the same, unless a property is required of one of them only. */
function directions(document: JsonObject): (direction: Direction) => Compilers {
  const documents = {
    request: withoutRequiredAccess(document, 'readOnly'),
    response: withoutRequiredAccess(document, 'writeOnly'),
  };
  const known = new Map<JsonObject, Compilers>();
  return (direction) => {
    const compilers = known.get(documents[direction]) ?? compilersOf(documents[direction]);
    known.set(documents[direction], compilers);
    return compilers;
  };
}

/**
 * Creates the validator of a normalised document. A violation is `documented` if the value also violates the document without its
 * published schemas, else `published`.
 */
export function createValidator(document: JsonObject): Contract['validate'] {
  let compilersFor: ReturnType<typeof directions> | undefined;
  return (ref, value, direction = 'request') => {
    compilersFor ??= directions(document);
    const { whole, documented } = compilersFor(direction);
    const all = failuresOf(whole, ref.pointer, value);
    if (all.length === 0) return [];
    if (documented === undefined) return all.map((failure) => violation(failure, 'documented'));
    const violations = failuresOf(documented, ref.pointer, value).map((failure) => violation(failure, 'documented'));
    const known = new Set(violations.map((item) => `${item.instancePointer} ${item.schemaPointer}`));
    const published = all
      .map((failure) => violation(failure, 'published'))
      .filter((item) => !known.has(`${item.instancePointer} ${item.schemaPointer}`));
    return [...violations, ...published];
  };
}
