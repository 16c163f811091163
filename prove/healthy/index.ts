import { createHash } from 'node:crypto';
import { COMBINED } from './combined.ts';
import { SINGLE } from './single.ts';
import type { Variation } from './variation.ts';

/** Deployments that meet every requirement in different ways: `verify` must pass against each. */
export const VARIATIONS: readonly Variation[] = [...SINGLE, ...COMBINED];

/**
 * Variations in random groups of `size`, for deployments that differ from the service in several ways at once. The same seed gives
 * the same groups. Variations that decide the same are in different groups, so that some groups can be smaller.
 */
export function randomGroups(variations: readonly Variation[], size: number, seed: number): readonly string[][] {
  const place = ({ name }: Variation): string => createHash('sha256').update(`${seed} ${name}`).digest('hex');
  const groups: Variation[][] = [];
  for (const [, each] of variations
    .map((each) => [place(each), each] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const group = groups.find(
      (others) =>
        others.length < size && !others.some((other) => other.decides !== undefined && other.decides === each.decides),
    );
    if (group === undefined) groups.push([each]);
    else group.push(each);
  }
  return groups.map((group) => group.map(({ name }) => name));
}
