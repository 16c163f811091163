import { growingPauses } from '../../domain/context.ts';
import type { Exchange, Violation } from '../../spec/index.ts';
import type { Evaluate, Evaluation, TestContext } from './context.ts';
import { collecting, throughOtherForm } from './evaluation.ts';
import { evaluateUntilGone } from './polling.ts';
import { meaningOf } from './violation.ts';

/**
 * Evaluations at the same time, each on its own connection, and further ones where one of them found a violation. One of those must
 * find it too: others may change a list while it is read page by page, by several evaluations at the same time as well.
 */
const CONCURRENT = 2;
const FURTHER = 6;

/**
 * Reports the violation that `evaluate` still finds after the settle time, or finds again after the change was visible. A change that
 * was visible must stay visible: through the same form at once, through the other form from the end of the settle time. True where
 * nothing was reported. `evaluate` only reads, and only data of this run.
 */
export async function takesEffect(t: TestContext, evaluate: Evaluate): Promise<boolean> {
  const until = performance.now() + t.settleMs;
  const exchanges: Exchange[] = [];
  const first = await evaluateUntilGone(
    t,
    () => evaluate(collecting(t, exchanges)),
    withLatePause(t.settleMs, growingPauses(t.settleMs)),
  );
  const [gone, missing] =
    first === undefined ? await Promise.all([lostAgain(t, evaluate), missingInOtherForm(t, evaluate, until)]) : [];
  const again = withEarlierRead(gone, exchanges) ?? missing;
  const violation =
    (first && (await blameStaleRead(t, first, evaluate))) ?? (again && (await blameUnsteadyRead(t, again, evaluate)));
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}

/** Where the other form does not show the violation, the operation that reads is to blame, not the one that made the change. */
async function blameStaleRead(t: TestContext, violation: Violation, evaluate: Evaluate): Promise<Violation> {
  if (!t.knowledge.guarantees('forms')) return violation;
  const other = await evaluate(throughOtherForm(t));
  return other === undefined ? blameReader(t, violation) : violation;
}

/** Where a further read shows the change, the operation that reads is to blame. */
async function blameUnsteadyRead(t: TestContext, violation: Violation, evaluate: Evaluate): Promise<Violation> {
  for (let count = 0; count < FURTHER; count += 1)
    if ((await evaluate(t)) === undefined) return blameReader(t, violation);
  return violation;
}

/** The violation, attributed to the operation whose response shows it. */
function blameReader(t: TestContext, violation: Violation): Violation {
  const id = violation.exchanges.at(-1)?.operation;
  const reader = t.contract.operations.find((each) => each.id === id);
  if (reader === undefined || reader.method !== 'GET' || reader === violation.operation) return violation;
  const message = `${reader.id} does not show a change that another read shows: ${meaningOf(violation.code)}`;
  return { ...violation, operation: reader, message };
}

/** Adds one evaluation a little after the settle time. */
function* withLatePause(settleMs: number, pausesMs: Iterable<number>): Generator<number> {
  yield* pausesMs;
  yield settleMs / 4;
}

/** The violation that is found again although the change was visible. */
async function lostAgain(t: TestContext, evaluate: Evaluate): Evaluation {
  const found = await Promise.all(Array.from({ length: CONCURRENT }, () => evaluate(t)));
  const first = found.find((each) => each !== undefined);
  if (first === undefined) return undefined;
  for (let count = 0; count < FURTHER; count += 1) if ((await evaluate(t)) !== undefined) return first;
  return undefined;
}

/** The violation that the other form still shows once the settle time is over. */
function missingInOtherForm(t: TestContext, evaluate: Evaluate, until: number): Evaluation {
  if (!t.knowledge.guarantees('forms')) return Promise.resolve(undefined);
  const throughOther = (): Evaluation => evaluate(throughOtherForm(t));
  const leftMs = Math.max(0, until - performance.now());
  return evaluateUntilGone(t, throughOther, withLatePause(leftMs, growingPauses(leftMs)));
}

/** The violation, with the earlier read that showed the change as evidence. */
function withEarlierRead(violation: Violation | undefined, earlier: readonly Exchange[]): Violation | undefined {
  const last = violation?.exchanges.at(-1);
  if (violation === undefined || last === undefined) return violation;
  const seen =
    earlier.findLast(({ request }) => request.url === last.request.url) ??
    earlier.findLast(({ operation }) => operation === last.operation);
  return {
    ...violation,
    message: `${violation.message}, after the change had been visible`,
    received: `${violation.received}, after the change had been visible`,
    exchanges: [...violation.exchanges.slice(0, -1), ...(seen === undefined ? [] : [seen]), last],
  };
}

/** Reports what `evaluate`, which only reads, finds at once, after the settle time and a little later. True where nothing is reported. */
export async function holds(t: TestContext, evaluate: Evaluate): Promise<boolean> {
  const violation = await evaluateUntilGone(t, () => evaluate(t), [t.settleMs, t.settleMs / 4]);
  if (violation !== undefined) t.report(await blameStaleRead(t, violation, evaluate));
  return violation === undefined;
}
