import type { Json, JsonObject } from '../../spec/index.ts';
import { setProperty } from '../core/set-property.ts';
import { cuts, simplerEqualTexts, simplerTexts } from './text.ts';
import { isSimpler } from './weight.ts';

export type Path = readonly (string | number)[];

/** Constrains the shrinking of a value. */
export interface ShrinkGuide {
  /** Simple values that fit at a path, simplest first. */
  suggest(path: Path): readonly Json[];
  /** True if the complete value is valid. */
  accepts(value: Json): boolean;
  /** True for a text with a fixed syntax: only suggestions may replace it. */
  hasFixedSyntax?(path: Path): boolean;
  /** True for a part that must not change. */
  isFixed?(path: Path): boolean;
}

/** A part of a value; `rebuild` returns the complete value with another part in its place. */
interface Part<T extends Json> {
  readonly value: T;
  readonly path: Path;
  readonly guide: ShrinkGuide;
  readonly rebuild: (part: Json) => Json;
}

/** Simpler values, the largest simplification first. They may be invalid: the guide's `accepts` decides. */
export function* simplerJson(value: Json, guide: ShrinkGuide): Iterable<() => Json> {
  yield* simplerPart({ value, path: [], guide, rebuild: (part) => part });
  yield* simplerEqualTexts(value);
}

function* simplerPart(part: Part<Json>): Iterable<() => Json> {
  const { value, path, guide, rebuild } = part;
  if (guide.isFixed?.(path) === true) return;
  const suggestions = guide.suggest(path);
  for (const simple of suggestions) if (isSimpler(simple, value)) yield () => rebuild(simple);
  if (value !== null && path.length > 0) yield () => rebuild(null);
  yield* within(part, suggestions);
}

function* within(part: Part<Json>, suggestions: readonly Json[]): Iterable<() => Json> {
  const { value, rebuild } = part;
  if (value === true) yield () => rebuild(false);
  if (typeof value === 'number') {
    const targets = [0, ...suggestions.filter((simple) => typeof simple === 'number')];
    for (const simple of simplerNumbers(value, targets)) if (isSimpler(simple, value)) yield () => rebuild(simple);
  }
  if (typeof value === 'string' && part.guide.hasFixedSyntax?.(part.path) !== true) {
    for (const simple of simplerTexts(value)) if (isSimpler(simple, value)) yield () => rebuild(simple);
  }
  if (isList(value)) yield* simplerList({ ...part, value });
  else if (typeof value === 'object' && value !== null) yield* simplerObject({ ...part, value });
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function* simplerList(part: Part<readonly Json[]>): Iterable<() => Json> {
  const { value, rebuild, guide, path } = part;
  for (const [from, to] of cuts(value.length)) yield () => rebuild([...value.slice(0, from), ...value.slice(to)]);
  const simple = guide.suggest([...path, 0])[0];
  if (simple !== undefined && value.length > 1) {
    const uniform = value.map((item) => (isSimpler(simple, item) ? simple : item));
    if (isSimpler(uniform, value)) yield () => rebuild(uniform);
  }
  for (const [index, item] of value.entries()) {
    yield* simplerPart({
      value: item,
      path: [...path, index],
      guide,
      rebuild: (other) => rebuild(value.with(index, other)),
    });
  }
}

function* simplerObject(part: Part<JsonObject>): Iterable<() => Json> {
  const { value, rebuild, guide, path } = part;
  yield* innerValues(part);
  const keys = removable(part);
  for (const [from, to] of cuts(keys.length)) {
    const gone = new Set(keys.slice(from, to));
    yield () => rebuild(without(value, gone));
  }
  for (const [key, member] of Object.entries(value)) {
    yield* simplerPart({
      value: member,
      path: [...path, key],
      guide,
      rebuild: (other) => rebuild(replaced(value, key, other)),
    });
  }
  for (const key of keys.length > 24 ? [] : keys) yield* renamed(part, key);
}

/** Properties that may be removed; each is checked only if there are few. */
function removable({ value, path, guide, rebuild }: Part<JsonObject>): string[] {
  const keys = Object.keys(value).filter((key) => guide.isFixed?.([...path, key]) !== true);
  return keys.length > 40 ? keys : keys.filter((key) => guide.accepts(rebuild(without(value, new Set([key])))));
}

/** Replaces a recursive value by one inside it. */
function* innerValues({ value, rebuild }: Part<JsonObject>): Iterable<() => Json> {
  for (const member of Object.values(value)) {
    for (const inner of isList(member) ? member.slice(0, 10) : [member]) {
      if (hasSameShape(inner, value)) yield () => rebuild(inner);
    }
  }
}

function hasSameShape(inner: Json, outer: JsonObject): boolean {
  if (typeof inner !== 'object' || inner === null || isList(inner)) return false;
  const keys = Object.keys(inner);
  return keys.length > 1 && keys.every((key) => Object.hasOwn(outer, key)) && isSimpler(inner, outer);
}

function* renamed({ value, rebuild }: Part<JsonObject>, key: string): Iterable<() => Json> {
  if (/^[a-z]{1,3}$/.test(key)) return;
  for (const name of ['a', 'b', 'c', ...simplerTexts(key)]) {
    if (isSimpler(name, key) && !Object.hasOwn(value, name)) yield () => rebuild(renamedIn(value, key, name));
  }
}

function without(value: JsonObject, gone: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !gone.has(key)));
}

function replaced(value: JsonObject, key: string, member: Json): JsonObject {
  const copy: Record<string, Json> = { ...value };
  setProperty(copy, key, member);
  return copy;
}

function renamedIn(value: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key === from ? to : key, member]));
}

/** Simpler numbers between the value and each target, the largest simplification first. */
function* simplerNumbers(value: number, targets: readonly number[]): Iterable<number> {
  if (!Number.isInteger(value)) {
    yield Math.trunc(value);
    for (let digits = 1; digits <= 6; digits += 1) yield Number(value.toPrecision(digits));
    return;
  }
  if (value < 0) yield -value;
  for (const target of targets) yield* between(value, target);
}

function* between(value: number, target: number): Iterable<number> {
  for (let gap = value - target; Math.abs(gap) >= 1; gap = Math.trunc(gap / 2)) yield value - gap;
}
