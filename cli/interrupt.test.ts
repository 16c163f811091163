import { expect, it } from 'vitest';
import { unlessInterrupted } from './interrupt.ts';

it('waits for no work after an interrupt', async () => {
  const controller = new AbortController();
  expect(await unlessInterrupted(controller.signal, async () => 7)).toBe(7);
  const waiting = unlessInterrupted(controller.signal, () => new Promise(() => undefined));
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ exitCode: 130 });
  let hasBegun = false;
  const later = unlessInterrupted(controller.signal, async () => (hasBegun = true));
  await expect(later).rejects.toMatchObject({ exitCode: 130 });
  expect(hasBegun).toBe(false);
});
