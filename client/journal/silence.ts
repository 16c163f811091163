import type { Exchange } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';

/** Attempts in a row that timed out, after which nothing more is sent. */
const MOST_TIMEOUTS = 2;

/** A target to which nothing more is sent once several attempts in a row have timed out: each would wait for the full time-out. */
export function untilSilent(target: Target): Target {
  let timeouts = 0;
  let last: Exchange | undefined;
  return {
    ...target,
    async send(spec) {
      if (timeouts >= MOST_TIMEOUTS && last !== undefined) return { ...last, operation: spec.operation.id };
      const exchange = await target.send(spec);
      timeouts = exchange.failure?.kind === 'timeout' ? timeouts + exchange.attempts : 0;
      last = exchange;
      return exchange;
    },
  };
}
