import type { Wrap } from '../plan.ts';
import { Width } from './width.ts';

/** Lets at most `places` plans through at once, up to `most` where the target bears it; the others wait their turn, first come first served. */
export function withGate(places: number, most = places): Wrap {
  const width = new Width(places, most);
  let inside = 0;
  const waiting: (() => void)[] = [];
  const enter = () => {
    if (inside >= width.places)
      return new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    inside += 1;
    return undefined;
  };
  const leave = () => {
    inside -= 1;
    while (inside < width.places) {
      const first = waiting.shift();
      if (first === undefined) return;
      inside += 1;
      first();
    }
  };
  return (next) => async (plan) => {
    const turn = enter();
    if (turn) await turn;
    try {
      const exchange = await next(plan);
      if (waiting.length > 0) width.note(exchange);
      return exchange;
    } finally {
      leave();
    }
  };
}
