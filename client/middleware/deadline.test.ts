import { expect, test } from 'vitest';
import { SendError } from '../send-error.ts';
import { deadlineAfter } from './deadline.ts';

test('what is still under way when the time is over is rejected soon after', async () => {
  const deadline = deadlineAfter(50);
  const began = performance.now();
  await expect(deadline.within(Promise.resolve('in time'))).resolves.toBe('in time');
  const error = await deadline.within(new Promise(() => undefined)).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(SendError);
  expect(error).toMatchObject({ code: 'time-limit' });
  expect(performance.now() - began).toBeGreaterThan(500);
  expect(() => deadline.check()).toThrow(/--budget/);
});

test('without a limit nothing ends', () => {
  const deadline = deadlineAfter(undefined);
  expect(() => deadline.check()).not.toThrow();
  expect(deadline.over()).toBe(false);
});
