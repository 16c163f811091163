import type { Json } from '../../../spec/index.ts';
import { Draw } from '../../core/draw.ts';
import { PROFILES } from '../../core/profile.ts';
import { Prng } from '../../core/prng.ts';
import { put } from '../../core/put.ts';
import { sizeMaker } from '../../values/size.ts';
import type { Draft } from '../draft.ts';
import type { KeyMaker } from './keys.ts';
import { keyMaker } from './keys.ts';
import type { Child, Maker, NodeOf } from './maker.ts';
import { declaredNames, hasOtherMembers, isForbidden, memberRefs } from './members.ts';

interface Entry {
  readonly name: string;
  readonly required: boolean;
  readonly node: Child;
}

interface Plan {
  readonly draft: Draft;
  readonly entries: readonly Entry[];
  readonly others: { readonly key: KeyMaker; readonly size: (draw: Draw) => number } | undefined;
  readonly nodeFor: (name: string) => Child;
}

export function objectMaker(draft: Draft, salt: number, nodeOf: NodeOf): Maker | undefined {
  const names = declaredNames(draft);
  if (draft.size.min > draft.size.max || [...draft.required].some((name) => isForbidden(draft, name))) return undefined;
  const nodeFor = (name: string) => nodeOf(memberRefs(draft, name));
  const entries = names
    .filter((name) => !isForbidden(draft, name) && (draft.required.has(name) || !isReadOnly(draft, name)))
    .map((name) => ({ name, required: draft.required.has(name), node: nodeFor(name) }));
  const least = Math.max(0, draft.size.min - entries.length);
  const others = hasOtherMembers(draft)
    ? {
        key: keyMaker(draft, nodeOf),
        size: sizeMaker(least, Math.max(least, draft.size.max - entries.length), salt, 2),
      }
    : undefined;
  const plan: Plan = { draft, entries, others, nodeFor };
  return {
    make: (draw) => make(plan, draw),
    simplest: (depth) => simplest(plan, depth),
    child: (token) => (typeof token === 'string' ? nodeFor(token) : undefined),
  };
}

/** What only answers carry is not sent. */
function isReadOnly(draft: Draft, name: string): boolean {
  return memberRefs(draft, name).some(({ schema }) => typeof schema === 'object' && schema['readOnly'] === true);
}

function make(plan: Plan, draw: Draw): Json {
  const { draft, entries } = plan;
  const result: Record<string, Json> = {};
  let size = 0;
  for (const { name, required, node } of entries) {
    const wanted = required || (size < draft.size.max && draw.random.chance(draw.profile.optional) && node.possible);
    if (!wanted) continue;
    put(result, name, sharing(draw, node));
    size += 1;
  }
  addDependent(plan, draw, result);
  addOthers(plan, draw, result);
  addUntilEnough(plan, draw, result);
  return dropUntilFew(plan, result);
}

/** Each member gets a share of the remaining budget, so that some is left for the last ones. */
function sharing(draw: Draw, node: Child): Json {
  const before = draw.budget;
  const granted = draw.profile.few === 1 ? before : Math.min(before, Math.max(70, Math.floor(before * 0.6)));
  draw.budget = granted;
  const value = node.make(draw);
  draw.budget += before - granted;
  return value;
}

function addDependent({ draft, nodeFor }: Plan, draw: Draw, result: Record<string, Json>): void {
  if (draft.dependent.size === 0) return;
  for (let changed = true; changed;) {
    const missing = [...draft.dependent]
      .filter(([name]) => Object.hasOwn(result, name))
      .flatMap(([, needed]) => needed)
      .filter((name) => !Object.hasOwn(result, name));
    for (const name of missing) put(result, name, nodeFor(name).make(draw));
    changed = missing.length > 0;
  }
}

function addOthers(plan: Plan, draw: Draw, result: Record<string, Json>): void {
  const { others, nodeFor } = plan;
  if (others === undefined) return;
  const size = others.size(draw);
  const { offset } = draw;
  let filler: Json | undefined;
  for (let index = 0; index < size; index += 1) {
    const key = others.key(draw, index);
    if (key === undefined || Object.hasOwn(result, key) || isForbidden(plan.draft, key)) continue;
    const node = nodeFor(key);
    draw.offset += 1;
    if (node.possible) {
      const plain =
        index < 30 || filler === undefined || plan.draft.members.some(({ patterns }) => patterns.length > 0);
      filler = plain ? node.make(draw) : filler;
      put(result, key, filler as Json);
    }
  }
  draw.offset = offset;
}

function addUntilEnough({ draft, entries, others, nodeFor }: Plan, draw: Draw, result: Record<string, Json>): void {
  if (draft.size.min === 0) return;
  const enough = () => Object.keys(result).length >= draft.size.min;
  for (const { name, node } of entries) {
    if (enough()) return;
    if (!Object.hasOwn(result, name) && node.possible) put(result, name, node.make(draw));
  }
  for (let index = 0; !enough() && index < draft.size.min * 10; index += 1) {
    const key = others?.key(draw, index);
    if (key !== undefined && !Object.hasOwn(result, key) && !isForbidden(draft, key))
      put(result, key, nodeFor(key).make(draw));
  }
}

function dropUntilFew({ draft }: Plan, result: Record<string, Json>): Json {
  if (draft.size.max === Infinity) return result;
  const surplus = Object.keys(result)
    .filter((name) => !draft.required.has(name))
    .slice(Math.max(0, draft.size.max - draft.required.size));
  const gone = new Set(surplus);
  return gone.size === 0 ? result : Object.fromEntries(Object.entries(result).filter(([name]) => !gone.has(name)));
}

function simplest(plan: Plan, depth: number): Json | undefined {
  const { draft, entries, others, nodeFor } = plan;
  const draw = new Draw(new Prng(1), PROFILES.plain);
  const needed = new Set(entries.filter(({ required }) => required).map(({ name }) => name));
  for (const name of needed) for (const more of draft.dependent.get(name) ?? []) needed.add(more);
  for (const { name } of entries) if (needed.size < draft.size.min) needed.add(name);
  for (let index = 0; needed.size < draft.size.min && index < 100 + draft.size.min * 10; index += 1) {
    const key = others?.key(draw, index);
    if (key !== undefined && !isForbidden(draft, key)) needed.add(key);
  }
  if (needed.size > 0 && depth <= 0) return undefined;
  const result: Record<string, Json> = {};
  for (const name of needed) {
    const value = nodeFor(name).simplest(depth - 1);
    if (value === undefined) return undefined;
    put(result, name, value);
  }
  return result;
}
