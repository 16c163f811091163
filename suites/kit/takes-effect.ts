import { growingPauses } from '../../domain/context.ts';
import type { Exchange, Violation } from '../../spec/index.ts';
import type { TestContext } from './context.ts';
import { lookThrough } from './look.ts';
import { tolerant } from './polling.ts';
import type { Evaluate } from './polling.ts';
import { meaningOf } from './violation.ts';

/** Looks at the same time, each on a connection of its own, and those that follow where one of them found a violation. */
const AT_ONCE = 2;
const AGAIN = 6;

/** One wrong look of several may be the work of others, who change a list while it is read page by page. */
const WRONG = 2;

/**
 * Reports the violation that `evaluate` still finds after the settle time, and one that it finds again once the change was seen: a
 * change that was seen stays seen, through the same form at once, through the other form from the end of the settle time. True where
 * the change was seen and stayed. `evaluate` only reads, and reads own data.
 */
export async function takesEffect(
  t: Pick<TestContext, 'settleMs' | 'report' | 'sawLate' | 'knowledge' | 'contract'>,
  evaluate: Evaluate<Violation>,
): Promise<boolean> {
  const until = performance.now() + t.settleMs;
  const good: Exchange[] = [];
  const first = await tolerant(
    t,
    () => lookThrough({ exchanges: good, otherForm: false }, evaluate),
    afterwards(t.settleMs, growingPauses(t.settleMs)),
  );
  const [gone, missing] =
    first === undefined ? await Promise.all([goneAgain(evaluate), missingInOtherForm(t, evaluate, until)]) : [];
  const again = withSeen(gone, good) ?? missing;
  const violation =
    (first && (await byStaleReader(t, first, evaluate))) ?? (again && (await byUnsteadyReader(t, again, evaluate)));
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}

type Reading = Pick<TestContext, 'knowledge' | 'contract'>;

/** A violation that the other form does not show is one by what reads, not by what made the change. */
async function byStaleReader(t: Reading, violation: Violation, evaluate: Evaluate<Violation>): Promise<Violation> {
  if (!t.knowledge.guarantees('forms')) return violation;
  const other = await lookThrough({ exchanges: [], otherForm: true }, evaluate);
  return other === undefined ? byReader(t, violation) : violation;
}

/** So is one of a change that can still be seen. */
async function byUnsteadyReader(t: Reading, violation: Violation, evaluate: Evaluate<Violation>): Promise<Violation> {
  for (let look = 0; look < AGAIN; look += 1) if ((await evaluate()) === undefined) return byReader(t, violation);
  return violation;
}

/** The violation as one by the operation whose response shows it. */
function byReader(t: Reading, violation: Violation): Violation {
  const id = violation.exchanges.at(-1)?.operation;
  const reader = t.contract.operations.find((each) => each.id === id);
  if (reader === undefined || reader.method !== 'GET' || reader === violation.operation) return violation;
  return { ...violation, operation: reader, message: `${reader.id}: ${meaningOf(violation.code)}` };
}

/** A last look a little after the settle time. */
function* afterwards(settleMs: number, pausesMs: Iterable<number>): Generator<number> {
  yield* pausesMs;
  yield settleMs / 4;
}

/** The violation that is found again although the change was seen. */
async function goneAgain(evaluate: Evaluate<Violation>): Promise<Violation | undefined> {
  const found = await Promise.all(Array.from({ length: AT_ONCE }, evaluate));
  let wrong = found.filter((each) => each !== undefined);
  for (let look = 0; look < AGAIN && wrong.length > 0 && wrong.length < WRONG; look += 1) {
    const again = await evaluate();
    if (again !== undefined) wrong = [...wrong, again];
  }
  return wrong.length >= WRONG ? wrong[0] : undefined;
}

/** The violation that the other form still shows once the settle time is over. */
function missingInOtherForm(
  t: Pick<TestContext, 'sawLate' | 'knowledge'>,
  evaluate: Evaluate<Violation>,
  until: number,
): Promise<Violation | undefined> {
  if (!t.knowledge.guarantees('forms')) return Promise.resolve(undefined);
  const look = (): Promise<Violation | undefined> => lookThrough({ exchanges: [], otherForm: true }, evaluate);
  const leftMs = Math.max(0, until - performance.now());
  return tolerant(t, look, afterwards(leftMs, growingPauses(leftMs)));
}

/** The violation with what had been seen before as evidence. */
function withSeen(violation: Violation | undefined, good: readonly Exchange[]): Violation | undefined {
  const last = violation?.exchanges.at(-1);
  if (violation === undefined || last === undefined) return violation;
  const seen =
    good.findLast(({ request }) => request.url === last.request.url) ??
    good.findLast(({ operation }) => operation === last.operation);
  return {
    ...violation,
    message: `${violation.message}, after the change had been seen`,
    received: `${violation.received}, after the change had been seen`,
    exchanges: [...violation.exchanges.slice(0, -1), ...(seen === undefined ? [] : [seen]), last],
  };
}

/**
 * Reports the violation that `evaluate` finds at once, after the settle time and again a little later; true where it
 * finds none. `evaluate` only reads.
 */
export async function holds(
  t: Pick<TestContext, 'settleMs' | 'report' | 'sawLate' | 'knowledge' | 'contract'>,
  evaluate: Evaluate<Violation>,
): Promise<boolean> {
  const violation = await tolerant(t, evaluate, [t.settleMs, t.settleMs / 4]);
  if (violation !== undefined) t.report(await byStaleReader(t, violation, evaluate));
  return violation === undefined;
}
