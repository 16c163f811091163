import { served } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { together } from '../proxy/compose.ts';
import { at } from '../proxy/handler.ts';
import type { Handles } from '../proxy/handler.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import { problem } from '../proxy/reply.ts';
import { every, everyJson, refuse } from './changes.ts';
import type { ProxyOptions } from '../proxy/proxy.ts';

/** Reasons why several variations are healthy. */
export const FALSE_ALARMS = 'platform.md lists it as no error';
export const NOT_SHOWN = 'not shown in api.md';
export const NOT_STATED = `not stated by api.md (${FALSE_ALARMS})`;
export const FIELDS = `fields of models: ${NOT_SHOWN}`;
export const INVALID = '400 failed validation (api.md 7)';
export const CONFLICT = '409 request conflicts with the current state (api.md 7)';
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

/** A variation by its name and why it is healthy: its methods make it. */
export const variation = (name: string, why: string) => {
  const by = (make: Make, more: Partial<Variation> = {}): Variation => ({ name, why, make, ...more });
  return {
    by,
    /** Every response is changed. */
    replies: (change: Parameters<typeof every>[0]) => by(every(change)),
    /** The JSON of every successful response is changed. */
    json: (change: Parameters<typeof everyJson>[0]) => by(everyJson(change)),
    /** Requests with the full token that meet a condition are refused. */
    refuses: (when: (call: Call) => boolean, status = 400) => by(refuse(when, problem(status))),
    /** Requests with the full token to some operations are handled in another way. */
    handles: (op: OperationId | readonly OperationId[], handler: Handles) =>
      by(at({ op, when: served }).handles(handler)),
  };
};

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
