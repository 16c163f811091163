import type { Json, SchemaRef } from '../../../spec/index.ts';
import { Draw } from '../../core/draw.ts';
import { PROFILES } from '../../core/profile.ts';
import { Prng } from '../../core/prng.ts';
import { sizeGenerator } from '../../values/size.ts';
import type { Constraints } from '../constraints.ts';
import type { Child, ValueGenerator, NodeOf } from './value-generator.ts';

/** Later items are plain: more unusual ones cost time and find no more defects. */
const RICH_ITEMS = 12;

export function arrayGenerator(constraints: Constraints, salt: number, nodeOf: NodeOf): ValueGenerator | undefined {
  const { list } = constraints;
  const rest = itemRefs(constraints, Infinity);
  const restNode = nodeOf(rest);
  const childAt = (index: number): Child =>
    index < longestPrefix(constraints) ? nodeOf(itemRefs(constraints, index)) : restNode;
  const isClosed = rest.some((ref) => ref.schema === false) || (constraints.closed && rest.length === 0);
  const max = Math.min(list.max, isClosed ? longestPrefix(constraints) : Infinity);
  if (list.min > max) return undefined;
  const contained = list.contains.map((entry) => ({ ...entry, node: nodeOf([entry.ref, ...rest]) }));
  const size = sizeGenerator(list.min, max, salt, 4);
  return {
    generate: (draw) => placeContained(fill(draw, size(draw), childAt, list.unique, list.min), draw, contained),
    simplest: (depth) => simplestList(depth, list.min, childAt, list.unique, contained),
    child: (token) => (typeof token === 'number' ? childAt(token) : undefined),
  };
}

type Contained = readonly { readonly node: Child; readonly min: number }[];

function longestPrefix({ list }: Constraints): number {
  return Math.max(0, ...list.tuples.map((tuple) => tuple.prefix.length));
}

function itemRefs({ list }: Constraints, index: number): SchemaRef[] {
  return list.tuples.map((tuple) => tuple.prefix[index] ?? tuple.rest).filter((ref) => ref !== undefined);
}

function fill(draw: Draw, size: number, childAt: (index: number) => Child, unique: boolean, least: number): Json[] {
  const items: Json[] = [];
  const seen = unique ? new Set<string>() : undefined;
  const { offset } = draw;
  const share = Math.max(2, Math.floor(draw.budget / Math.max(1, size)));
  for (let misses = 0; items.length < size && misses < 30 + size;) {
    const child = childAt(items.length);
    if (!child.possible) break;
    draw.offset += 1;
    const item = makeItem(draw, child, items, seen === undefined, share);
    if (isNew(item, seen)) items.push(item);
    else misses += 1;
    if (draw.budget <= 0 && items.length >= least && items.length >= 2 && seen !== undefined) break;
  }
  draw.offset = offset;
  return items;
}

function makeItem(draw: Draw, child: Child, items: readonly Json[], mayRepeat: boolean, share: number): Json {
  if (mayRepeat && items.length >= RICH_ITEMS) return child.simplest(8) ?? draw.random.pick(items);
  if (mayRepeat && items.length > 0 && draw.random.chance(0.05)) return draw.random.pick(items);
  const before = draw.budget;
  draw.budget = Math.min(before, Math.max(share * 2, 20));
  const granted = draw.budget;
  const item = child.generate(draw);
  draw.budget = before - (granted - draw.budget);
  return item;
}

function isNew(item: Json, seen: Set<string> | undefined): boolean {
  if (seen === undefined) return true;
  const text = JSON.stringify(item);
  if (seen.has(text)) return false;
  seen.add(text);
  return true;
}

/** Replaces the first items by those that `contains` requires. */
function placeContained(items: Json[], draw: Draw | undefined, contained: Contained): Json[] {
  let index = 0;
  for (const { node, min } of contained) {
    for (let placed = 0; placed < min; placed += 1) {
      const item = draw === undefined ? node.simplest(8) : node.generate(draw);
      if (item !== undefined) items[index] = item;
      index += 1;
    }
  }
  return items;
}

function simplestList(
  depth: number,
  size: number,
  childAt: (index: number) => Child,
  unique: boolean,
  contained: Contained,
): Json | undefined {
  if (size === 0) return [];
  if (depth <= 0 || size > 100_000) return undefined;
  const items: Json[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < size; index += 1) {
    const child = childAt(index);
    const choices = unique ? distinctCandidates(child, depth - 1, size) : [child.simplest(depth - 1)];
    const item = choices.find((choice) => choice !== undefined && (!unique || isNew(choice, seen)));
    if (item === undefined) return undefined;
    items.push(item);
  }
  return placeContained(items, undefined, contained);
}

function distinctCandidates(child: Child, depth: number, size: number): (Json | undefined)[] {
  const simplest = child.simplest(depth);
  return simplest === undefined ? [] : [simplest, ...child.suggest(), ...several(child, size)];
}

function several(child: Child, size: number): Json[] {
  return Array.from({ length: size * 3 }, (_, index) => child.generate(new Draw(new Prng(index), PROFILES.sparse)));
}
