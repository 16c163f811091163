import { findOperation } from '../../../domain/builtin/operations.ts';
import { idOf, idsOf, sameId } from '../../../domain/items.ts';
import { pageWith, walk } from '../../../domain/read-list.ts';
import { count } from '../../../spec/count.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, Form, Operation, Violation } from '../../../spec/index.ts';
import { persists } from '../../kit/polling.ts';
import { violationOf } from '../../kit/violation.ts';
import { allowed, narrow } from '../../oracle/index.ts';
import type { RequestKind, Request } from '../../oracle/index.ts';
import { checkOrder, notAsSet } from '../order/processing-order.ts';
import type { OrderViolation } from '../order/processing-order.ts';
import { observe, observeListed, operationFor, specFor } from './items.ts';
import type { TrackedItem } from './items.ts';
import { ViolationFound } from './model.ts';
import type { Model, Real } from './model.ts';
import { stepsOf, violationAfter } from './violations.ts';
import type { Action, ItemReading } from './violations.ts';
import { filterShowsState, listedAs } from '../../../domain/builtin/policies.ts';
import type { Evaluation } from '../../kit/context.ts';

/** How the state is read after an action. */
export interface StateReads {
  readonly form: Form | undefined;
  /** Which list is read besides the item. */
  readonly list: 'all' | 'active' | 'inactive';
}

/** Reads the item of the action, a list and the order; throws {@link ViolationFound} where the oracle does not allow the state. */
export async function checkState(real: Real, model: Model, action: Action, reads: StateReads): Promise<void> {
  const { item } = action;
  const violation =
    (item === undefined ? undefined : await checkItem(real, action, item, reads.form)) ??
    (await checkList(real, model, action, reads)) ??
    (await checkStateMember(real, model, action, reads.form)) ??
    (item === undefined ? undefined : await checkRuns(real, action, item, reads.form)) ??
    (await checkKnownOrder(real, model, action, reads.form));
  if (violation !== undefined) throw new ViolationFound(violation);
}

function readOperation({ t, family }: Real, kind: RequestKind): Operation {
  return operationFor(t, family, kind) ?? t.skip(`the description has no operation to ${kind} a ${family}`);
}

async function readItem({ t, family }: Real, item: TrackedItem, form: Form | undefined): Promise<Exchange> {
  const operation = operationFor(t, family, 'read') ?? t.skip(`a ${family} cannot be read`);
  const request = await specFor(t, item, { kind: 'read' });
  return t.send(operation, { ...request, label: 'read', ...(form === undefined ? {} : { form }) });
}

/** Reads the item by its id. */
export function checkItem(
  real: Real,
  action: Action,
  item: TrackedItem,
  form: Form | undefined,
  steps = real.steps,
): Evaluation {
  const evaluate = async (): Evaluation => {
    const exchange = await readItem(real, item, form);
    const json = exchange.response?.json;
    const observed = observe(exchange, item);
    const violation = judge(real, action, { item, request: { kind: 'read' }, observed, json, exchange }, steps);
    if (violation === undefined && isServed(exchange)) item.shownBy.set(exchange.form, exchange);
    return violation;
  };
  return persists(real.t, evaluate, real.settleMs);
}

/** Reads a list and checks every item in it; `steps` are the ones that led to the state of an item. */
export async function checkList(
  real: Real,
  { items }: Pick<Model, 'items'>,
  action: Action,
  { form, list }: StateReads,
  steps: (item: TrackedItem) => readonly Exchange[] = () => real.steps,
): Evaluation {
  const { t, search } = real;
  const isWhole = real.family !== 'policy' || list === 'all' || !(await filterShowsState(t, search));
  const request: Request = isWhole ? { kind: 'list' } : { kind: 'list-active', filterActive: list === 'active' };
  const filter = isWhole ? {} : { filterActive: list === 'active' };
  const label = isWhole ? 'list' : `filterActive=${list === 'active'}`;
  const spec = { query: { ...search, ...filter }, label, ...(form === undefined ? {} : { form }) };
  const evaluate = async (): Evaluation => {
    const seen = await walk(t, readOperation(real, request.kind), spec);
    const last = seen?.pages.at(-1);
    if (seen === undefined || last === undefined) return undefined;
    for (const item of items) {
      const json = seen.items.find((each) => sameId(idOf(each), item.id));
      const exchange = pageWith(seen, item.id) ?? last;
      const reading = { item, request, observed: observeListed(json, item), json, exchange };
      const violation = judge(real, action, reading, steps(item));
      if (violation === undefined) continue;
      const others = { query: search, ...(form === undefined ? {} : { form }) };
      const isMoved =
        !isWhole && json === undefined && (await listedAs(t, item.id, list !== 'active', others)).isListed;
      return isMoved ? judge(real, action, { ...reading, isMoved }, steps(item)) : violation;
    }
    return undefined;
  };
  return persists(t, evaluate, real.settleMs);
}

function judge(real: Real, action: Action, reading: ItemReading, steps: readonly Exchange[]): Violation | undefined {
  const { item, request, observed, exchange } = reading;
  if (real.t.isUnusable(exchange)) return undefined;
  const outcomes = allowed(item.known, request);
  if (narrow(outcomes, observed).length > 0) return undefined;
  return violationAfter(real.t, real.family, action, reading, { outcomes, steps });
}

/** Section 3: the member that shows the status of a policy agrees with filterActive, of which a violation is reported first. */
async function checkStateMember(real: Real, model: Model, action: Action, form: Form | undefined): Evaluation {
  const { t, stateMember, steps } = real;
  const { item } = action;
  if (stateMember === undefined || item?.known.exists !== true || !(await filterShowsState(t, real.search)))
    return undefined;
  const evaluate = async (): Evaluation => {
    const exchange = await readItem(real, item, form);
    const json = exchange.response?.json;
    if (item.known.active === undefined || !isObject(json)) return undefined;
    const value = json[stateMember.name];
    const expected = item.known.active ? stateMember.active : stateMember.inactive;
    if (value === undefined || value === expected) return undefined;
    return violationOf('activation/state-member', readOperation(real, 'read'), {
      subject: stateMember.name,
      requirement: 'policies.status',
      expected: `${stateMember.name} ${JSON.stringify(expected)}, as in the list of ${item.known.active ? 'active' : 'inactive'} policies`,
      received: JSON.stringify(value),
      exchanges: stepsOf(item, [...steps, exchange]),
    });
  };
  const violation = await persists(t, evaluate, real.settleMs);
  if (violation === undefined) return undefined;
  return (await checkList(real, model, action, { form, list: 'active' })) ?? violation;
}

/** Runs of a job that are read at once; a sequence queues fewer. */
const ALL_RUNS = 100;

/** Section 4: queued runs are among the runs of their job, and stay there. A dry run may leave one of its own. */
async function checkRuns(
  { t, steps, settleMs }: Real,
  { kind, operation }: Action,
  item: TrackedItem,
  form: Form | undefined,
): Evaluation {
  const list = findOperation(t.contract, 'runs');
  const { runs = 0, exists } = item.known;
  if (list === undefined || operation === undefined || runs === 0 || !exists) return undefined;
  const spec = { path: { id: item.id }, query: { pageNumber: 1, pageSize: ALL_RUNS }, label: 'list the runs' };
  const evaluate = async (): Evaluation => {
    const exchange = await t.send(list, { ...spec, ...(form === undefined ? {} : { form }) });
    const seen = idsOf(exchange.response?.json);
    if (seen === undefined || seen.length >= runs || t.isUnusable(exchange)) return undefined;
    return violationOf(kind === 'queue' ? 'job-runs/not-listed' : 'job-runs/lost', operation, {
      requirement: 'runs.execute-appears',
      expected: `${count(runs, 'run')} (api.md section 4, POST execution-queue)`,
      received: count(seen.length, 'run'),
      exchanges: stepsOf(item, [...steps, exchange]),
    });
  };
  return persists(t, evaluate, settleMs);
}

async function checkKnownOrder(
  { t, steps, settleMs }: Real,
  { order, items }: Model,
  { kind, item, operation }: Action,
  form: Form | undefined,
): Evaluation {
  if (order === undefined || operation === undefined) return undefined;
  const otherwise: OrderViolation =
    kind === 'set-order' ? notAsSet(t) : { code: 'processing-order/changed', operation };
  return checkOrder(t, {
    known: order,
    own: new Set(items.map(({ key }) => key)),
    deleted: item?.known.exists === false ? item.key : undefined,
    form,
    steps: [...steps],
    otherwise,
    forMs: settleMs,
  });
}

const AFTER_WAITING: Action = { kind: 'wait', isRefused: false };

/** A sequence that found no violation, with its steps. */
export interface FinishedSequence {
  readonly model: Model;
  readonly steps: readonly Exchange[];
}

/** Number of sequences, from the last, of which every item is read again. */
const READ_AGAIN = 12;

/** Steps of one item in a finding: the last ones, and the last ones that sent a content. */
const LAST_STEPS = 3;
const LAST_CONTENTS = 2;

/** Nobody changes the items of a sequence after its end, so that their last known state must still hold after all sequences. */
export async function checkLasting(real: Real, sequences: readonly FinishedSequence[]): Evaluation {
  const steps = (item: TrackedItem): readonly Exchange[] => {
    const own = sequences.find(({ model }) => model.items.includes(item))?.steps ?? [];
    const ofItem = own.filter(({ request }) => request.url.toLowerCase().includes(item.key));
    const contents = ofItem.filter(({ request }) => request.body !== undefined).slice(-LAST_CONTENTS);
    return ofItem.filter((each, at) => at >= ofItem.length - LAST_STEPS || contents.includes(each));
  };
  const items = sequences.flatMap(({ model }) => model.items);
  for (const list of real.family === 'policy' ? (['active', 'inactive'] as const) : (['all'] as const)) {
    const violation = await checkList(real, { items }, AFTER_WAITING, { form: undefined, list }, steps);
    if (violation !== undefined) return violation;
  }
  const again = sequences.slice(-READ_AGAIN).flatMap(({ model }) => model.items);
  const violations = await Promise.all(
    again.map((item) => checkItem(real, AFTER_WAITING, item, undefined, [...steps(item)])),
  );
  return violations.find((each) => each !== undefined);
}
