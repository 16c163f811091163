import { operationOf } from '../../../domain/builtin/operations.ts';
import { areResultsApproved, isApproved } from '../../../domain/builtin/approved-results.ts';
import { byFrequency, makeRanJob, resultType } from '../../../domain/builtin/runs.ts';
import { idOf, itemsIn, keyOf, memberOf } from '../../../domain/items.ts';
import { readLong } from '../../../domain/read-list.ts';
import { isServed } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Form, Json } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { approval, narrow } from '../../oracle/index.ts';
import type { KnownResult } from '../../oracle/index.ts';

/** Results of one job, with what is known of each by its id. */
export interface Results {
  readonly path: { readonly id: string; readonly type: string };
  readonly runId: string;
  readonly initial: string;
  /** Ids of those in the initial state before any decision: a deployment may approve some results at once. */
  readonly undecided: readonly string[];
  /** The list that showed them first. */
  readonly listed: Exchange;
  known: ReadonlyMap<string, KnownResult>;
}

/** The states of listed results, by id; empty where a result shows none. */
export interface ListedResults {
  readonly states: ReadonlyMap<string, string>;
  readonly exchange: Exchange;
}

/** A result in a state that the document does not allow. */
export interface WrongState {
  readonly id: string;
  /** Where two responses contradict each other; left out: the response contradicts what is known. */
  readonly code?: FindingCode;
  readonly expected: string;
  readonly received: string;
  readonly message?: string;
  readonly grade?: 'inferred';
  /** The list that the response contradicts. */
  readonly list?: Exchange;
  readonly exchange: Exchange;
}

/** Page size that holds all results of a job. */
const ALL = 500;

/** Lists results, all or those in a state. */
export async function listResults(
  t: TestContext,
  form: Form,
  path: Results['path'],
  state?: string,
): Promise<ListedResults> {
  const operation = operationOf(t, 'results');
  const label = state === undefined ? 'list the results' : `state=${state}`;
  const { pages, failed: exchange = pages[0] } = await readLong(operation, ALL, (index, pageSize) => {
    const query = { pageNumber: index + 1, pageSize, ...(state === undefined ? {} : { state }) };
    return t.send(operation, { form, path, query, label });
  });
  const items = pages.flatMap((page) => itemsIn(page) ?? []);
  return { states: new Map(items.map((item) => [idOf(item, 'resultId') ?? '', stateOf(item) ?? ''])), exchange };
}

function stateOf(item: Json | undefined): string | undefined {
  const state = memberOf(item, 'state');
  return typeof state === 'string' ? state : undefined;
}

const AT_ONCE = 'the deployment approves results at once';

/** Skips the test where results are approved at once, before it creates jobs for them. */
export async function skipIfApproved(t: TestContext): Promise<void> {
  if (await areResultsApproved(t)) t.skip(AT_ONCE);
}

/** A new job that ran, with results that are not decided. Skips the test where they show no state, or are approved already. */
export async function freshResults(t: TestContext, form: Form): Promise<Results> {
  const { jobId, runIds } = await makeRanJob(t, 1);
  const path = { id: jobId, type: await resultType(t) };
  const { states, exchange: listed } = await listResults(t, form, path);
  const shown = [...states.values()].filter((state) => state !== '');
  if (shown.length === 0)
    return t.skip(
      states.size === 0 ? 'the job shows no results: none, or not yet' : 'no result of the job shows a state',
    );
  const [initial] = byFrequency(shown.filter((state) => !isApproved(state)));
  if (initial === undefined)
    return t.skip('the results of a new run are approved, by the deployment or by a bulk approval of another job');
  const known = new Map([...states].map(([id, state]) => [id, { state, initial }]));
  return { path, runId: runIds[0] ?? '', initial, undecided: undecidedIds(states, initial), listed, known };
}

/** Ids of the results in the initial state. */
export function undecidedIds(states: ReadonlyMap<string, string>, initial: string): readonly string[] {
  return [...states].flatMap(([id, state]) => (state === initial ? [id] : []));
}

/** Compares the listed states with the known ones, the filter for each state with the list, and the result `single` with the list. */
export async function findWrongState(
  t: TestContext,
  form: Form,
  results: Results,
  single: string | undefined,
): Promise<WrongState | undefined> {
  const { states, exchange } = await listResults(t, form, results.path);
  if (!isServed(exchange)) return undefined;
  for (const state of new Set([results.initial, ...states.values()])) {
    const shown = new Set([...states].filter(([, each]) => each === state).map(([id]) => id));
    const wrong =
      contradictsKnown(shownOf(results.known, states, exchange), state, shown, exchange) ??
      (await contradictsFilter(t, form, results, { state, shown, list: exchange }));
    if (wrong !== undefined) return wrong;
  }
  return single === undefined
    ? undefined
    : contradictsList(t, form, results, single, { state: states.get(single), list: exchange });
}

/** The known results; without those that the list lacks where it counts more than it shows. */
function shownOf(known: Results['known'], states: ListedResults['states'], { response }: Exchange): Results['known'] {
  const isShort = Number(memberOf(response?.json, 'totalCount') ?? 0) > states.size;
  return isShort ? new Map([...known].filter(([id]) => states.has(id))) : known;
}

function contradictsKnown(
  known: Results['known'],
  state: string,
  shown: ReadonlySet<string>,
  exchange: Exchange,
): WrongState | undefined {
  for (const [id, result] of known) {
    const outcomes = approval(result, { kind: 'list-state', state });
    if (narrow(outcomes, { status: 200, listed: shown.has(id) }).length > 0) continue;
    const [wanted, shownAs] = shown.has(id) ? ['not ', ''] : ['', 'not '];
    return {
      id,
      expected: `result ${id} ${wanted}in state ${state}`,
      received: `it is ${shownAs}in that state`,
      exchange,
    };
  }
  return undefined;
}

/** Section 3: results have a state that can be filtered, so the filter finds what the list shows. */
async function contradictsFilter(
  t: TestContext,
  form: Form,
  { path, known }: Results,
  { state, shown, list }: { readonly state: string; readonly shown: ReadonlySet<string>; readonly list: Exchange },
): Promise<WrongState | undefined> {
  const { states, exchange } = await listResults(t, form, path, state);
  if (!isServed(exchange)) return undefined;
  const id = [...known.keys()].find((each) => shown.has(each) !== states.has(each));
  if (id === undefined) return undefined;
  const expected = `result ${id} ${shown.has(id) ? '' : 'not '}among those in state ${state} (api.md section 3, state)`;
  const received = `it is ${states.has(id) ? '' : 'not '}found`;
  return { id, code: 'approvals/filter-unknown', expected, received, list, exchange };
}

/** A result that is read by its id must show the state that the list shows. */
async function contradictsList(
  t: TestContext,
  form: Form,
  { path }: Results,
  id: string,
  listed: { readonly state: string | undefined; readonly list: Exchange },
): Promise<WrongState | undefined> {
  const exchange = await readResult(t, form, path, id);
  const isGone = exchange.response?.status === 404;
  const state = isGone ? 'status 404' : stateOf(exchange.response?.json);
  if (state === undefined || listed.state === undefined || state === listed.state) return undefined;
  const expected = `result ${id} in state ${listed.state}, as in the list`;
  return { id, code: 'approvals/state-differs', expected, received: state, list: listed.list, exchange };
}

export function readResult(t: TestContext, form: Form, path: Results['path'], id: string): Promise<Exchange> {
  return t.send(operationOf(t, 'result'), { form, path: { ...path, resultId: id }, label: 'read the result' });
}

/** Lists the results of the run, of all types. */
export function listRunResults(t: TestContext, form: Form, { path, runId }: Results): Promise<Exchange> {
  return t.send(operationOf(t, 'runResults'), {
    form,
    path: { id: path.id, runId },
    query: { pageNumber: 1, pageSize: ALL },
    label: 'list the results of the run',
  });
}

/** A result of the run, of any type, that still has the initial state, as it had `before`: the run may go on and add others. */
export async function findUndecided(
  t: TestContext,
  form: Form,
  results: Results,
  before: Exchange,
): Promise<WrongState | undefined> {
  const { initial } = results;
  const exchange = await listRunResults(t, form, results);
  const items = itemsIn(exchange) ?? [];
  const earlier = new Set(itemsIn(before)?.map((item) => keyOf(item)));
  const undecided = items.find((item) => stateOf(item) === initial && earlier.has(keyOf(item)));
  if (undecided === undefined) return undefined;
  const id = keyOf(undecided).slice(0, 200);
  const wrong = {
    id,
    expected: `result ${id} in another state than ${initial}`,
    received: `it is ${initial}`,
    exchange,
  };
  const { states, exchange: list } = await listResults(t, form, results.path);
  const areDecided = states.size > 0 && ![...states.values()].includes(initial);
  // Some of the results of the run are those of the list.
  if (!areDecided || items.some((item) => stateOf(item) !== initial)) return wrong;
  const message = `${exchange.operation} does not show the states that the list of results shows`;
  return { ...wrong, code: 'approvals/state-differs', message, grade: 'inferred', list };
}
