import { expect, test } from 'vitest';
import { SendError } from '../send-error.ts';
import { deadlineAfter } from './deadline.ts';

test('what is still under way when the time is over is rejected soon after', async () => {
  const deadline = deadlineAfter(50);
  let isUp = false;
  deadline.onTimeUp(() => (isUp = true));
  const began = performance.now();
  await expect(deadline.within(Promise.resolve('in time'))).resolves.toBe('in time');
  const error = await deadline.within(new Promise(() => undefined)).catch((each: unknown) => each);
  expect(isUp).toBe(true);
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

test('an interrupt rejects reads at once, and waits for changes that are under way', async () => {
  const deadline = deadlineAfter(undefined);
  const read = deadline.within(new Promise(() => undefined), true).catch((each: unknown) => each);
  const change = deadline.within(new Promise<string>((resolve) => void setTimeout(() => resolve('created'), 50)));
  const settled = deadline.interrupt();
  expect(await read).toMatchObject({ code: 'interrupted' });
  expect(() => deadline.check()).toThrow('interrupted');
  await settled;
  await expect(change).resolves.toBe('created');
});
