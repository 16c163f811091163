import { together } from '../proxy/compose.ts';
import type { Context, Make } from '../proxy/message.ts';
import type { ProxyOptions } from '../proxy/proxy.ts';

/** A deployment that meets every requirement, in its own way. */
export interface Variation extends Pick<ProxyOptions, 'prefix' | 'requestsPerSocket' | 'idleMs'> {
  readonly name: string;
  /** Why it is healthy, with its source. */
  readonly why: string;
  readonly make: Make;
  /** Prepares what is there before the run begins. */
  readonly before?: (context: Context) => Promise<void>;
  /** Somebody else at work on the same deployment; returns how to stop it. */
  readonly actor?: (context: Context) => () => Promise<void>;
}

/** A row of the catalogue. */
export function variation(name: string, why: string, make: Make, more: Partial<Variation> = {}): Variation {
  return { name, why, make, ...more };
}

/** Several variations at once; what passes so passes alone. */
export function mergeVariations(parts: readonly Variation[]): Omit<Variation, 'name' | 'why'> {
  const { name: _name, why: _why, make: _make, ...rest } = Object.assign({}, ...parts) as Partial<Variation>;
  return { ...rest, make: together(...parts.map(({ make }) => make)) };
}
