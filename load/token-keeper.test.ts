import { afterEach, expect, it, vi } from 'vitest';
import { keepToken } from './token-keeper.ts';

afterEach(() => vi.useRealTimers());

it('does not renew a token at once that is valid for months', async () => {
  vi.useFakeTimers();
  const get = vi.fn(async () => 'token');
  const renewal = { current: 'token', renewsAt: Date.now() + 2 ** 32, get, lost: undefined };
  const explain = async () => 'operation' as const;
  const keeper = keepToken('token', { ...renewal, explain }, { replace() {}, countRefusals() {}, lost() {} });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(get).toHaveBeenCalledTimes(1);
  keeper.stop();
});
