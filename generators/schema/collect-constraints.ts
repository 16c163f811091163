import { isObject, readPointer } from '../../spec/index.ts';
import type { SchemaRef } from '../../spec/index.ts';
import { emptyDraft } from './draft.ts';
import type { Alternative, Draft } from './draft.ts';
import { keywordNamed } from './keywords/keywords.ts';
import type { SchemaSource } from './source.ts';

const MAX_VARIANTS = 48;

/** The selected alternatives, by pointer of the choice. */
type Chosen = ReadonlyMap<string, Alternative>;

/** The drafts of a conjunction of schemas, one for each combination of alternatives; empty if there is no value. */
export function gather(source: SchemaSource, refs: readonly SchemaRef[], naming: boolean): Draft[] {
  return ways(source, refs, new Map(), naming, 0);
}

function ways(
  source: SchemaSource,
  refs: readonly SchemaRef[],
  chosen: Chosen,
  naming: boolean,
  depth: number,
): Draft[] {
  const draft = conjunction(source, refs, chosen, naming);
  if (draft.impossible !== undefined) return [];
  const open = draft.choices.filter((choice) => !chosen.has(choice.pointer) && choice.alternatives.length > 0);
  if (open.length === 0) return [draft];
  if (depth > 8) return [];
  return rows(open.map((choice) => choice.alternatives.length)).flatMap((row) => {
    const next = new Map(chosen);
    for (const [index, choice] of open.entries()) {
      const alternative = choice.alternatives[row[index] ?? 0];
      if (alternative !== undefined) next.set(choice.pointer, alternative);
    }
    return ways(source, refs, next, naming, depth + 1);
  });
}

/** All combinations of indexes; if there are too many, enough to use each index once. */
function rows(lengths: readonly number[]): number[][] {
  const all = lengths.reduce((product, length) => product * length, 1);
  const total = all <= MAX_VARIANTS ? all : Math.max(...lengths);
  return Array.from({ length: total }, (_, row) => {
    let rest = row;
    return lengths.map((length) => {
      const index = rest % length;
      if (all <= MAX_VARIANTS) rest = Math.floor(rest / length);
      return index;
    });
  });
}

function conjunction(source: SchemaSource, refs: readonly SchemaRef[], chosen: Chosen, naming: boolean): Draft {
  const draft = emptyDraft();
  const done = new Set<string>();
  draft.also.push(...refs);
  for (const alternative of chosen.values()) {
    draft.also.push(...alternative.refs);
    for (const name of alternative.require ?? []) draft.required.add(name);
    for (const name of alternative.forbid ?? []) draft.forbidden.add(name);
  }
  let root: string | undefined;
  for (let next = draft.also.shift(); next !== undefined; next = draft.also.shift()) {
    const ref = followed(source, next);
    root ??= ref.pointer;
    if (done.has(ref.pointer)) continue;
    done.add(ref.pointer);
    take(draft, ref, root, naming);
  }
  for (const name of draft.required)
    if (draft.forbidden.has(name)) draft.impossible = `${name} is both required and forbidden`;
  if (draft.types.size === 0) draft.impossible = 'no type is left';
  return draft;
}

function take(draft: Draft, ref: SchemaRef, root: string, naming: boolean): void {
  const { schema, pointer } = ref;
  if (schema === false) draft.impossible = `false schema at ${pointer}`;
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, value] of Object.entries(schema)) {
    keywordNamed(name)?.(draft, value, { pointer, schema, root, naming });
  }
}

/** Resolves a `$ref` without siblings; one with siblings is resolved by its keyword. */
function followed(source: SchemaSource, ref: SchemaRef, hops = 0): SchemaRef {
  const { schema } = ref;
  if (typeof schema !== 'object' || typeof schema['$ref'] !== 'string' || Object.keys(schema).length > 1) return ref;
  if (hops > 20) return { pointer: ref.pointer, schema: true };
  const next = oneStep(source, schema['$ref']) ?? resolved(source, ref);
  return next.schema === schema ? ref : followed(source, next, hops + 1);
}

function oneStep(source: SchemaSource, target: string): SchemaRef | undefined {
  if (!target.startsWith('#/')) return undefined;
  const pointer = decoded(target.slice(1));
  const schema = readPointer(source.document, pointer);
  return typeof schema === 'boolean' || isObject(schema) ? { pointer, schema } : undefined;
}

function resolved(source: SchemaSource, ref: SchemaRef): SchemaRef {
  try {
    return source.resolve(ref);
  } catch {
    return { pointer: ref.pointer, schema: true };
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
