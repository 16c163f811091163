import { expect, it } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { removeAll } from './remove-all.ts';

it('removes nothing more once the target does not respond', async () => {
  let sent = 0;
  const remove = async (answered: boolean): Promise<Exchange> => {
    sent += 1;
    return (answered ? { response: { status: 204 } } : {}) as Exchange;
  };
  expect(await removeAll([true, true], remove)).toBe(2);
  expect(await removeAll(Array<boolean>(500).fill(false), remove)).toBe(0);
  expect(sent).toBeLessThan(20);
});
