import { createCompiler, keywordPointer } from './compiler.ts';
import { explain } from './explain.ts';
import { messageOf } from './message.ts';
import { documentedView, schemaView } from './views.ts';
import type { SchemaRef, SchemaViolation } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import type { Compiler, Failure } from './compiler.ts';

/** More reasons than this help nobody. */
const MAX_VIOLATIONS = 100;

function violation(failure: Failure, grade: SchemaViolation['grade']): SchemaViolation {
  const { error } = failure;
  return {
    instancePointer: error.instancePath,
    schemaPointer: keywordPointer(failure),
    keyword: error.keyword,
    message: messageOf(error),
    grade,
  };
}

function told(compiler: Compiler, pointer: string, value: unknown): readonly Failure[] {
  const failures = compiler.judge(pointer, value);
  return failures === undefined ? [] : explain(compiler, failures.slice(0, MAX_VIOLATIONS), value);
}

/**
 * Judges values by a normalised document. A violation is `documented` where the value also breaks the document without its published
 * schemas; all that breaks only the whole is `published`.
 */
export function createValidator(document: JsonObject): (ref: SchemaRef, value: unknown) => readonly SchemaViolation[] {
  let compilers: { readonly whole: Compiler; readonly documented: Compiler | undefined } | undefined;
  const prepare = (): NonNullable<typeof compilers> => {
    const view = schemaView(document);
    const documented = documentedView(view);
    return {
      whole: createCompiler(view),
      documented: documented === undefined ? undefined : createCompiler(documented),
    };
  };
  return (ref, value) => {
    compilers ??= prepare();
    const { whole, documented } = compilers;
    const all = told(whole, ref.pointer, value);
    if (all.length === 0) return [];
    if (documented === undefined) return all.map((failure) => violation(failure, 'documented'));
    const violations = told(documented, ref.pointer, value).map((failure) => violation(failure, 'documented'));
    const known = new Set(violations.map((item) => `${item.instancePointer} ${item.schemaPointer}`));
    const published = all
      .map((failure) => violation(failure, 'published'))
      .filter((item) => !known.has(`${item.instancePointer} ${item.schemaPointer}`));
    return [...violations, ...published];
  };
}
