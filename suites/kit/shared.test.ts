import { expect, test } from 'vitest';
import { Skip } from '../../domain/context.ts';
import { Postponed } from './context.ts';
import { Shared } from './shared.ts';

test.each([
  ['is made again after a request was postponed, a few times', new Postponed('busy'), 3],
  ['is not made again after it failed for good', new Skip('refused'), 1],
])('what tests share %s', async (_, error, attempts) => {
  const shared = new Shared();
  let made = 0;
  const make = async (): Promise<never> => {
    made += 1;
    throw error;
  };
  for (let test = 0; test < 5; test += 1) await expect(shared.once('agent', make)).rejects.toBe(error);
  expect(made).toBe(attempts);
});
