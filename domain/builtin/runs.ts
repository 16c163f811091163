import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange, Json, Operation } from '../../spec/index.ts';
import { isServed, scalarText } from '../../spec/index.ts';
import { growingPauses, poll, Skip, settled } from '../context.ts';
import type { ApiContext } from '../context.ts';
import { canonical, idOf, idsOf, itemsIn, memberOf } from '../items.ts';
import type { ApiKnowledge } from '../knowledge.ts';
import type { PathValues } from '../path-values.ts';
import { mustShowFirstPage } from './first-page.ts';
import { operationOf, OPERATIONS } from './operations.ts';
import { freshJob, prepareRun } from './jobs.ts';

/** A job with runs: of this run where effects allow, else one of the deployment. */
export interface RanJob {
  readonly jobId: string;
  /** Those of runs that show when they were completed come first. */
  readonly runIds: readonly string[];
  /** True where this run created it. */
  readonly own: boolean;
  /** True where every run shows when it was completed: nothing is added to it any more. */
  readonly isOver: boolean;
  /** The requests that queued its runs. */
  readonly queued?: readonly Exchange[];
  /** When they were queued, by `performance.now()`. */
  readonly queuedAt?: number;
}

/** Enough runs that the default page (10) is not the whole list. */
const RUNS_WANTED = 12;

/** How long to wait for runs: they take milliseconds on the embedded service and minutes elsewhere. */
export const RUN_WAIT_MS = 30_000;

/** How long to try to queue another run of a job while an earlier one is running. */
const BUSY_MS = 3000;

const isNotBusy = ({ response }: Exchange): boolean => response?.status !== 409;

/** Path parameter that takes the id of a run. */
export const RUN_ID = 'runId';

/** Member of an approval that takes the id of a result. */
const RESULT_ID = 'resultId';

/** Where the first runs take longer, later waits are short: every test would wait. */
const LONG_RUN_MS = 5000;

/** The knowledge of targets on which runs took long or did not appear in time. */
const SLOW = new WeakSet<ApiKnowledge>();

/** The knowledge of targets on which none of several runs appeared in time: who waits for one waits no longer. A single run may be lost. */
const WITHOUT_RUNS = new WeakSet<ApiKnowledge>();

const NO_RUN = 'no run appeared: see the findings of the check job-runs';

/** The job with runs that all tests read from. */
export function ranJob(t: ApiContext): Promise<RanJob> {
  return t.once('ran-job', async () => (mayRunJobs(t) ? awaitRuns(t, await queuedJob(t)) : findRanJob(t)));
}

/** Queues the runs of {@link ranJob}, where effects allow, without waiting for them. */
export async function beginRuns(t: ApiContext): Promise<void> {
  if (mayRunJobs(t)) await queuedJob(t);
}

function mayRunJobs(t: ApiContext): boolean {
  return t.allows('costly') && t.allows('reversible');
}

/** A job whose runs have been queued. */
interface QueuedJob {
  readonly jobId: string;
  readonly queued: readonly Exchange[];
  /** By `performance.now()`. */
  readonly queuedAt: number;
}

const queuedJob = (t: ApiContext): Promise<QueuedJob> => t.once('queued-job', () => queueRuns(t, RUNS_WANTED));

/** True where it is known that runs take long: the first ones have had the time to end, and no test waits for others. */
export function hasSlowRuns({ knowledge }: Pick<ApiContext, 'knowledge'>): boolean {
  return SLOW.has(knowledge);
}

/** Throws {@link Skip} where it is known that no run appears in time. */
export function skipWithoutRuns({ knowledge }: Pick<ApiContext, 'knowledge'>): void {
  if (WITHOUT_RUNS.has(knowledge)) throw new Skip(NO_RUN);
}

/** A new job with this many runs that have ended; `beforeRuns` is called when the job is ready and has none. */
export async function makeRanJob(t: ApiContext, runs: number, beforeRuns?: () => Promise<void>): Promise<RanJob> {
  skipWithoutRuns(t);
  return awaitRuns(t, await queueRuns(t, runs, beforeRuns));
}

async function queueRuns(t: ApiContext, runs: number, beforeRuns?: () => Promise<void>): Promise<QueuedJob> {
  const job = await freshJob(t, 'ran');
  const queue = operationOf(t, 'queue');
  await prepareRun(t, queue);
  await beforeRuns?.();
  const queued: Exchange[] = [];
  const send = (expect: 'success' | 'any'): Promise<Exchange> =>
    t.send(queue, { path: { id: job.id }, expect, label: 'queue a run' });
  for (let index = 0; index < runs; index += 1) {
    // A deployment may run a job once at a time.
    const next = index === 0 ? await send('success') : await poll(() => send('any'), isNotBusy, growingPauses(BUSY_MS));
    if (!isNotBusy(next)) break;
    queued.push(next);
  }
  return { jobId: job.id, queued, queuedAt: performance.now() };
}

/** Waits until the runs are listed and have ended. */
async function awaitRuns(t: ApiContext, { jobId, queued, queuedAt }: QueuedJob): Promise<RanJob> {
  const wanted = queued.length;
  const began = performance.now();
  const {
    runIds,
    isOver,
    exchange: seen,
  } = await poll(
    () => readRuns(t, jobId, wanted),
    ({ runIds, hasEnded, exchange }) =>
      (runIds.length >= wanted && hasEnded) ||
      !isServed(exchange) ||
      (runIds.length === 0 && WITHOUT_RUNS.has(t.knowledge)),
    growingPauses(SLOW.has(t.knowledge) ? 2 * t.settleMs : Math.max(RUN_WAIT_MS - (began - queuedAt), t.settleMs)),
  );
  if (runIds.length === 0 && WITHOUT_RUNS.has(t.knowledge)) throw new Skip(NO_RUN);
  if (runIds.length === 0 && wanted > 1 && isServed(seen)) WITHOUT_RUNS.add(t.knowledge);
  if (runIds.length < wanted || performance.now() - began > LONG_RUN_MS) SLOW.add(t.knowledge);
  if (runIds.length < wanted && isServed(seen) && queued.every(isServed)) {
    const queue = operationOf(t, 'queue');
    t.report({
      code: 'job-runs/not-listed',
      requirement: 'runs.execute-appears',
      operation: queue,
      message: `${queue.id}: queued runs are not listed`,
      expected: `${wanted} runs`,
      received: `${runIds.length} runs, ${Math.round((performance.now() - queuedAt) / 1000)} s after the last was queued`,
      exchanges: [seen],
      setup: queued,
    });
  }
  if (runIds.length === 0) await mustBeServed(t, jobId, seen);
  if (runIds.length === 0) await mustShowFirstPage(t, jobId);
  if (runIds.length === 0) throw new Skip(NO_RUN);
  return { jobId, runIds, own: true, isOver, queued, queuedAt };
}

/** The runs of a job that exists can be read, after the settle time at the latest. */
async function mustBeServed(t: ApiContext, jobId: string, seen: Exchange): Promise<void> {
  const request = { path: { id: jobId }, label: 'read the runs of the job' };
  const isThere = async (): Promise<boolean> => isServed(await t.sendQuietly(operationOf(t, 'runs'), request));
  if (!isServed(seen) && !(await settled(t, isThere)))
    await t.send(operationOf(t, 'runs'), { ...request, expect: 'success' });
}

interface Runs {
  readonly runIds: readonly string[];
  /** All runs show when they were completed, or none does and two reads, a moment apart, were the same. */
  readonly hasEnded: boolean;
  /** All runs show when they were completed. */
  readonly isOver: boolean;
  readonly exchange: Exchange;
}

/** States of a run that has not ended, as far as names tell. */
const UNDER_WAY = /running|progress|queued|pending|waiting|started/i;

async function readRuns(t: ApiContext, jobId: string, wanted: number): Promise<Runs> {
  const read = (pageNumber: number): Promise<Exchange> =>
    t.send(operationOf(t, 'runs'), { path: { id: jobId }, query: { pageNumber, pageSize: wanted * 2 } });
  const exchange = await read(1);
  const first = idsOf(exchange.response?.json, RUN_ID) ?? [];
  // A deployment that counts pages from 0 has the first runs there; one with smaller pages than requested has more on the next one.
  const elsewhere =
    first.length < wanted ? idsOf((await read(first.length > 0 ? 2 : 0)).response?.json, RUN_ID) : undefined;
  const runIds = completedFirst([...new Set([...first, ...(elsewhere ?? [])])], exchange);
  if (runIds.length < wanted) return { runIds, hasEnded: false, isOver: false, exchange };
  await sleep(30);
  const again = await read(1);
  const ends = (itemsIn(again) ?? []).map((run) => memberOf(run, 'completedAt'));
  const isOver = ends.every((end) => typeof end === 'string');
  const showsEnd = ends.some((end) => end !== undefined);
  // Where members with null are left out, a run that has not ended shows no end either.
  const isRunning = (itemsIn(again) ?? []).some((run) => UNDER_WAY.test(scalarText(memberOf(run, 'state'))));
  const hasEnded = (isOver || (!showsEnd && !isRunning)) && progressOf(again) === progressOf(exchange);
  return { runIds, hasEnded, isOver, exchange };
}

/** The ids with those of completed runs first, which have all of their chats and results: another run may wait for its turn. */
function completedFirst(runIds: readonly string[], { response }: Exchange): readonly string[] {
  const completed = (itemsIn({ response }) ?? []).filter((run) => typeof memberOf(run, 'completedAt') === 'string');
  const ids = new Set(completed.map((run) => idOf(run, RUN_ID)));
  return [...runIds.filter((id) => ids.has(id)), ...runIds.filter((id) => !ids.has(id))];
}

/** The members of runs that change while they are running; all members where runs show no state. */
function progressOf({ response }: Exchange): string {
  const runs = itemsIn({ response }) ?? [];
  const ofRun = (run: Json): Json =>
    memberOf(run, 'state') === undefined
      ? run
      : ['id', 'state', 'completedAt', 'count'].map((name) => memberOf(run, name) ?? null);
  return canonical(runs.map(ofRun));
}

/** Most jobs of others whose runs are read to find one that ran. */
const MOST_JOBS_READ = 20;

async function findRanJob(t: ApiContext): Promise<RanJob> {
  const listed = await t.send(operationOf(t, 'jobs'));
  const others = jobsThatRanFirst(itemsIn(listed) ?? []).filter((id) => !t.isOwn(id));
  for (const jobId of others.slice(0, MOST_JOBS_READ)) {
    const runs = await t.send(operationOf(t, 'runs'), { path: { id: jobId }, query: { pageNumber: 1, pageSize: 50 } });
    const runIds = completedFirst(idsOf(runs.response?.json, RUN_ID) ?? [], runs);
    if (runIds.length > 0) return { jobId, runIds, own: false, isOver: false };
  }
  throw new Skip(
    'no job of the deployment was found that has runs, and creating one needs the effects reversible and costly',
  );
}

/** The ids of the jobs, those first that show a run or pending results: many others may be listed before them. */
function jobsThatRanFirst(jobs: readonly Json[]): readonly string[] {
  const hasRun = (job: Json): boolean =>
    typeof memberOf(job, 'jobProgressId') === 'string' || Number(memberOf(job, 'pendingItems') ?? 0) > 0;
  return [...jobs.filter(hasRun), ...jobs.filter((job) => !hasRun(job))].flatMap((job) => idOf(job) ?? []);
}

/** The most common type of results that the job has: the path parameter `type`. */
export async function resultType(t: ApiContext): Promise<string> {
  const [type] = await resultTypes(t);
  return type ?? Promise.reject(new Skip('no result of the job shows a type yet'));
}

/** Most runs whose results are read to find their types. */
const MOST_RUNS_READ = 3;

interface Types {
  known: readonly string[];
  look?: Promise<readonly string[]>;
  isFirst: boolean;
}

/** The types of results of a run of the job, the most common one first. A run may take long: where it has none yet, each call looks again. */
export async function resultTypes(t: ApiContext): Promise<readonly string[]> {
  const types = await t.once('result-types', async (): Promise<Types> => ({ known: [], isFirst: true }));
  if (types.known.length > 0) return types.known;
  types.look ??= findTypes(t, types).finally(() => {
    delete types.look;
  });
  return types.look;
}

async function findTypes(t: ApiContext, types: Types): Promise<readonly string[]> {
  const { jobId, runIds } = await ranJob(t);
  const look = async (): Promise<boolean> => {
    for (const runId of runIds.slice(0, MOST_RUNS_READ)) {
      const query = { pageNumber: 1, pageSize: 50 };
      const seen = await t.send(operationOf(t, 'runResults'), { path: { id: jobId, runId }, query });
      const shown = (itemsIn(seen) ?? []).map((item) => memberOf(item, 'type'));
      types.known = byFrequency(shown.filter((each) => typeof each === 'string'));
      if (types.known.length > 0) return true;
    }
    return false;
  };
  const wait = types.isFirst;
  types.isFirst = false;
  await (wait ? settled(t, look) : look());
  return types.known;
}

/** The different values, the most frequent one first. */
export function byFrequency(values: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}

/** The id of a result of the job, to be approved, if possible a pending one; none where there are no results. */
export async function pendingResults(t: ApiContext, path: PathValues): Promise<readonly string[]> {
  const seen = await t.send(operationOf(t, 'results'), {
    path: { id: path['id'] ?? '', type: path['type'] ?? '' },
    query: { pageNumber: 1, pageSize: 5 },
  });
  const results = itemsIn(seen) ?? [];
  const pending = results.find((each) => memberOf(each, 'state') === 'Pending');
  return [idOf(pending ?? results[0], RESULT_ID) ?? []].flat();
}

/** Waits for a result that can be approved. Throws {@link Skip} where the job has none within the settle time. */
export async function prepareApproval(t: ApiContext, { id }: Operation, path: PathValues): Promise<void> {
  if (id !== OPERATIONS.approve) return;
  if (!(await settled(t, async () => (await pendingResults(t, path)).length > 0)))
    throw new Skip('the job has no result to approve yet');
}
