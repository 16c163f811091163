import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal, RequestSpec as ClientRequestSpec } from '../client/index.ts';
import type { Contract, Effect, Exchange, Expectation, Listed, Operation, Violation } from '../spec/index.ts';
import type { ApiKnowledge } from './knowledge.ts';

/** A request to be made, besides its operation. */
export interface RequestSpec extends Omit<ClientRequestSpec, 'operation'> {
  /** Default `any`. */
  readonly expect?: Expectation;
  /**
   * True: valid and authorised, so that a refusal means that the operation was not reached. False: invalid on purpose, so that a
   * success means nothing. Default: true where a success is expected, else unknown.
   */
  readonly valid?: boolean;
  /** Set for the request with which a run finds out whether items of this kind can be found and removed again. */
  readonly proof?: boolean;
}

/**
 * What this folder needs from its caller, a test of the suites or a load scenario. Everything that a run creates, waits for and
 * reads goes through it.
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
  sendQuietly(operation: Operation, request: RequestSpec): Promise<Exchange>;
  report(violation: Violation): void;
  /** Calls `make` once per run and key; all callers share the result. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Records the id of a created item, so that the clean-up can remove it. `listed`: the list that showed the id. */
  acknowledge(created: Exchange, id: string, listed?: Listed): Promise<void>;
  /** Records that a change became visible only after that time, and after that many reads that did not show it. */
  recordLateChange?(late: { readonly ms: number; readonly looks: number }): void;
  /** True for the id (lower case) of anything that this run created. */
  isOwn(id: string): boolean;
  /** Another creation of this run that returned the same id. */
  otherCreation?(id: string, created: Exchange): Exchange | undefined;
  /** Creations of this run by the same operation that were sent at the same time. */
  creationsBeside?(created: Exchange): readonly Exchange[];
}

/** Thrown where something cannot be tested; the message says why. */
export class Skip extends Error {}

/** Thrown where a gateway asks for a later attempt at a request that is not sent again: skips the test. */
export class Postponed extends Skip {}

/** Pause after a 503. */
const BUSY_MS = 500;

/** Responses with 503 in a row to an operation after which it is not tried again. */
const MOST_BUSY = 3;

/**
 * True, after a pause, where a request on which many tests depend was answered with 503, and may be tried once more. The 503 is judged
 * all the same.
 */
export async function waitedForBusy(t: ApiContext, operation: Operation, { response }: Exchange): Promise<boolean> {
  const refused = await t.once(`busy ${operation.id}`, async () => ({ inARow: 0 }));
  refused.inARow = response?.status === 503 ? refused.inARow + 1 : 0;
  if (refused.inARow === 0 || refused.inARow > MOST_BUSY) return false;
  await sleep(BUSY_MS);
  return true;
}

/** The reason to skip a test whose item was not created. */
export function notCreated({ operation, response }: Exchange): Skip {
  const isSuccessful = response !== undefined && response.status < 300;
  const answer =
    response === undefined ? 'no response' : `status ${response.status}${isSuccessful ? ' without its id' : ''}`;
  return new Skip(`${operation} did not create the item that this test needs: ${answer}`);
}

/** To be given to `catch`: undefined where a {@link Skip} was thrown; every other error is thrown on. */
export function ifSkipped(error: unknown): undefined {
  if (!(error instanceof Skip)) throw error;
}

/** True for a {@link Skip} that a later attempt would not change: something else may be used instead, and remembered. */
export function isImpossible(error: unknown): error is Skip {
  return error instanceof Skip && !(error instanceof Postponed);
}

/** As {@link ifSkipped}, for {@link isImpossible}. */
export function ifImpossible(error: unknown): undefined {
  if (!isImpossible(error)) throw error;
}

/**
 * Calls `read` until `isDone` accepts its result or no pause is left; returns the last result. One more call follows the last pause.
 */
export async function poll<T>(
  read: () => Promise<T>,
  isDone: (result: T) => boolean,
  pausesMs: Iterable<number>,
): Promise<T> {
  for (const pause of pausesMs) {
    const result = await read();
    if (isDone(result)) return result;
    await sleep(pause);
  }
  return read();
}

/** Pauses in milliseconds, from 10 to 250, that end once `forMs` have passed. */
export function* growingPauses(forMs: number): Generator<number> {
  const until = Date.now() + forMs;
  for (let pause = 10; Date.now() < until; pause = Math.min(pause * 2, 250)) {
    yield Math.max(1, Math.min(pause, until - Date.now()));
  }
}

type Settling = Pick<ApiContext, 'settleMs' | 'recordLateChange'>;

/** Repeats `read` until `isDone` accepts its result, at most for the settle time; the last call begins after it. Returns the last result. */
export async function readUntil<T>(t: Settling, read: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
  const began = performance.now();
  let [failed, last, ms] = [0, began, 0];
  const timed = (): Promise<T> => {
    last = performance.now();
    return read();
  };
  const isVisible = (result: T): boolean => {
    if (isDone(result)) return true;
    [failed, ms] = [failed + 1, last - began];
    return false;
  };
  const result = await poll(timed, isVisible, growingPauses(t.settleMs));
  if (failed > 0 && isDone(result)) t.recordLateChange?.({ ms, looks: failed });
  return result;
}

/** Repeats `check` until it returns true, as {@link readUntil}. */
export function settled(t: Settling, check: () => Promise<boolean>): Promise<boolean> {
  return readUntil(t, check, Boolean);
}
