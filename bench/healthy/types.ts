import type { Context, Make } from '../mutants/types.ts';

/** A deployment that keeps every promise in its own way. */
export interface Variation {
  readonly name: string;
  /** Why it is healthy, with its source. */
  readonly why: string;
  readonly make: Make;
  /** A path before `/api`. */
  readonly prefix?: string;
  /** Closes a connection after so many requests. */
  readonly requestsPerSocket?: number;
  /** Closes a connection that was idle for so long. */
  readonly idleMs?: number;
  /** What is there before the run begins. */
  readonly before?: (context: Context) => Promise<void>;
  /** Somebody else at work on the same deployment; answers how to stop it. */
  readonly actor?: (context: Context) => () => Promise<void>;
}

/** A row of the catalogue. */
export function variation(name: string, why: string, make: Make, more: Partial<Variation> = {}): Variation {
  return { name, why, make, ...more };
}

/** Passes everything through. */
export const plain: Make = () => (_, next) => next();
