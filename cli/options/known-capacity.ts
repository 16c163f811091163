import { last } from './kinds.ts';
import type { Kind } from './kinds.ts';

/** A queue of known capacity in front of the embedded service. */
export interface KnownCapacity {
  readonly servers: number;
  readonly serviceMs: number;
  readonly distribution?: 'exponential';
}

export const knownCapacity: Kind<KnownCapacity> = {
  placeholder: 'servers:ms',
  parse: (given) => {
    const match = /^(\d+):(\d+(?:\.\d+)?)(:exponential)?$/u.exec(last(given));
    const [servers, serviceMs] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
    if (servers < 1 || servers > 10_000 || serviceMs <= 0)
      return { message: 'is not a capacity', hint: 'use SERVERS:MS, for example 4:10, or SERVERS:MS:exponential' };
    return {
      value: { servers, serviceMs, ...(match?.[3] === undefined ? {} : { distribution: 'exponential' as const }) },
    };
  },
};
