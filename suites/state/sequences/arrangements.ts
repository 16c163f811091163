import { array, nat, shuffledSubarray, tuple } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Arrange } from './ordering.ts';

/** Where own policies go among everybody's; those of others keep their order among themselves. */
export type Place = (own: readonly string[], others: readonly string[]) => readonly string[];

/** Arrangements that tell most ways of getting an order wrong. */
export const PLACES = {
  'turned round, around the others': (own, others) => around(own.toReversed(), others),
  'in front of the others': (own, others) => [...own, ...others],
  'behind the others, turned round': (own, others) => [...others, ...own.toReversed()],
  'as they were, around the others': (own, others) => around(own, others),
} as const satisfies Record<string, Place>;

function around(own: readonly string[], others: readonly string[]): readonly string[] {
  const half = Math.ceil(own.length / 2);
  return [...own.slice(0, half), ...others, ...own.slice(half)];
}

/** Puts own ids where `place` says. */
export function placed(own: readonly string[], place: Place): Arrange {
  return (ids) =>
    place(
      own,
      ids.filter((id) => !own.includes(id)),
    );
}

/** Any permutation of own policies, each before any of the others'. */
export function anyPlace(own: number): Arbitrary<Place> {
  const keys = Array.from({ length: own }, (_, at) => at);
  return tuple(shuffledSubarray(keys, { minLength: own }), array(nat(1000), { minLength: own, maxLength: own })).map(
    ([permutation, places]): Place =>
      (ids, others) => {
        const result = [...others];
        for (const [at, key] of permutation.entries())
          result.splice((places[at] ?? 0) % (result.length + 1), 0, ids[key] ?? '');
        return result;
      },
  );
}
