/** The cost that each shard has been given so far, by the number of shards. */
const given = new Map<number, number[]>();

/**
 * Assigns a test to the shard with the lowest cost so far; true where that is this shard. Every machine declares the same tests in the
 * same order, so that all of them compute the same assignment.
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
