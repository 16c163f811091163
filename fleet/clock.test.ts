import { describe, expect, it } from 'vitest';
import { BrokerClock } from './clock.ts';

/** A machine whose clock is wrong, and a broker behind a connection with these delays. */
function machine(delays: () => readonly [there: number, back: number], wrongBy = 4300) {
  let truth = 1_000_000;
  const clock = new BrokerClock(
    async () => {
      const [there, back] = delays();
      truth += there;
      const brokerTime = truth;
      truth += back;
      return brokerTime;
    },
    () => truth + wrongBy,
  );
  return { clock, pass: (ms: number) => (truth += ms), error: () => clock.now() - truth };
}

describe('the clock of the broker', () => {
  it('is known to a fraction of the jitter', async () => {
    let turn = 0;
    const { clock, error } = machine(() => [(turn = (turn * 7 + 3) % 11) + 40, ((turn * 5) % 7) + 40]);
    await clock.start();
    clock.stop();
    expect(Math.abs(error())).toBeLessThanOrEqual(clock.boundMs);
    expect(clock.boundMs).toBeLessThan(52);
  });

  it('lies within its error bound, however unequal the two directions are', async () => {
    const { clock, error } = machine(() => [45, 5]);
    await clock.start();
    clock.stop();
    expect(Math.abs(error())).toBeGreaterThan(15);
    expect(Math.abs(error())).toBeLessThanOrEqual(clock.boundMs);
  });

  it('is corrected slowly', async () => {
    let delays: readonly [number, number] = [45, 5];
    const { clock, pass } = machine(() => delays);
    await clock.start();
    clock.stop();
    delays = [1, 1];
    const before = clock.now();
    pass(1000);
    await clock.probe();
    expect(Math.abs(clock.now() - before - 1002)).toBeLessThan(1);
  });
});
