import { expect, test } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { saveOrder, settleOrder } from './processing-order.ts';

test('the saved order stays to be restored when what tests share is forgotten', async () => {
  const contract = await loadContract();
  let order = ['a', 'b'];
  const journaled: string[] = [];
  const shared = new Map<string, Promise<unknown>>();
  const t = {
    contract,
    knowledge: {},
    settleMs: 10,
    journal: {
      saveGlobal: async (_: string, ids: readonly string[]) => void journaled.push(`saved ${ids.join('')}`),
      restored: async () => void journaled.push('kept'),
    },
    isOwn: () => false,
    once: (key: string, make: () => Promise<unknown>) => {
      const known = shared.get(key) ?? make();
      shared.set(key, known);
      return known;
    },
    sendQuietly: async () => ({ response: { status: 200, json: order.map((id) => ({ id })) } }),
  } as unknown as ApiContext;
  await saveOrder(t);
  order = ['b', 'a'];
  await settleOrder(t, true);
  shared.clear();
  await saveOrder(t);
  await settleOrder(t, false);
  expect(journaled).toEqual(['saved ab']);
  order = ['a', 'b'];
  await saveOrder(t);
  await settleOrder(t, false);
  expect(journaled.at(-1)).toBe('kept');
});
