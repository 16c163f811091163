import { withoutRequiredAccess } from '../schema/access.ts';
import { createCompiler, keywordPointer } from './compiler.ts';
import { explain } from './explain.ts';
import { LAZY_REF, documentedView, schemaView } from './views.ts';
import type { ErrorObject } from 'ajv';
import type { Contract, Direction, SchemaViolation } from '../../contract.ts';
import { isObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import type { Compiler, KeywordFailure } from './compiler.ts';

/** Longest value shown in a message. */
const MAX_SHOWN = 80;

function shown(value: unknown): string {
  const json = (JSON.stringify(value) ?? String(value)).replaceAll(`"${LAZY_REF}":"`, '"$ref":"#');
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN - 1)}…` : json;
}

const withArticle = (word: string): string => (word === 'null' ? word : `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`);

function kindOf(value: unknown): string {
  return withArticle(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
}

/** What a value must be, by keyword. */
const VALUES: Readonly<Record<string, (schema: unknown) => string>> = {
  type: (schema) => [schema].flat().map(String).map(withArticle).join(' or '),
  enum: (schema) => `one of ${shown(schema)}`,
  const: shown,
  format: (schema) => withArticle(String(schema)),
  multipleOf: (schema) => `a multiple of ${shown(schema)}`,
};

/** Other messages with more detail than ajv's, by keyword. */
const MESSAGES: Readonly<Record<string, (error: ErrorObject) => string>> = {
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

/** The message about a failure, and what is expected instead. */
function wordsOf(error: ErrorObject): Pick<SchemaViolation, 'message' | 'expected'> {
  const { keyword, schema, data } = error;
  const expected = Object.hasOwn(VALUES, keyword) ? VALUES[keyword]?.(schema) : undefined;
  if (expected !== undefined)
    return { message: `must be ${expected}, but is ${keyword === 'type' ? kindOf(data) : shown(data)}`, expected };
  const own = Object.hasOwn(MESSAGES, keyword) ? MESSAGES[keyword] : undefined;
  const message = own?.(error) ?? error.message ?? `fails ${keyword}`;
  return { message, expected: keyword === 'pattern' ? `a string that matches ${String(schema)}` : message };
}

/** Failures explained per value. */
const MAX_FAILURES = 100;

function violation(failure: KeywordFailure, grade: SchemaViolation['grade']): SchemaViolation {
  const { error } = failure;
  return {
    instancePointer: error.instancePath,
    schemaPointer: keywordPointer(failure),
    keyword: error.keyword,
    ...wordsOf(error),
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

/** The validator of a normalised document: `documented` is what also violates it without its published schemas, else `published`. */
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
