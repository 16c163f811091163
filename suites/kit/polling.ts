import { setTimeout as sleep } from 'node:timers/promises';
import { growingPauses, poll } from '../../domain/context.ts';
import type { ApiKnowledge } from '../../domain/index.ts';
import type { Violation } from '../../spec/index.ts';
import type { Evaluation, TestContext } from './context.ts';
import type { Session } from './session.ts';

export type FindViolation<V> = () => Promise<V | undefined>;

/** What polls changes; with its knowledge, later looks of the run wait as long as the slowest change took. */
type Polling = Pick<TestContext, 'recordLateChange'> & Partial<Pick<TestContext, 'knowledge'>>;

/** How long the slowest change took so far to become visible, in milliseconds, by the knowledge of the run. */
const SLOWEST = new WeakMap<ApiKnowledge, number>();

/** What `evaluate`, which only reads, still finds after `forMs` (default: the settle time); undefined as soon as it finds nothing. */
export async function persists<V extends Violation>(
  t: Polling & Pick<TestContext, 'settleMs'>,
  evaluate: FindViolation<V>,
  forMs = t.settleMs,
): Promise<V | undefined> {
  return evaluateUntilGone(t, evaluate, growingPauses(forMs));
}

/** How long a change was waited for, for what was received: it may become visible later. */
export const waited = ({ settleMs }: Pick<TestContext, 'settleMs'>): string => `within ${settleMs / 1000} s (--settle)`;

/** Evaluates again after each pause until no violation is found; a change that became visible late is recorded. */
export async function evaluateUntilGone<V extends Violation>(
  t: Polling,
  evaluate: FindViolation<V>,
  pausesMs: Iterable<number>,
): Promise<V | undefined> {
  const began = performance.now();
  let failed = 0;
  let [lastBegan, lastEnded] = [began, began];
  const attempt = async (): Promise<V | undefined> => {
    const now = performance.now();
    const violation = await evaluate();
    if (violation !== undefined) {
      failed += 1;
      [lastBegan, lastEnded] = [now, performance.now()];
    }
    return violation;
  };
  const violation = await poll(attempt, (found) => found === undefined, pausesMs);
  if (violation === undefined && failed > 0) {
    // A look may take long, for example at all pages of a list: the change is known to be late only until it began.
    t.recordLateChange({ ms: lastBegan - began, looks: failed });
    if (t.knowledge !== undefined) SLOWEST.set(t.knowledge, Math.max(SLOWEST.get(t.knowledge) ?? 0, lastEnded - began));
  }
  return violation;
}

/** Changes are first assumed to be visible within this time, in milliseconds. */
const BRIEF_MS = 30;

/** How long an impatient {@link eventually} waits, by session; grows with the slowest change so far. */
const BRIEF = new WeakMap<Session, number>();

/**
 * Repeats `evaluate` while it returns a value: briefly, or (`patient`) for the whole settle time. Returns the last value. After a
 * change that became visible late, later impatient calls wait longer.
 */
export async function eventually<T>(
  session: Session,
  patient: boolean,
  evaluate: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { settleMs } = session.options;
  const briefMs = BRIEF.get(session) ?? BRIEF_MS;
  const began = Date.now();
  const wrong = await poll(evaluate, (value) => value === undefined, growingPauses(patient ? settleMs : briefMs));
  const took = Date.now() - began;
  if (patient && wrong === undefined && took > briefMs) BRIEF.set(session, Math.min(settleMs, took * 2));
  return wrong;
}

/** How long an effect that was visible must stay, at the least, in milliseconds. */
export const KEPT_MS = 1000;

/** Milliseconds between two reads that find members which change by themselves, such as the time of the read, or an age in seconds. */
export const VOLATILE_WITHIN_MS: readonly number[] = [20, 1000];

/** An action that must not change the state of its subject. */
interface HarmlessAction<S, R, A> {
  /** Creates the subject, a new one for each attempt. */
  readonly prepare: () => Promise<S>;
  readonly read: (subject: S) => Promise<R>;
  readonly act: (subject: S) => Promise<A>;
  readonly difference: (before: R, after: R, acted: A) => Violation | undefined;
}

/**
 * Reports a change by an action that must not change anything. Where a read differs, everything is repeated with a subject that is as
 * old as the settle time: the first read may have been too early to show an earlier change, and another test may have changed the
 * first subject. True where nothing was reported.
 */
export async function changesNothing<S, R, A>(
  t: Polling & Pick<TestContext, 'settleMs' | 'report'>,
  { prepare, read, act, difference }: HarmlessAction<S, R, A>,
): Promise<boolean> {
  const attempt = async (waitMs: number): Evaluation => {
    const subject = await prepare();
    await sleep(waitMs);
    const before = await read(subject);
    const acted = await act(subject);
    const look = (): Evaluation => persists(t, async () => difference(before, await read(subject), acted));
    const lateMs = t.knowledge === undefined ? undefined : SLOWEST.get(t.knowledge);
    let violation = await look();
    if (violation === undefined && lateMs !== undefined) {
      // Where changes show late, this one may too.
      await sleep(Math.min(2 * lateMs, t.settleMs));
      violation = await look();
    }
    if (violation === undefined) return undefined;
    for (const ms of VOLATILE_WITHIN_MS) {
      const again = await read(subject);
      await sleep(ms);
      if (difference(again, await read(subject), acted)?.received === violation.received) return undefined;
    }
    return violation;
  };
  const violation = (await attempt(0)) === undefined ? undefined : await attempt(t.settleMs);
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}
