import { expect, it } from 'vitest';
import { newProgress, progressLine } from './progress.ts';

it('calls the time left a minimum where it is one', () => {
  const line = (isLeast: boolean): string => progressLine(newProgress(), { leftSeconds: 25, isLeast }, 10_000);
  expect(line(false)).toContain('· 25 s left ·');
  expect(line(true)).toContain('· at least 25 s left ·');
});
