import type { Wrap } from '../plan.ts';

/** Lets at most `places` plans through at once; the others wait their turn, first come first served. */
export function withGate(places: number): Wrap {
  let free = places;
  const waiting: (() => void)[] = [];
  const enter = () => {
    if (free === 0) return new Promise<void>((resolve) => { waiting.push(resolve); });
    free -= 1;
    return undefined;
  };
  const leave = () => {
    const first = waiting.shift();
    if (first) first();
    else free += 1;
  };
  return (next) => async (plan) => {
    const turn = enter();
    if (turn) await turn;
    try {
      return await next(plan);
    } finally {
      leave();
    }
  };
}
