import { decodePercent, isObject, readPointer } from '../../spec/index.ts';
import type { JsonObject, SchemaRef } from '../../spec/index.ts';
import { noConstraints } from './constraints.ts';
import type { Alternative, Constraints } from './constraints.ts';
import { keywordNamed } from './keywords/keywords.ts';
import { isReadOnly } from './types/properties.ts';
import type { SchemaSource } from './source.ts';
import { VIRTUAL } from './subschemas.ts';

/** Most combinations of the alternatives of one level. */
const MAX_VARIANTS = 48;

/** Most variants of one schema, with the alternatives in alternatives; more only if it has more alternatives itself. */
const MAX_NESTED = 480;

/** The selected alternatives, by pointer of the choice. */
type Chosen = ReadonlyMap<string, Alternative>;

/** The constraints of several schemas together, one variant per combination of alternatives; empty if unsatisfiable. */
export function collectConstraints(
  source: SchemaSource,
  refs: readonly SchemaRef[],
  withDiscriminators: boolean,
): Constraints[] {
  return combinations(source, refs, new Map(), withDiscriminators, 0, MAX_NESTED);
}

function combinations(
  source: SchemaSource,
  refs: readonly SchemaRef[],
  chosen: Chosen,
  withDiscriminators: boolean,
  depth: number,
  budget: number,
): Constraints[] {
  const constraints = combine(source, refs, chosen, withDiscriminators);
  if (constraints.impossible !== undefined) return [];
  const open = constraints.choices.filter((choice) => !chosen.has(choice.pointer) && choice.alternatives.length > 0);
  if (open.length === 0) return [constraints];
  if (depth > 8) return [];
  const all = indexCombinations(open.map((choice) => choice.alternatives.length));
  const rows = depth === 0 ? all : all.slice(0, budget);
  const share = Math.max(1, Math.floor(budget / rows.length));
  return rows.flatMap((row) => {
    const next = new Map(chosen);
    for (const [index, choice] of open.entries()) {
      const alternative = choice.alternatives[row[index] ?? 0];
      if (alternative !== undefined) next.set(choice.pointer, alternative);
    }
    return combinations(source, refs, next, withDiscriminators, depth + 1, share);
  });
}

/** All combinations of indexes; if there are too many, enough to use each index once. */
function indexCombinations(lengths: readonly number[]): number[][] {
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

function combine(
  source: SchemaSource,
  refs: readonly SchemaRef[],
  chosen: Chosen,
  withDiscriminators: boolean,
): Constraints {
  const constraints = noConstraints();
  const done = new Set<string>();
  constraints.pending.push(...refs);
  for (const alternative of chosen.values()) {
    constraints.pending.push(...alternative.refs);
    for (const name of alternative.require ?? []) constraints.required.add(name);
    for (const name of alternative.forbid ?? []) constraints.forbidden.add(name);
  }
  let root: string | undefined;
  const discriminators: SchemaRef[] = [];
  for (let next = constraints.pending.shift(); next !== undefined; next = constraints.pending.shift()) {
    const ref = resolveRef(source, next);
    root ??= ref.pointer;
    if (done.has(ref.pointer)) continue;
    done.add(ref.pointer);
    if (ref.pointer.startsWith(VIRTUAL)) discriminators.push(ref);
    else addKeywords(constraints, ref, root, withDiscriminators);
  }
  for (const ref of discriminators)
    if (isAllowed(source, constraints, ref)) addKeywords(constraints, ref, root ?? '', withDiscriminators);
  for (const name of constraints.required) if (isReadOnly(constraints, name)) constraints.required.delete(name);
  for (const name of constraints.required)
    if (constraints.forbidden.has(name)) constraints.impossible = `${name} is both required and forbidden`;
  if (constraints.types.size === 0) constraints.impossible = 'no type is left';
  return constraints;
}

/** Whether a property may have the value of a discriminator: many descriptions list other values, and mean other names. */
function isAllowed(source: SchemaSource, { members }: Constraints, { schema }: SchemaRef): boolean {
  const wanted = isObject(schema) && isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return wanted.every(([name, value]) =>
    members.every(({ properties }) => {
      const own = properties.get(name);
      const { enum: listed, const: only } = own === undefined ? {} : schemaOf(resolveRef(source, own));
      const is = isObject(value) ? value['const'] : undefined;
      return (!Array.isArray(listed) || listed.includes(is ?? null)) && (only === undefined || only === is);
    }),
  );
}

function schemaOf({ schema }: SchemaRef): JsonObject {
  return isObject(schema) ? schema : {};
}

function addKeywords(constraints: Constraints, ref: SchemaRef, root: string, withDiscriminators: boolean): void {
  const { schema, pointer } = ref;
  if (schema === false) constraints.impossible = `false schema at ${pointer}`;
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, value] of Object.entries(schema)) {
    keywordNamed(name)?.(constraints, value, { pointer, schema, root, withDiscriminators });
  }
}

/** Resolves a `$ref` without siblings; one with siblings is resolved by its keyword. */
function resolveRef(source: SchemaSource, ref: SchemaRef, hops = 0): SchemaRef {
  const { schema } = ref;
  if (typeof schema !== 'object' || typeof schema['$ref'] !== 'string' || Object.keys(schema).length > 1) return ref;
  if (hops > 20) return { pointer: ref.pointer, schema: true };
  const next = localTarget(source, schema['$ref']) ?? resolveAny(source, ref);
  return next.schema === schema ? ref : resolveRef(source, next, hops + 1);
}

function localTarget(source: SchemaSource, target: string): SchemaRef | undefined {
  if (!target.startsWith('#/')) return undefined;
  const pointer = decodePercent(target.slice(1));
  const schema = readPointer(source.document, pointer);
  return typeof schema === 'boolean' || isObject(schema) ? { pointer, schema } : undefined;
}

function resolveAny(source: SchemaSource, ref: SchemaRef): SchemaRef {
  try {
    return source.resolve(ref);
  } catch {
    return { pointer: ref.pointer, schema: true };
  }
}
