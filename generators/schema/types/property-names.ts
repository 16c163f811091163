import { hash } from 'fast-check';
import type { Draw } from '../../core/draw.ts';
import { INTERESTING_KEYS, PLAIN_KEYS } from '../../values/keys.ts';
import type { Constraints } from '../constraints.ts';
import { patternTexts } from '../pattern/pattern-texts.ts';
import type { Child, NodeOf } from './value-generator.ts';

/** Generates names of undeclared properties; undefined if there is none. */
export type PropertyNameGenerator = (draw: Draw, index: number) => string | undefined;

export function propertyNameGenerator(constraints: Constraints, nodeOf: NodeOf): PropertyNameGenerator {
  if (constraints.propertyNames.length > 0) return namesFrom(nodeOf(constraints.propertyNames));
  const patterns = constraints.members.flatMap((members) => members.patterns.map(([pattern]) => pattern.source));
  const onlyPatterns = constraints.members.some(
    ({ additional, patterns: own }) => own.length > 0 && additional?.schema === false,
  );
  if (patterns.length === 0) return anyName;
  const pools = patterns
    .map((pattern) => patternTexts([pattern], { min: 0, max: 200 }, undefined))
    .filter((pool) => pool.length > 0);
  return (draw, index) => {
    const pool = pools[draw.random.int(0, Math.max(0, pools.length - 1))];
    if (pool === undefined || (!onlyPatterns && draw.random.chance(0.3)))
      return onlyPatterns ? undefined : anyName(draw, index);
    return draw.random.pick(pool);
  };
}

function namesFrom(node: Child): PropertyNameGenerator {
  return (draw) => {
    if (!node.possible) return undefined;
    draw.offset += 1;
    const key = node.generate(draw);
    return typeof key === 'string' ? key : undefined;
  };
}

const SALT = hash('key');

function anyName(draw: Draw, index: number): string {
  const odd = index < 40 ? draw.interesting(INTERESTING_KEYS, SALT + index) : undefined;
  return odd ?? (index < PLAIN_KEYS.length ? (PLAIN_KEYS[index] ?? 'a') : `key${index}`);
}
