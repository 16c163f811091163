import type { Exchange } from '../../spec/index.ts';
import { idsOf } from '../items.ts';
import { Skip } from '../../suites/kit/context.ts';
import type { Session } from '../../suites/kit/session.ts';
import type { TestContext } from '../../suites/kit/context.ts';
import { freshJob } from './make.ts';
import { operationOf } from './operations.ts';

/** A job that ran: of this run where effects allow, else one that the deployment has. */
interface RanJob {
  readonly jobId: string;
  readonly runIds: readonly string[];
  /** True where this run made it. */
  readonly own: boolean;
}

/** Enough runs that the default page (10) is not the whole list. */
const RUNS_WANTED = 12;

/** Runs take a few milliseconds here and minutes elsewhere. */
export const RUN_PATIENCE_MS = 30_000;

/** Sessions in which runs once did not appear in all that time: they are not waited for so long again. */
const HOPELESS = new WeakSet<Session>();

/** The job with runs that all tests read from. */
export function ranJob(t: TestContext): Promise<RanJob> {
  const { session } = t;
  const may = session.allows('costly') && session.allows('reversible');
  return session.once('ran-job', () => (may ? makeRanJob(t, RUNS_WANTED) : findRanJob(t)));
}

/** A job of this run's own, with so many runs that have ended. */
export async function makeRanJob(t: TestContext, runs: number): Promise<RanJob> {
  const { session } = t;
  const job = await freshJob(t, 'ran');
  const queue = operationOf(session, 'queue');
  const queued: Exchange[] = [];
  for (let index = 0; index < runs; index += 1) {
    queued.push(await t.send(queue, { path: { id: job.id }, expect: 'success', label: 'queue a run' }));
  }
  const list = operationOf(session, 'runs');
  let runIds: readonly string[] = [];
  let seen: Exchange | undefined;
  const until =
    Date.now() +
    (HOPELESS.has(session) ? 2 * session.options.settleMs : Math.max(RUN_PATIENCE_MS, session.options.settleMs));
  while (Date.now() < until) {
    const page = (pageNumber: number): Promise<Exchange> =>
      t.send(list, { path: { id: job.id }, query: { pageNumber, pageSize: runs * 2 } });
    const exchange = await page(1);
    seen = exchange;
    runIds = idsOf(exchange.response?.json) ?? [];
    if (runIds.length === 0) runIds = idsOf((await page(0)).response?.json) ?? [];
    if (runIds.length >= runs && (await quiet(t, job.id, runIds.length))) break;
    if (exchange.response?.status !== 200) break;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  if (runIds.length < runs) HOPELESS.add(session);
  if (runIds.length < runs && seen?.response?.status === 200 && queued.every((each) => each.response?.status === 200)) {
    t.report({
      check: 'job-runs',
      requirement: 'runs.execute-appears',
      operation: queue,
      cause: 'runs that were queued are not listed',
      message: `${queue.id}: runs that were queued are not listed`,
      expected: `${runs} runs`,
      received: `${runIds.length} runs`,
      exchanges: [...queued.slice(-2), seen],
    });
  }
  if (runIds.length === 0) throw new Skip('no run appeared: see the findings of the runs');
  return { jobId: job.id, runIds, own: true };
}

/** True once two looks at the runs, a moment apart, are the same: then what executes has come to an end. */
async function quiet(t: TestContext, jobId: string, count: number): Promise<boolean> {
  const list = operationOf(t.session, 'runs');
  const look = async (): Promise<string> => {
    const exchange = await t.send(list, { path: { id: jobId }, query: { pageNumber: 1, pageSize: count * 2 } });
    return JSON.stringify(exchange.response?.json ?? null);
  };
  const before = await look();
  await new Promise((resolve) => {
    setTimeout(resolve, 30);
  });
  return before === (await look());
}

async function findRanJob(t: TestContext): Promise<RanJob> {
  const { session } = t;
  const listed = await t.send(operationOf(session, 'jobs'));
  const jobs = (idsOf(listed.response?.json) ?? []).slice(0, 20);
  for (const jobId of jobs) {
    const runs = await t.send(operationOf(session, 'runs'), {
      path: { id: jobId },
      query: { pageNumber: 1, pageSize: 50 },
    });
    const runIds = idsOf(runs.response?.json) ?? [];
    if (runIds.length > 0) return { jobId, runIds, own: false };
  }
  throw new Skip('the deployment has no job with runs, and making one needs the effects reversible and costly');
}
