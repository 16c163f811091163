import { expect, test } from 'vitest';
import { deadlineAfter, checkDeadline } from './deadline.ts';
import { Skip } from './context.ts';

test('what is still under way when the time is used up ends as a skip, soon after', async () => {
  const deadline = deadlineAfter(50);
  const began = performance.now();
  await expect(deadline.within(Promise.resolve('in time'))).resolves.toBe('in time');
  await expect(deadline.within(new Promise(() => undefined))).rejects.toBeInstanceOf(Skip);
  expect(performance.now() - began).toBeGreaterThan(500);
  expect(() => {
    checkDeadline(deadline);
  }).toThrow(/--max-time/);
});

test('without a limit nothing ends', () => {
  expect(() => {
    checkDeadline(deadlineAfter(undefined));
  }).not.toThrow();
});
