import { array, nat, shuffledSubarray, tuple } from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** Arranges the policies of this run among those of others, which keep their order. */
export type Arrangement = (own: readonly string[], others: readonly string[]) => readonly string[];

/** Arrangements that detect most ways of storing an order wrongly. */
export const ARRANGEMENTS = {
  reversedAround: (own, others) => around(own.toReversed(), others),
  first: (own, others) => [...own, ...others],
  reversedLast: (own, others) => [...others, ...own.toReversed()],
  around: (own, others) => around(own, others),
} as const satisfies Record<string, Arrangement>;

function around(own: readonly string[], others: readonly string[]): readonly string[] {
  const half = Math.ceil(own.length / 2);
  return [...own.slice(0, half), ...others, ...own.slice(half)];
}

/** Rearranges a whole order, with the own policies that are in it. */
export function arrange(order: readonly string[], own: readonly string[], arrangement: Arrangement): readonly string[] {
  const held = new Set(order);
  return arrangement(
    own.filter((id) => held.has(id)),
    order.filter((id) => !own.includes(id)),
  );
}

/** Any permutation of `count` own policies, each at any place among the others. */
export function anyArrangement(count: number): Arbitrary<Arrangement> {
  const indices = Array.from({ length: count }, (_, at) => at);
  const permutation = shuffledSubarray(indices, { minLength: count });
  return tuple(permutation, array(nat(1000), { minLength: count, maxLength: count })).map(
    ([order, places]): Arrangement =>
      (own, others) => {
        const result = [...others];
        for (const [at, index] of order.entries())
          result.splice((places[at] ?? 0) % (result.length + 1), 0, own[index] ?? '');
        return result;
      },
  );
}
