/** What each shard has been given so far, by the number of shards; the order of declaration makes it deterministic. */
const given = new Map<number, number[]>();

/**
 * Gives a test to the shard that has the least to do so far, and says whether that is this one.
 * Every machine declares the same tests in the same order, so all of them come to the same split.
 */
export function takesShare(
  shard: { readonly index: number; readonly total: number } | undefined,
  cost: number,
): boolean {
  if (shard === undefined) return true;
  const loads = given.get(shard.total) ?? Array.from({ length: shard.total }, () => 0);
  given.set(shard.total, loads);
  const least = loads.indexOf(Math.min(...loads));
  loads[least] = (loads[least] ?? 0) + cost;
  return least === shard.index - 1;
}
