import { expect, test } from 'vitest';
import { nextShard } from './shard.ts';

const OPERATIONS = 5;

/** Three tests of each operation, with costs from 10 to 70 requests, as the shards get them. */
function assign(total: number, resources: number) {
  return Array.from({ length: 3 * OPERATIONS * resources }, (_, at) => {
    const operation = `operation ${at % (OPERATIONS * resources)}`;
    const cost = 10 + (at % 7) * 10;
    return { cost, operation, shard: nextShard(total, cost, [operation, `resource ${at % resources}`]) };
  });
}

/** The difference of the dearest and the cheapest shard, in requests, and the cost of the cheapest. */
function differenceOf(tests: ReturnType<typeof assign>, total: number) {
  const costs = Array.from({ length: total }, (_, index) =>
    tests.reduce((sum, { cost, shard }) => (shard === index + 1 ? sum + cost : sum), 0),
  );
  return { difference: Math.max(...costs) - Math.min(...costs), least: Math.min(...costs) };
}

test('the tests of an operation go to one shard, and all shards cost about the same', () => {
  const tests = assign(3, 40);
  const { difference, least } = differenceOf(tests, 3);
  expect(difference).toBeLessThanOrEqual(170 + 0.02 * least);
  const shardsOf = (operation: string) =>
    new Set(tests.filter((each) => each.operation === operation).map((each) => each.shard));
  const operations = [...new Set(tests.map(({ operation }) => operation))];
  expect(operations.filter((operation) => shardsOf(operation).size === 1).length).toBeGreaterThan(
    0.8 * operations.length,
  );
});

test('a single resource is split over all shards', () => {
  const { difference, least } = differenceOf(assign(2, 1), 2);
  expect(least).toBeGreaterThan(0);
  expect(difference).toBeLessThanOrEqual(170);
});
