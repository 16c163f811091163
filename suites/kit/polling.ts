import { AsyncLocalStorage } from 'node:async_hooks';
import { growingPauses, poll } from '../../domain/context.ts';
import type { Exchange, Operation, Violation } from '../../spec/index.ts';
import type { RequestSpec, TestContext } from './context.ts';

type Evaluate<V> = () => Promise<V | undefined>;

/** One evaluation: what it sends is kept as evidence, and may go through the other form. */
interface Look {
  readonly exchanges: Exchange[];
  readonly otherForm: boolean;
}

const looks = new AsyncLocalStorage<Look>();

/** Sends within a look; outside of one as it is. */
export async function sendInLook(
  operation: Operation,
  request: RequestSpec,
  send: (request: RequestSpec) => Promise<Exchange>,
): Promise<Exchange> {
  const look = looks.getStore();
  if (look === undefined) return send(request);
  const exchange = await send(look.otherForm ? throughOtherForm(operation, request) : request);
  look.exchanges.push(exchange);
  return exchange;
}

function throughOtherForm({ forms }: Operation, request: RequestSpec): RequestSpec {
  const name = request.form?.name ?? forms[0]?.name;
  const other = forms.find((each) => each.name !== name);
  return other === undefined ? request : { ...request, form: other };
}

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
async function tolerant<V extends Violation>(
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

/**
 * Reports the violation that `evaluate` finds at once, after the settle time and again a little later; true where it
 * finds none.
 */
export async function holds(
  t: Pick<TestContext, 'settleMs' | 'report' | 'sawLate'>,
  evaluate: Evaluate<Violation>,
): Promise<boolean> {
  const violation = await tolerant(t, evaluate, [t.settleMs, t.settleMs / 4]);
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}

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
  t: Pick<TestContext, 'settleMs' | 'report' | 'sawLate' | 'knowledge'>,
  evaluate: Evaluate<Violation>,
): Promise<boolean> {
  const until = performance.now() + t.settleMs;
  const good: Exchange[] = [];
  const first = await tolerant(
    t,
    () => looks.run({ exchanges: good, otherForm: false }, evaluate),
    afterwards(t.settleMs, growingPauses(t.settleMs)),
  );
  const violation =
    first ?? withSeen(await goneAgain(evaluate), good) ?? (await missingInOtherForm(t, evaluate, until));
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
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
  const look = (): Promise<Violation | undefined> => looks.run({ exchanges: [], otherForm: true }, evaluate);
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
