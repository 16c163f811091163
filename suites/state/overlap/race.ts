import { isSuccess } from '../../../spec/index.ts';
import type { Exchange, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { persists } from '../../kit/polling.ts';
import { reportViolation, violationOf } from '../../kit/violation.ts';
import { describeContent, describeObserved, isReadRequest, ITEM_SPECIFICATION } from '../../oracle/index.ts';
import type { Known } from '../../oracle/index.ts';
import { requestOf } from '../sequences/items.ts';
import type { Family, TrackedItem } from '../sequences/items.ts';
import { StopSequence, ViolationFound } from '../sequences/model.ts';
import type { Model, Real } from '../sequences/model.ts';
import { setUp } from '../sequences/setup.ts';
import type { Setup } from '../sequences/setup.ts';
import { SLOTS, Step } from '../sequences/step.ts';
import type { StepPlan } from '../sequences/step.ts';
import { isLinearizable, prepareCall, readFinalState, sendCall } from './calls.ts';
import type { RecordedCall } from './calls.ts';
import { inSendOrder, raceSubject } from './races.ts';
import type { Race } from './races.ts';
import { findImpossibleRead } from './reads.ts';

/** Milliseconds between the calls, by round: some defects show only where the second call arrives while the first is being served. */
const STAGGER_MS = [0, 0, 1, 2];

/** Sends the calls of a race: some order of them must explain the final state. False where a violation was reported. */
export async function runRace(t: TestContext, race: Race, round: number): Promise<boolean> {
  const setup = await setUp(t, race.family);
  const items = await Promise.all(race.calls.map(() => setup.create()));
  const activations = race.isActive === true ? await Promise.all(items.map((item) => activate(t, item, setup))) : [];
  const calls = inSendOrder(race.calls);
  const prepared = await Promise.all(
    (round % 2 === 0 ? calls : calls.toReversed()).map(({ item, kind }) =>
      prepareCall(t, race.family, items[item] as TrackedItem, requestOf(kind), activeAfter(race, item)),
    ),
  );
  const delayMs = STAGGER_MS[round % STAGGER_MS.length] ?? 0;
  const recorded = await Promise.all(prepared.map((call, at) => sendCall(t, call, at + round, at * delayMs)));
  if (recorded.some(({ exchange }) => t.isUnusable(exchange))) return false;
  for (const [at, item] of items.entries()) {
    const own = recorded.filter((each) => each.item === item);
    const before = activations.slice(at, at + 1);
    const about = { family: race.family, subject: raceSubject(race), item, before };
    const overlap = { ...about, own, all: recorded, search: setup.search };
    const violation = findReadViolation(t, overlap) ?? (await persists(t, () => findUnexplained(t, overlap)));
    if (violation === undefined) continue;
    const changes = calls.filter(({ kind }) => kind !== 'read');
    const moves = activations.map((_, index) => ({ item: index, kind: 'activate' as const }));
    const inTurn = (turns: typeof changes): Evaluation => findSequentially(t, race.family, setup, [...moves, ...turns]);
    t.report((await inTurn(changes)) ?? (await inTurn(changes.toReversed())) ?? violation);
    return false;
  }
  return true;
}

/** The state that a race moves an item to. An overlapping update names the same state, since it may set the state that it names. */
function activeAfter({ calls }: Race, item: number): boolean | undefined {
  const isMoved = (kind: 'activate' | 'deactivate'): boolean => calls[item]?.includes(kind) === true;
  return isMoved('activate') === isMoved('deactivate') ? undefined : isMoved('activate');
}

/** Activates a policy and waits until that is visible; returns the exchange. */
async function activate(t: TestContext, item: TrackedItem, { search }: Setup): Promise<Exchange> {
  const call = await sendCall(t, await prepareCall(t, 'policy', item, { kind: 'activate' }), 0);
  const status = call.exchange.response?.status ?? 0;
  if (!isSuccess(status) && status !== 409) t.skip('a policy could not be activated');
  item.known = { ...item.known, active: true };
  const overlap = { family: 'policy', subject: 'activate', item, before: [], own: [], all: [], search } as const;
  const late = await persists(t, () => findUnexplained(t, overlap));
  if (late !== undefined) t.skip('a policy could not be activated: see the findings of the check activation');
  return call.exchange;
}

/** Overlapping calls and an item that some of them are about. */
export interface Overlap {
  readonly family: Family;
  readonly subject: string;
  readonly item: TrackedItem;
  /** What led to the state that the item had before the calls, besides its creation. */
  readonly before?: readonly Exchange[];
  readonly own: readonly RecordedCall[];
  readonly all: readonly RecordedCall[];
  readonly search: Setup['search'];
}

/** Most exchanges of a finding. */
const MOST_EXCHANGES = 5;

/** A read during the calls that shows a state that never existed. */
export function findReadViolation(t: TestContext, { subject, item, own }: Overlap): Violation | undefined {
  const found = findImpossibleRead(item.known, own);
  const operation = t.contract.operation(found?.read.exchange.operation ?? '');
  if (found === undefined || operation === undefined) return undefined;
  const { read, expected } = found;
  const before = own.filter((each) => each !== read && each.invoked <= read.returned);
  const others = changesOrAll(before).map(({ exchange }) => exchange);
  return violationOf('overlap/read', operation, {
    subject,
    expected,
    received: describeObserved(read.response ?? { status: 0 }),
    exchanges: [item.created, ...others.slice(2 - MOST_EXCHANGES), read.exchange],
  });
}

/** Reads the final state of the item; a violation where no order of the calls explains it. */
export async function findUnexplained(
  t: TestContext,
  { family, subject, item, before = [], own, all, search }: Overlap,
): Evaluation {
  const reads = await readFinalState(t, family, item, search);
  const writes = own.filter(({ request }) => !isReadRequest(request));
  if (reads.length === 0 || isLinearizable(item.known, [...writes, ...reads])) return undefined;
  const alone = reads.find((read) => !isLinearizable(item.known, [...writes, read]));
  const shown = alone === undefined ? reads : [alone];
  const wrong = shown.at(-1);
  const states = finalStates(item.known, writes);
  const refused = states.length === 0 ? refusedCall(writes, reads) : undefined;
  if (refused !== undefined && judgeRefused(t, refused, writes)) return undefined;
  const blamed = callToBlame(writes, states, wrong) ?? all.at(-1) ?? wrong;
  const operation = t.contract.operation(blamed?.exchange.operation ?? '');
  if (wrong === undefined || blamed === undefined || operation === undefined) return undefined;
  const described = states.map(describeState).join(', or ');
  const calls = all.length + shown.length < MOST_EXCHANGES ? all : changesOrAll(all);
  const answers = states.length > 0 ? [] : writes.map(describeAnswer);
  return violationOf('overlap/not-linearizable', operation, {
    subject,
    requirement: requirementOf(t, item, blamed),
    expected: `a state that some order of these calls leads to${shown.length > 1 ? ', the same in all reads' : ''}: ${described === '' ? 'none explains their statuses' : described} (api.md sections 3, 4 and 7)`,
    received: [...answers, ...shown.map(({ response }) => describeObserved(response ?? { status: 0 }))].join(
      ', and then ',
    ),
    exchanges: [item.created, ...before, ...[...calls, ...shown].map(({ exchange }) => exchange)].slice(
      -MOST_EXCHANGES,
    ),
  });
}

/** Refusals that another call, or one before it, may explain. */
const OF_STATE: ReadonlySet<number> = new Set([404, 409, 412, 423, 429]);

/**
 * A call that was refused although no other call explains that: with a status that is not about the state of the item, or with 404
 * although the item is still there.
 */
function refusedCall(writes: readonly RecordedCall[], reads: readonly RecordedCall[]): RecordedCall | undefined {
  const isThere =
    reads.every(({ response }) => isSuccess(response?.status ?? 0)) &&
    writes.every(({ request }) => request.kind !== 'delete');
  return writes.find(({ response: { status } = { status: 0 } }) =>
    status === 404 ? isThere : status >= 400 && status < 500 && !OF_STATE.has(status),
  );
}

/** Judges a call that was refused, as a request to a deleted item where another call deletes it. True if that is a finding, which then explains the state. */
function judgeRefused(t: TestContext, { exchange }: RecordedCall, writes: readonly RecordedCall[]): boolean {
  const operation = t.contract.operation(exchange.operation);
  if (operation === undefined) return false;
  const deletion = writes.find(
    (each) => each.exchange !== exchange && each.request.kind === 'delete' && isSuccess(each.response?.status ?? 0),
  );
  if (deletion === undefined) {
    t.judge(operation, exchange, 'success');
    return t.findings.some(({ code, operation: of }) => code === 'valid-request-served/refused' && of === operation.id);
  }
  const { status = 0 } = exchange.response ?? {};
  const allowed = t.knowledge.unknownIdStatuses?.(operation) ?? [404];
  if (allowed.length > 0 && !allowed.includes(status))
    reportViolation(t, 'deleted-is-gone/status', operation, {
      subject: String(status),
      requirement: 'errors.not-found',
      expected: 'success before the deletion, status 404 after it',
      received: `status ${status}`,
      exchanges: [deletion.exchange, exchange],
    });
  return true;
}

const describeAnswer = ({ exchange: { operation, response } }: RecordedCall): string =>
  `status ${response?.status ?? 0} of ${operation}`;

/** The last call on the item; where no order of the calls explains its content, the last call that sent a content. */
function callToBlame(
  writes: readonly RecordedCall[],
  states: readonly Known[],
  read: RecordedCall | undefined,
): RecordedCall | undefined {
  const content = read?.response?.content;
  const isKnown = content === undefined || states.some((state) => state.content === content);
  return (isKnown ? undefined : writes.findLast(({ request }) => 'content' in request)) ?? writes.at(-1);
}

/** The requirement about the state after a call; undefined: that of its operation. */
function requirementOf(
  t: TestContext,
  { resource }: TrackedItem,
  { request: { kind } }: RecordedCall,
): string | undefined {
  const { update, remove } = t.knowledge.lifecycleRequirements(resource);
  switch (kind) {
    case 'update':
      return update[0];
    case 'delete':
      return remove[0];
    case 'activate':
    case 'deactivate':
      return `policies.${kind}`;
    case 'patch':
      return 'jobs.patch-applies';
    default:
      return undefined;
  }
}

/** The calls that change something, by time; all calls where none does. */
function changesOrAll(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  const writes = calls.filter(({ request }) => !isReadRequest(request));
  return (writes.length > 0 ? writes : calls).toSorted((a, b) => a.invoked - b.invoked);
}

/** The states that the possible orders of the calls lead to: a call that ended before another began comes first. */
function finalStates(known: Known, writes: readonly RecordedCall[]): readonly Known[] {
  if (writes.length === 0) return [known];
  const first = writes.filter((call) => writes.every((other) => other === call || other.returned >= call.invoked));
  const states = first.flatMap((call) =>
    ITEM_SPECIFICATION.step(known, call.request, call.response).flatMap((after) =>
      finalStates(
        after,
        writes.filter((other) => other !== call),
      ),
    ),
  );
  return [...new Map(states.map((state) => [ITEM_SPECIFICATION.key(state), state])).values()];
}

function describeState({ exists, content, active }: Known): string {
  if (!exists) return 'deleted';
  return [describeContent(content), ...(active === undefined ? [] : [active ? 'active' : 'inactive'])].join(' and ');
}

/** A call of {@link findSequentially}; `item` is an index. */
interface SequentialCall {
  readonly item?: number;
  readonly kind: StepPlan['kind'];
}

/** Sends the calls one after another on new items. A violation then is not of the overlap, and has the code that sequences report. */
export async function findSequentially(
  t: TestContext,
  family: Family,
  setup: Setup,
  calls: readonly SequentialCall[],
): Evaluation {
  const real: Real = { ...setup, t, family, settleMs: t.settleMs, steps: [] };
  // Includes at least one item that no call is about: it must not change.
  const count = 2 + Math.max(0, ...calls.map(({ item = 0 }) => item));
  const items = await Promise.all(Array.from({ length: count }, () => setup.create()));
  const model: Model = { items, order: undefined };
  try {
    for (const { kind, item = 0 } of calls) {
      // This slot selects the item even after its deletion.
      const plan = {
        kind,
        slot: count * SLOTS + item,
        form: 0,
        identity: 'full',
        // An update that changes the state does so without overlapping calls too.
        reads: { form: 0, list: kind === 'update' ? 'active' : 'all' },
      } as const;
      await new Step(plan).run(model, real);
    }
  } catch (error) {
    if (error instanceof ViolationFound) return error.violation;
    if (!(error instanceof StopSequence)) throw error;
  }
  return undefined;
}
