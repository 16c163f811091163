import type { Json } from '../../../spec/index.ts';
import { Draw } from '../../core/draw.ts';
import { PROFILES } from '../../core/profile.ts';
import { Prng } from '../../core/prng.ts';
import { setProperty } from '../../core/set-property.ts';
import { sizeGenerator } from '../../values/size.ts';
import type { Constraints } from '../constraints.ts';
import type { PropertyNameGenerator } from './property-names.ts';
import { propertyNameGenerator } from './property-names.ts';
import type { Child, ValueGenerator, NodeOf } from './value-generator.ts';
import { declaredNames, allowsOtherProperties, isForbidden, isReadOnly, propertyRefs } from './properties.ts';

interface Entry {
  readonly name: string;
  readonly required: boolean;
  readonly node: Child;
}

interface ObjectPlan {
  readonly constraints: Constraints;
  readonly entries: readonly Entry[];
  readonly others: { readonly key: PropertyNameGenerator; readonly size: (draw: Draw) => number } | undefined;
  readonly nodeFor: (name: string) => Child;
}

export function objectGenerator(constraints: Constraints, salt: number, nodeOf: NodeOf): ValueGenerator | undefined {
  const names = declaredNames(constraints);
  if (
    constraints.size.min > constraints.size.max ||
    [...constraints.required].some((name) => isForbidden(constraints, name))
  )
    return undefined;
  const nodeFor = (name: string) => nodeOf(propertyRefs(constraints, name));
  const entries = names
    .filter((name) => !isForbidden(constraints, name) && !isReadOnly(constraints, name))
    .map((name) => ({ name, required: constraints.required.has(name), node: nodeFor(name) }));
  const least = Math.max(0, constraints.size.min - entries.length);
  const others = allowsOtherProperties(constraints)
    ? {
        key: propertyNameGenerator(constraints, nodeOf),
        size: sizeGenerator(least, Math.max(least, constraints.size.max - entries.length), salt, 2),
      }
    : undefined;
  const plan: ObjectPlan = { constraints, entries, others, nodeFor };
  return {
    generate: (draw) => generate(plan, draw),
    simplest: (depth) => simplest(plan, depth),
    child: (token) => (typeof token === 'string' ? nodeFor(token) : undefined),
  };
}

function generate(plan: ObjectPlan, draw: Draw): Json {
  const { constraints, entries } = plan;
  const result: Record<string, Json> = {};
  let size = 0;
  for (const { name, required, node } of entries) {
    const wanted =
      required || (size < constraints.size.max && draw.random.chance(draw.profile.optional) && node.possible);
    if (!wanted) continue;
    setProperty(result, name, generateWithinShare(draw, node));
    size += 1;
  }
  addDependent(plan, draw, result);
  addOthers(plan, draw, result);
  addMissing(plan, draw, result);
  return removeSurplus(plan, result);
}

/** Generates a member with a share of the remaining budget, which leaves some for the following ones. */
function generateWithinShare(draw: Draw, node: Child): Json {
  const before = draw.budget;
  const granted = draw.profile.few === 1 ? before : Math.min(before, Math.max(70, Math.floor(before * 0.6)));
  draw.budget = granted;
  const value = node.generate(draw);
  draw.budget += before - granted;
  return value;
}

function addDependent({ constraints, nodeFor }: ObjectPlan, draw: Draw, result: Record<string, Json>): void {
  if (constraints.dependentRequired.size === 0) return;
  for (let changed = true; changed;) {
    const missing = [...constraints.dependentRequired]
      .filter(([name]) => Object.hasOwn(result, name))
      .flatMap(([, needed]) => needed)
      .filter((name) => !Object.hasOwn(result, name));
    for (const name of missing) setProperty(result, name, nodeFor(name).generate(draw));
    changed = missing.length > 0;
  }
}

function addOthers(plan: ObjectPlan, draw: Draw, result: Record<string, Json>): void {
  const { others, nodeFor } = plan;
  if (others === undefined) return;
  const size = others.size(draw);
  const { offset } = draw;
  let filler: Json | undefined;
  for (let index = 0; index < size; index += 1) {
    const key = others.key(draw, index);
    if (key === undefined || Object.hasOwn(result, key) || isForbidden(plan.constraints, key)) continue;
    const node = nodeFor(key);
    draw.offset += 1;
    if (node.possible) {
      const plain =
        index < 30 || filler === undefined || plan.constraints.members.some(({ patterns }) => patterns.length > 0);
      filler = plain ? node.generate(draw) : filler;
      setProperty(result, key, filler as Json);
    }
  }
  draw.offset = offset;
}

function addMissing(
  { constraints, entries, others, nodeFor }: ObjectPlan,
  draw: Draw,
  result: Record<string, Json>,
): void {
  if (constraints.size.min === 0) return;
  const enough = () => Object.keys(result).length >= constraints.size.min;
  for (const { name, node } of entries) {
    if (enough()) return;
    if (!Object.hasOwn(result, name) && node.possible) setProperty(result, name, node.generate(draw));
  }
  for (let index = 0; !enough() && index < constraints.size.min * 10; index += 1) {
    const key = others?.key(draw, index);
    if (key !== undefined && !Object.hasOwn(result, key) && !isForbidden(constraints, key))
      setProperty(result, key, nodeFor(key).generate(draw));
  }
}

function removeSurplus({ constraints }: ObjectPlan, result: Record<string, Json>): Json {
  if (constraints.size.max === Infinity) return result;
  const surplus = Object.keys(result)
    .filter((name) => !constraints.required.has(name))
    .slice(Math.max(0, constraints.size.max - constraints.required.size));
  const gone = new Set(surplus);
  return gone.size === 0 ? result : Object.fromEntries(Object.entries(result).filter(([name]) => !gone.has(name)));
}

function simplest(plan: ObjectPlan, depth: number): Json | undefined {
  const { constraints, entries, others, nodeFor } = plan;
  const draw = new Draw(new Prng(1), PROFILES.plain);
  const needed = new Set(entries.filter(({ required }) => required).map(({ name }) => name));
  for (const name of needed) for (const more of constraints.dependentRequired.get(name) ?? []) needed.add(more);
  for (const { name } of entries) if (needed.size < constraints.size.min) needed.add(name);
  for (let index = 0; needed.size < constraints.size.min && index < 100 + constraints.size.min * 10; index += 1) {
    const key = others?.key(draw, index);
    if (key !== undefined && !isForbidden(constraints, key)) needed.add(key);
  }
  if (needed.size > 0 && depth <= 0) return undefined;
  const result: Record<string, Json> = {};
  for (const name of needed) {
    const value = nodeFor(name).simplest(depth - 1);
    if (value === undefined) return undefined;
    setProperty(result, name, value);
  }
  return result;
}
