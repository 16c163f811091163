/** What a shard has been given so far. */
interface Shard {
  cost: number;
  readonly subjects: Set<string>;
}

/** The shards so far, by how many there are. */
const given = new Map<number, readonly Shard[]>();

/** A shard may have this much more than the one with the least: as a part of its cost, and in requests. */
const SLACK = { part: 0.02, requests: 100 };

function choose(shards: readonly Shard[], subjects: readonly string[]): number {
  const byCost = shards.toSorted((a, b) => a.cost - b.cost);
  const least = byCost[0]?.cost ?? 0;
  const close = byCost.filter(({ cost }) => cost <= least + Math.max(SLACK.requests, SLACK.part * least));
  const [known] = subjects.flatMap((subject) => close.find((shard) => shard.subjects.has(subject)) ?? []);
  return shards.indexOf(known ?? (close[0] as Shard));
}

/**
 * The number of the shard, from 1, that runs the next test. The tests of an operation, then those of a resource, go to the same shard
 * while its cost is close to the lowest: it compiles their schemas and creates their items, the others do not. Every machine defines
 * the same tests in the same order, so that all of them come to the same result.
 *
 * @param cost Expected requests of the test.
 * @param subjects What it tests, the nearest first: its operation, then its resource.
 */
export function nextShard(total: number, cost: number, subjects: readonly string[]): number {
  const shards = given.get(total) ?? Array.from({ length: total }, () => ({ cost: 0, subjects: new Set<string>() }));
  given.set(total, shards);
  const index = choose(shards, subjects);
  const shard = shards[index];
  if (shard !== undefined) shard.cost += cost;
  for (const subject of subjects) shard?.subjects.add(subject);
  return index + 1;
}
