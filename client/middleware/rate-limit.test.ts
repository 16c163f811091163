import { expect, test } from 'vitest';
import { RateLimiter, RateLimits } from './rate-limit.ts';

/** The waits of a request that wants to be sent. */
async function waitsOf(limiter: RateLimiter): Promise<readonly string[]> {
  const waits: string[] = [];
  await limiter.turn((reason) => waits.push(reason));
  return waits;
}

test('a single 429 makes its own request wait, several make all wait', async () => {
  const limiter = new RateLimiter(Infinity);
  for (let count = 0; count < 40; count += 1) limiter.accepted();
  expect(limiter.refused(100)).toBe(100);
  expect(await waitsOf(limiter)).toEqual([]);
  for (let count = 0; count < 40; count += 1) limiter.accepted();
  const own = [limiter.refused(1000), limiter.refused(1000), limiter.refused(1000)];
  expect(own).toEqual([1000, 1000, 0]);
  expect(await waitsOf(limiter)).toEqual(['status-429']);
});

test('waits for the rate that the user set are not counted', async () => {
  const limiter = new RateLimiter(20);
  const began = performance.now();
  expect([...(await waitsOf(limiter)), ...(await waitsOf(limiter))]).toEqual([]);
  expect(performance.now() - began).toBeGreaterThan(45);
});

test.each([
  ['status-429', ['rate-limit']],
  ['status-503', []],
] as const)('where nothing is served between two pauses, %s lowers the rate or not', async (reason, expected) => {
  const limiter = new RateLimiter(Infinity);
  for (let pause = 0; pause < 2; pause += 1) {
    for (let count = 0; count < 4; count += 1) limiter.refused(10, reason);
    await limiter.wait(20);
  }
  await waitsOf(limiter);
  expect(await waitsOf(limiter)).toEqual(expected);
});

/** Records responses of the operation and of others by turns; returns the waits of a request of another operation and of its own. */
async function waitsAfter(refusals: readonly string[]): Promise<readonly (readonly string[])[]> {
  const limits = new RateLimits(Infinity);
  for (let count = 0; count < 64; count += 1) limits.accepted(`op ${count % 8}`);
  for (const operation of refusals) limits.refused(operation, 50);
  const waits = async (operation: string): Promise<readonly string[]> => {
    const seen: string[] = [];
    await limits.turn(operation, (reason) => seen.push(reason));
    return seen;
  };
  return [await waits('other'), await waits('op 0')];
}

test('a limit of one operation delays its requests only, a limit of all operations delays all', async () => {
  expect(await waitsAfter(['op 0', 'op 0', 'op 0', 'op 0'])).toEqual([[], ['status-429']]);
  const [other] = await waitsAfter(['op 0', 'op 1', 'op 2', 'op 3', 'op 4', 'op 5', 'op 6', 'op 7', 'op 0']);
  expect(other).toEqual(['status-429']);
});
