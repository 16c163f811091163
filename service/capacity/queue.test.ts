import { expect, test } from 'vitest';
import { withService } from '../testing/client.ts';
import type { Seen } from '../testing/client.ts';

test('a queue of one server and 10 ms serves 20 requests in 200 ms, and the status check at once', () =>
  withService({ capacity: { servers: 1, serviceMs: 10 } }, async (send) => {
    const begun = performance.now();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => send('GET /api/aijobskills')));
    expect(performance.now() - begun).toBeGreaterThan(199);
    expect(statuses.every(({ status }) => status === 200)).toBe(true);
    expect((await send('GET /api/v1/status')).status).toBe(200);
  }));

test('a full queue rejects requests', () =>
  withService({ capacity: { servers: 2, serviceMs: 60_000, queue: 3 } }, async (send) => {
    const refused: Seen[] = [];
    for (let index = 0; index < 10; index++) {
      send('GET /api/aijobskills').then(
        (answer) => refused.push(answer),
        () => {},
      );
    }
    await expect.poll(() => refused.length).toBe(5);
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      Array.from({ length: 5 }, () => [503, '1']),
    );
  }));

test('exponential service times', () =>
  withService({ capacity: { servers: 4, serviceMs: 1, distribution: 'exponential' }, seed: 3 }, async (send) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send('GET /api/aijobskills')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  }));
