import type { Json, JsonObject } from '../../spec/index.ts';
import { put } from '../core/put.ts';
import { chunks, simplerEqualTexts, simplerTexts } from './text.ts';
import { isSimpler } from './weight.ts';

export type Path = readonly (string | number)[];

/** What shrinking needs to know about a value. */
export interface Guide {
  /** Simple values that fit at a path, simplest first. */
  suggest(path: Path): readonly Json[];
  /** True where a whole value is a valid one. */
  accepts(value: Json): boolean;
  /** True for a text with a format: only suggestions replace it. */
  shaped?(path: Path): boolean;
  /** True for a part that shrinking must not change. */
  fixed?(path: Path): boolean;
}

/** A part of a value, and how to replace it in the whole. */
interface Part<T extends Json> {
  readonly value: T;
  readonly path: Path;
  readonly guide: Guide;
  readonly whole: (part: Json) => Json;
}

/** Simpler values, the boldest simplification first. They may be invalid: the guide's `accepts` decides. */
export function* simplerJson(value: Json, guide: Guide): Iterable<() => Json> {
  yield* simplerPart({ value, path: [], guide, whole: (part) => part });
  yield* simplerEqualTexts(value);
}

function* simplerPart(part: Part<Json>): Iterable<() => Json> {
  const { value, path, guide, whole } = part;
  if (guide.fixed?.(path) === true) return;
  const suggestions = guide.suggest(path);
  for (const simple of suggestions) if (isSimpler(simple, value)) yield () => whole(simple);
  if (value !== null && path.length > 0) yield () => whole(null);
  yield* within(part, suggestions);
}

function* within(part: Part<Json>, suggestions: readonly Json[]): Iterable<() => Json> {
  const { value, whole } = part;
  if (value === true) yield () => whole(false);
  if (typeof value === 'number') {
    const targets = [0, ...suggestions.filter((simple) => typeof simple === 'number')];
    for (const simple of simplerNumbers(value, targets)) if (isSimpler(simple, value)) yield () => whole(simple);
  }
  if (typeof value === 'string' && part.guide.shaped?.(part.path) !== true) {
    for (const simple of simplerTexts(value)) if (isSimpler(simple, value)) yield () => whole(simple);
  }
  if (isList(value)) yield* simplerList({ ...part, value });
  else if (typeof value === 'object' && value !== null) yield* simplerObject({ ...part, value });
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function* simplerList(part: Part<readonly Json[]>): Iterable<() => Json> {
  const { value, whole, guide, path } = part;
  for (const [from, to] of chunks(value.length)) yield () => whole([...value.slice(0, from), ...value.slice(to)]);
  const simple = guide.suggest([...path, 0])[0];
  if (simple !== undefined && value.length > 1) {
    const uniform = value.map((item) => (isSimpler(simple, item) ? simple : item));
    if (isSimpler(uniform, value)) yield () => whole(uniform);
  }
  for (const [index, item] of value.entries()) {
    yield* simplerPart({
      value: item,
      path: [...path, index],
      guide,
      whole: (other) => whole(value.with(index, other)),
    });
  }
}

function* simplerObject(part: Part<JsonObject>): Iterable<() => Json> {
  const { value, whole, guide, path } = part;
  yield* hoisted(part);
  const keys = removable(part);
  for (const [from, to] of chunks(keys.length)) {
    const gone = new Set(keys.slice(from, to));
    yield () => whole(without(value, gone));
  }
  for (const [key, member] of Object.entries(value)) {
    yield* simplerPart({
      value: member,
      path: [...path, key],
      guide,
      whole: (other) => whole(replaced(value, key, other)),
    });
  }
  for (const key of keys.length > 24 ? [] : keys) yield* renamed(part, key);
}

/** Members that can be left out; checked one by one only where that is cheap. */
function removable({ value, path, guide, whole }: Part<JsonObject>): string[] {
  const keys = Object.keys(value).filter((key) => guide.fixed?.([...path, key]) !== true);
  return keys.length > 40 ? keys : keys.filter((key) => guide.accepts(whole(without(value, new Set([key])))));
}

/** A recursive value can often be replaced by one inside it. */
function* hoisted({ value, whole }: Part<JsonObject>): Iterable<() => Json> {
  for (const member of Object.values(value)) {
    for (const inner of isList(member) ? member.slice(0, 10) : [member]) {
      if (looksAlike(inner, value)) yield () => whole(inner);
    }
  }
}

function looksAlike(inner: Json, outer: JsonObject): boolean {
  if (typeof inner !== 'object' || inner === null || isList(inner)) return false;
  const keys = Object.keys(inner);
  return keys.length > 1 && keys.every((key) => Object.hasOwn(outer, key)) && isSimpler(inner, outer);
}

function* renamed({ value, whole }: Part<JsonObject>, key: string): Iterable<() => Json> {
  if (/^[a-z]{1,3}$/.test(key)) return;
  for (const name of ['a', 'b', 'c', ...simplerTexts(key)]) {
    if (isSimpler(name, key) && !Object.hasOwn(value, name)) yield () => whole(renamedIn(value, key, name));
  }
}

function without(value: JsonObject, gone: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !gone.has(key)));
}

function replaced(value: JsonObject, key: string, member: Json): JsonObject {
  const copy: Record<string, Json> = { ...value };
  put(copy, key, member);
  return copy;
}

function renamedIn(value: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key === from ? to : key, member]));
}

/** Simpler numbers on the way to each target, the boldest simplification first. */
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
