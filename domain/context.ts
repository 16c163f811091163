import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal, RequestSpec as ClientRequestSpec } from '../client/index.ts';
import type { Contract, Effect, Exchange, Expectation, Listed, Operation, Violation } from '../spec/index.ts';
import type { ApiKnowledge } from './knowledge.ts';

/** A request to be made, besides its operation. */
export interface RequestSpec extends Omit<ClientRequestSpec, 'operation'> {
  /** Default `any`. */
  readonly expect?: Expectation;
  /**
   * True: valid and authorised, so that a refusal says that the operation was not reached; false: invalid on purpose, so that a
   * success says nothing. Default: true where a success is expected, else unknown.
   */
  readonly valid?: boolean;
  /** This request finds out whether what it creates can be found and removed again. */
  readonly proof?: boolean;
}

/**
 * What code of this folder needs from its user: a test of the suites or a load scenario. Everything that a run creates,
 * waits for and reads goes through it.
 */
export interface ApiContext {
  readonly contract: Contract;
  readonly knowledge: ApiKnowledge;
  /** How long a change may take to become visible, in milliseconds. */
  readonly settleMs: number;
  /** In the name of everything that this run creates. */
  readonly tag: string;
  readonly journal: Journal;
  allows(effect: Effect): boolean;
  /** Sends, and judges the response where the user judges. */
  send(operation: Operation, request?: RequestSpec): Promise<Exchange>;
  /** Sends without judging. */
  sendQuietly(operation: Operation, request?: RequestSpec): Promise<Exchange>;
  report(violation: Violation): void;
  /** Makes something once in the run, however many callers ask for it at the same time. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** The item is known by its id: the clean-up can remove it without looking for it. `listed`: where the id comes from. */
  acknowledge(created: Exchange, id: string, listed?: Listed): Promise<void>;
  /** Something became visible only after that time and that many looks in vain. */
  sawLate?(late: { readonly ms: number; readonly looks: number }): void;
  /** True for the id (lower case) of anything that this run created. */
  isOwn(id: string): boolean;
}

/** Thrown where something cannot be tested; the message says why. */
export class Skip extends Error {}

/** To be given to `catch`: undefined where a {@link Skip} was thrown; every other error is thrown on. */
export function ifSkipped(error: unknown): undefined {
  if (!(error instanceof Skip)) throw error;
}

/**
 * Looks until `isDone` accepts what it sees or no pause is left; returns what it saw last. The last look follows the
 * last pause. The one way of waiting for something: only the pauses differ.
 */
export async function poll<T>(
  look: () => Promise<T>,
  isDone: (seen: T) => boolean,
  pausesMs: Iterable<number>,
): Promise<T> {
  for (const pause of pausesMs) {
    const seen = await look();
    if (isDone(seen)) return seen;
    await sleep(pause);
  }
  return look();
}

/** Pauses in milliseconds, from 10 to 250, that end once `forMs` have passed. */
export function* growingPauses(forMs: number): Generator<number> {
  const until = Date.now() + forMs;
  for (let pause = 10; Date.now() < until; pause = Math.min(pause * 2, 250)) {
    yield Math.max(1, Math.min(pause, until - Date.now()));
  }
}

/** Repeats `look` until it returns true, at most for the settle time; the last look begins after it. */
export async function settled(
  t: Pick<ApiContext, 'settleMs' | 'sawLate'>,
  look: () => Promise<boolean>,
): Promise<boolean> {
  const began = performance.now();
  let [looks, last] = [0, began];
  const isVisible = await poll(
    async () => {
      const seen = await look();
      if (!seen) [looks, last] = [looks + 1, performance.now()];
      return seen;
    },
    Boolean,
    growingPauses(t.settleMs),
  );
  if (isVisible && looks > 0) t.sawLate?.({ ms: last - began, looks });
  return isVisible;
}
