import { asyncModelRun, asyncProperty, check, stringify } from 'fast-check';
import type { Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { othersSetTheOrder } from '../order/stability.ts';
import { checkLasting } from './check-state.ts';
import type { FinishedSequence } from './check-state.ts';
import { INITIAL_ITEMS, sequences } from './commands.ts';
import type { Sequence, SequenceOptions } from './commands.ts';
import { StopSequence, ViolationFound } from './model.ts';
import type { Model, Real } from './model.ts';
import { setUp } from './setup.ts';

/** Settle time in ms while a counterexample shrinks; the smallest one is run again with the whole settle time. */
const SHRINKING_SETTLE_MS = 60;

/** Milliseconds for running sequences, and as many for shrinking. */
const BUDGET_MS = 6_000;

/** Number of sequences that run even after the budget, and the limit for their time in milliseconds. */
const FEWEST = 10;
const LONGEST_MS = 30_000;

/** Runs generated sequences; reports the first violation that can be repeated by its shortest sequence. */
export async function runSequences(t: TestContext, options: SequenceOptions): Promise<void> {
  const { seed, runs } = t.session.options;
  const [path, replayPath] = parsePath(t.session.options.path);
  const setup = await setUp(t, options.family);
  const finished: FinishedSequence[] = [];
  const real = (settleMs: number): Real => ({ ...setup, t, family: options.family, settleMs, steps: [] });
  const run: Run = (sequence, settleMs) => runSequence(real(settleMs), sequence, finished);
  const predicate = makePredicate(t, run, path !== undefined);
  const details = await check(
    asyncProperty(sequences(t.session, { ...options, replayPath }), (sequence) => predicate.holds(sequence)),
    { seed, numRuns: Math.max(5, Math.ceil(runs / 5)), ...(path === undefined ? {} : { path }) },
  );
  if (predicate.error !== undefined) throw predicate.error;
  if (predicate.isCutShort) t.cutShort('the time for sequences was used up: this machine or the target is slow');
  if (details.failed && options.withOrder && (await othersSetTheOrder(t))) {
    t.skip('others set the processing order at the same time');
  }
  if (!details.failed) {
    const lost = await checkLasting(real(t.settleMs), finished);
    if (lost !== undefined) t.report(lost);
    return;
  }
  const [sequence] = details.counterexample ?? [];
  const again = sequence === undefined ? undefined : await run(sequence, t.settleMs);
  const violation = isSame(again, predicate.violation) ? again : predicate.violation;
  const ran = /replayPath="([^"]*)"/.exec(stringify(sequence))?.[1] ?? '';
  if (violation !== undefined) t.report({ ...violation, path: `${details.counterexamplePath ?? ''}#${ran}` });
}

type Run = (sequence: Sequence, settleMs: number) => Evaluation;

/** Runs a sequence on new items. */
async function runSequence(real: Real, sequence: Sequence, finished: FinishedSequence[]): Evaluation {
  const items = await Promise.all(Array.from({ length: INITIAL_ITEMS }, () => real.create()));
  const model: Model = { items, order: undefined };
  try {
    await asyncModelRun(() => ({ model, real }), sequence);
    finished.push({ model, steps: real.steps });
  } catch (error) {
    if (error instanceof ViolationFound) return error.violation;
    if (!(error instanceof StopSequence)) throw error;
  }
  return undefined;
}

interface Predicate {
  /** False for a sequence that shows the violation. */
  holds(sequence: Sequence): Promise<boolean>;
  /** The first violation that was repeated. */
  violation?: Violation;
  /** The target cannot be reached, or nothing can be created: ends the run. */
  error?: unknown;
  isCutShort: boolean;
}

/**
 * The predicate for fast-check. Before a violation is found, a sequence fails where its violation can be repeated,
 * since others may change the same data; then only where it shows the same violation, so that shrinking does not slide
 * to another one.
 */
function makePredicate(t: TestContext, run: Run, isReplay: boolean): Predicate {
  const began = Date.now();
  let until = began + BUDGET_MS;
  let tried = 0;
  const isOver = (): boolean => {
    const now = Date.now();
    if (now <= until) return false;
    if (predicate.violation !== undefined) return true;
    const isEnough = tried >= FEWEST || now - began > LONGEST_MS || t.session.time.over();
    predicate.isCutShort ||= isEnough;
    return isEnough;
  };
  const showsNew = async (sequence: Sequence): Promise<boolean> => {
    const violation = await run(sequence, t.settleMs);
    if (violation === undefined || !(isReplay || (await isRepeatable(t, run, sequence, violation)))) return false;
    predicate.violation = violation;
    until = Date.now() + Math.min(BUDGET_MS, t.session.time.leftMs());
    return true;
  };
  const predicate: Predicate = {
    isCutShort: false,
    async holds(sequence) {
      if (predicate.error !== undefined || isOver()) return true;
      tried += 1;
      t.countCases(1);
      try {
        if (predicate.violation === undefined) return !(await showsNew(sequence));
        return !isSame(await run(sequence, Math.min(SHRINKING_SETTLE_MS, t.settleMs)), predicate.violation);
      } catch (error) {
        predicate.error = error;
        return true;
      }
    },
  };
  return predicate;
}

/** Runs of a sequence that found a violation, and how many of them must find it again. */
const REPEATS = 3;
const MUST_REPEAT = 2;

async function isRepeatable(t: TestContext, run: Run, sequence: Sequence, violation: Violation): Promise<boolean> {
  let found = 0;
  for (let count = 0; count < REPEATS && found < MUST_REPEAT; count += 1) {
    if (isSame(await run(sequence, t.settleMs), violation)) found += 1;
  }
  return found >= MUST_REPEAT;
}

/** True for two violations that are one finding. */
function isSame(a: Violation | undefined, b: Violation | undefined): boolean {
  return a !== undefined && a.code === b?.code && a.subject === b.subject && a.operation === b.operation;
}

/** fast-check's path, and which commands ran; empty where a counterexample of another kind is replayed. */
function parsePath(path: string | undefined): readonly [path?: string, replayPath?: string] {
  const parts = path?.split('#') ?? [];
  return parts.length === 2 ? [parts[0] ?? '', parts[1] ?? ''] : [];
}
