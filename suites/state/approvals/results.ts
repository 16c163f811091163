import type { Exchange, Form, Json } from '../../../spec/index.ts';
import { isObject } from '../../../spec/index.ts';
import { approval, narrow, tell } from '../../oracle/index.ts';
import type { KnownResult } from '../../oracle/index.ts';
import { idOf, itemsOf } from '../../../domain/items.ts';
import type { TestContext } from '../../kit/context.ts';
import { makeRanJob, resultType } from '../../../domain/builtin/runs.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';

/** Results of one job, with what is known of each by its id. */
export interface Results {
  readonly path: { readonly id: string; readonly type: string };
  readonly runId: string;
  readonly initial: string;
  known: ReadonlyMap<string, KnownResult>;
}

/** One look at results: the member that tells the state, by id. */
export interface Seen {
  readonly states: ReadonlyMap<string, string>;
  readonly exchange: Exchange;
}

/** A result that is seen as the document does not allow. */
export interface Astray {
  readonly id: string;
  /** Where two answers contradict each other; left out: the answer contradicts what is known. */
  readonly cause?: string;
  readonly expected: string;
  readonly received: string;
  readonly exchange: Exchange;
}

/** Most results of a job that are read at once. */
const ALL = 500;

/** Lists results, all or those in a state. */
export async function listResults(t: TestContext, form: Form, path: Results['path'], state?: string): Promise<Seen> {
  const query = { pageNumber: 1, pageSize: ALL, ...(state === undefined ? {} : { state }) };
  const exchange = await t.send(operationOf(t.session, 'results'), {
    form,
    path,
    query,
    label: state === undefined ? 'list the results' : `state=${state}`,
  });
  return {
    states: new Map((itemsOf(exchange.response?.json) ?? []).map((item) => [idOf(item) ?? '', stateOf(item) ?? ''])),
    exchange,
  };
}

function stateOf(item: Json | undefined): string | undefined {
  return isObject(item) && typeof item['state'] === 'string' ? item['state'] : undefined;
}

/** A job of this run's own that ran, with the results that nobody has decided about. Throws {@link Skip} where they show no state. */
export async function freshResults(t: TestContext, form: Form): Promise<Results> {
  const { jobId, runIds } = await makeRanJob(t, 1);
  const path = { id: jobId, type: await resultType(t) };
  const { states } = await listResults(t, form, path);
  const initial = mostFrequent([...states.values()].filter((state) => state !== ''));
  if (initial === undefined) return t.skip('no result of the job shows a state');
  return {
    path,
    runId: runIds[0] ?? '',
    initial,
    known: new Map([...states].map(([id, state]) => [id, { state, initial }])),
  };
}

function mostFrequent(values: readonly string[]): string | undefined {
  const count = (value: string): number => values.filter((each) => each === value).length;
  return [...new Set(values)].sort((a, b) => count(b) - count(a))[0];
}

/** Holds what is known against the list, the list against each of its states as a filter, and one result by itself against the list. */
export async function lookAtResults(
  t: TestContext,
  form: Form,
  results: Results,
  single: string | undefined,
): Promise<Astray | undefined> {
  const all = await listResults(t, form, results.path);
  if (all.exchange.response?.status !== 200) return undefined;
  for (const state of new Set([results.initial, ...all.states.values()])) {
    const shown = new Set([...all.states].filter(([, each]) => each === state).map(([id]) => id));
    const astray = unlike(results.known, state, shown, all.exchange) ?? (await unfound(t, form, results, state, shown));
    if (astray !== undefined) return astray;
  }
  return single === undefined ? undefined : detail(t, form, results, { id: single, listed: all.states.get(single) });
}

function unlike(
  known: Results['known'],
  state: string,
  shown: ReadonlySet<string>,
  exchange: Exchange,
): Astray | undefined {
  for (const [id, result] of known) {
    const outcomes = approval(result, { kind: 'list-state', state });
    if (narrow(outcomes, { status: 200, listed: shown.has(id) }).length > 0) continue;
    return {
      id,
      expected: `result ${id} in state ${state}: ${tell(outcomes)}`,
      received: `it is ${shown.has(id) ? '' : 'not '}in that state`,
      exchange,
    };
  }
  return undefined;
}

/** Section 3: results have a state that can be filtered; the filter finds what the list shows. */
async function unfound(
  t: TestContext,
  form: Form,
  { path, known }: Results,
  state: string,
  shown: ReadonlySet<string>,
): Promise<Astray | undefined> {
  const found = await listResults(t, form, path, state);
  if (found.exchange.response?.status !== 200) return undefined;
  const id = [...known.keys()].find((each) => shown.has(each) !== found.states.has(each));
  if (id === undefined) return undefined;
  return {
    id,
    cause: 'the filter does not know the state',
    expected: `result ${id} ${shown.has(id) ? '' : 'not '}among those in state ${state} (api.md 3, state)`,
    received: `it is ${found.states.has(id) ? '' : 'not '}found`,
    exchange: found.exchange,
  };
}

/** The result by its id tells the state that the list tells. */
async function detail(
  t: TestContext,
  form: Form,
  { path }: Results,
  { id, listed }: { readonly id: string; readonly listed: string | undefined },
): Promise<Astray | undefined> {
  const exchange = await t.send(operationOf(t.session, 'result'), {
    form,
    path: { ...path, resultId: id },
    label: 'read the result',
  });
  const told = stateOf(exchange.response?.json);
  if (told === undefined || listed === undefined || told === listed) return undefined;
  return {
    id,
    cause: 'the result by its id tells another state',
    expected: `result ${id} in state ${listed}, as in the list`,
    received: told,
    exchange,
  };
}

/** A result of the run, of whatever type, that still has the state before any decision. */
export async function undecided(
  t: TestContext,
  form: Form,
  { path, runId, initial }: Results,
): Promise<Astray | undefined> {
  const exchange = await t.send(operationOf(t.session, 'runResults'), {
    form,
    path: { id: path.id, runId },
    query: { pageNumber: 1, pageSize: ALL },
    label: 'list the results of the run',
  });
  const left = itemsOf(exchange.response?.json)?.find((item) => stateOf(item) === initial);
  const id = idOf(left);
  return id === undefined
    ? undefined
    : { id, expected: `result ${id} in another state than ${initial}`, received: `it is ${initial}`, exchange };
}
