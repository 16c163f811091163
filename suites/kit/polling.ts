import { setTimeout as sleep } from 'node:timers/promises';
import { growingPauses, poll } from '../../domain/context.ts';
import type { Violation } from '../../spec/index.ts';
import type { TestContext } from './context.ts';
import type { Session } from './session.ts';

export type Evaluate<V> = () => Promise<V | undefined>;

/**
 * The violation that `evaluate` still finds after `forMs` (default: the settle time); undefined as soon as it finds
 * none. `evaluate` only reads.
 */
export async function persists<V extends Violation>(
  t: Pick<TestContext, 'settleMs' | 'sawLate'>,
  evaluate: Evaluate<V>,
  forMs = t.settleMs,
): Promise<V | undefined> {
  return tolerant(t, evaluate, growingPauses(forMs));
}

/** Evaluates again after each pause until no violation is found; what showed late is recorded. */
export async function tolerant<V extends Violation>(
  t: Pick<TestContext, 'sawLate'>,
  evaluate: Evaluate<V>,
  pausesMs: Iterable<number>,
): Promise<V | undefined> {
  const began = performance.now();
  let wrong = 0;
  let lastWrong = began;
  const look = async (): Promise<V | undefined> => {
    const violation = await evaluate();
    if (violation !== undefined) {
      wrong += 1;
      lastWrong = performance.now();
    }
    return violation;
  };
  const violation = await poll(look, (found) => found === undefined, pausesMs);
  if (violation === undefined && wrong > 0) t.sawLate({ ms: lastWrong - began, looks: wrong });
  return violation;
}

/** Changes are first assumed to be visible within this time, in milliseconds. */
const BRIEF_MS = 30;

/** How long a brief look waits, by session; grows with the latest change that was seen. */
const BRIEF = new WeakMap<Session, number>();

/**
 * Repeats `look` while it returns something: briefly, or (`patient`) for the whole settle time. Returns what the last look
 * returned. A change that became visible late makes the next brief looks wait as long.
 */
export async function eventually<T>(
  session: Session,
  patient: boolean,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { settleMs } = session.options;
  const briefMs = BRIEF.get(session) ?? BRIEF_MS;
  const began = Date.now();
  const wrong = await poll(look, (seen) => seen === undefined, growingPauses(patient ? settleMs : briefMs));
  const took = Date.now() - began;
  if (patient && wrong === undefined && took > briefMs) BRIEF.set(session, Math.min(settleMs, took * 2));
  return wrong;
}

/** A member that differs between two reads after so long changes by itself: a time of reading, a counter. */
export const MOVES_WITHIN_MS = 20;

/** Something that must not change what is there. */
interface Harmless<S, L, A> {
  /** Makes what the test is about, anew for each attempt. */
  readonly prepare: () => Promise<S>;
  /** Reads what must not change. */
  readonly look: (subject: S) => Promise<L>;
  readonly act: (subject: S) => Promise<A>;
  readonly difference: (before: L, after: L, acted: A) => Violation | undefined;
}

/**
 * Reports what `act` changed nevertheless. Where something differs, all is repeated with a subject that is as old as the
 * settle time, since the first look may have shown it as it was before an earlier change.
 */
export async function changesNothing<S, L, A>(
  t: Pick<TestContext, 'settleMs' | 'sawLate' | 'report'>,
  { prepare, look, act, difference }: Harmless<S, L, A>,
): Promise<void> {
  const attempt = async (waitMs: number): Promise<Violation | undefined> => {
    const subject = await prepare();
    await sleep(waitMs);
    const before = await look(subject);
    const acted = await act(subject);
    const violation = await persists(t, async () => difference(before, await look(subject), acted));
    if (violation === undefined) return undefined;
    const again = await look(subject);
    await sleep(MOVES_WITHIN_MS);
    return difference(again, await look(subject), acted)?.received === violation.received ? undefined : violation;
  };
  const violation = (await attempt(0)) === undefined ? undefined : await attempt(t.settleMs);
  if (violation !== undefined) t.report(violation);
}
