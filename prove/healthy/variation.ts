import { together } from '../proxy/compose.ts';
import type { Context, Make } from '../proxy/message.ts';
import type { ProxyOptions } from '../proxy/proxy.ts';

/** Reasons why several variations are healthy. */
export const FALSE_ALARMS = 'platform.md lists it as no error';
export const NOT_SHOWN = 'not shown in api.md';
export const NOT_STATED = `not stated by api.md (${FALSE_ALARMS})`;
export const LATE =
  'policy changes can go through an approval pipeline, so that a 200 may take effect late (platform.md)';
export const GATEWAY = '429 and 503 with Retry-After come from a gateway (platform.md)';
export const SEVERAL = 'several variations at once';

/** A deployment that meets every requirement in a way of its own. */
export interface Variation extends Pick<ProxyOptions, 'prefix' | 'requestsPerSocket' | 'idleMs'> {
  readonly name: string;
  /** Why it is healthy, with the source. */
  readonly why: string;
  readonly make: Make;
  /** Creates what exists before the run. */
  readonly before?: (context: Context) => Promise<void>;
  /** Starts another user of the same deployment; returns how to stop it. */
  readonly actor?: (context: Context) => () => Promise<void>;
  /** What it decides, if a deployment can decide that in one way only: it has one of the variations with the same decision. */
  readonly decides?: 'form of agents' | 'orders of some policies' | 'form of organizations' | 'markup in names';
}

export function variation(name: string, why: string, make: Make, more: Partial<Variation> = {}): Variation {
  return { name, why, make, ...more };
}

/** Several variations as one. Of options that only one can set, such as a prefix, the last counts. */
export function mergeVariations(parts: readonly Variation[]): Omit<Variation, 'name' | 'why'> {
  const { name: _name, why: _why, decides: _decides, ...rest } = Object.assign({}, ...parts) as Partial<Variation>;
  const befores = parts.flatMap(({ before }) => before ?? []);
  const actors = parts.flatMap(({ actor }) => actor ?? []);
  return {
    ...rest,
    make: together(...parts.map(({ make }) => make)),
    before: async (context) => {
      for (const before of befores) await before(context);
    },
    actor: (context) => {
      const stops = actors.map((actor) => actor(context));
      return async () => void (await Promise.all(stops.map((stop) => stop())));
    },
  };
}
