import { setTimeout as delay } from 'node:timers/promises';
import { sampleBody } from '../../../domain/builtin/bodies/sample-body.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { idsOf, memberOf } from '../../../domain/items.ts';
import { count } from '../../../spec/count.ts';
import { isSuccess } from '../../../spec/index.ts';
import type { Exchange, Json, Operation } from '../../../spec/index.ts';
import type { Evaluation, RequestSpec, TestContext } from '../../kit/context.ts';
import { persists } from '../../kit/polling.ts';
import { violationOf } from '../../kit/violation.ts';
import { freshResults, listResults } from '../approvals/results.ts';
import { formAt } from '../define.ts';
import { createTracked, newContent } from '../sequences/items.ts';
import { freshJob } from '../../../domain/builtin/jobs.ts';
import { skipWithoutRuns } from '../../../domain/builtin/runs.ts';

/** Sends requests at the same time or shortly after each other, in different forms. */
function sendAll(
  t: TestContext,
  operation: Operation,
  requests: readonly RequestSpec[],
  apartMs = 0,
): Promise<readonly Exchange[]> {
  return Promise.all(
    requests.map(async (request, at) => {
      if (at * apartMs > 0) await delay(at * apartMs);
      return t.send(operation, { ...request, form: formAt(operation, at) });
    }),
  );
}

/** The values whose requests were served. */
function served<T>(values: readonly T[], exchanges: readonly Exchange[]): readonly T[] {
  return values.filter((_, at) => isSuccess(exchanges[at]?.response?.status ?? 0));
}

async function reportPersisting(t: TestContext, evaluate: () => Evaluation, forMs?: number): Promise<boolean> {
  const violation = await persists(t, evaluate, forMs);
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}

/**
 * What is patched at the same time; RFC 6902 changes only the member that an operation names. Between reading and storing a job a
 * service takes a few milliseconds: with many patches, the times of two are likely to overlap.
 */
const TARGETS: readonly (readonly [string, string?])[] = [
  ['description'],
  ['prompt'],
  ['name'],
  ...Array.from('abcdefg', (letter) => ['metadata', `assay${letter}`] as const),
];

/** Milliseconds between overlapping patches, by round: what one of them reads may be older than what another one stores. */
const APART_MS = [0, 5, 15];

/** Overlapping patches of different members of one job: all are stored. */
export async function overlappingPatches(t: TestContext, operation: Operation, round: number): Promise<boolean> {
  const job = await createTracked(t, 'job');
  const path = { id: job.id };
  const values = TARGETS.map((parts) => ({ parts, value: `${job.name}-${newContent()}` }));
  const requests = values.map(({ parts, value }) => ({
    path,
    json: [{ op: 'add', path: `/${parts.join('/')}`, value }],
    label: `patch ${parts.join('/')}`,
  }));
  const patches = await sendAll(t, operation, requests, APART_MS[round % APART_MS.length]);
  return reportPersisting(t, async () => {
    const read = await t.send(operationOf(t, 'readJob'), { path, label: 'read the final state' });
    const json = read.response?.json;
    const shown = ({ parts: [member, key] }: (typeof values)[number]): Json | undefined => {
      const value = memberOf(json, member);
      return key === undefined || value === undefined ? value : (memberOf(value, key) ?? null);
    };
    const stored = served(values, patches).filter((each) => shown(each) === each.value);
    // A deployment may not keep such keys at all: then that is judged where no calls overlap.
    const keepsKeys = stored.some(({ parts }) => parts.length > 1);
    const lost = served(values, patches).find(
      (each) => shown(each) !== undefined && !stored.includes(each) && (keepsKeys || each.parts.length === 1),
    );
    if (lost === undefined) return undefined;
    return violationOf('overlap/lost-update', operation, {
      subject: 'patch+patch',
      expected: `${lost.parts.join('/')} is ${lost.value}`,
      received: 'another value',
      exchanges: [job.created, ...patches, read],
    });
  });
}

/** Number of jobs, runs that are queued for each of them at the same time, and milliseconds within which the runs must be listed. */
const JOBS = 2;
const RUNS_PER_JOB = 2;
const RUN_WAIT_MS = 10_000;

/** Runs of several jobs that are queued at the same time: each job lists its own. */
export async function overlappingRuns(t: TestContext, operation: Operation): Promise<void> {
  skipWithoutRuns(t);
  const jobs: CreatedItem[] = [];
  for (let count = 0; count < JOBS; count += 1) jobs.push(await freshJob(t, 'queued'));
  const targets = Array.from({ length: RUNS_PER_JOB }, () => jobs).flat();
  const requests = targets.map(({ id }) => ({ path: { id }, label: 'queue a run' }));
  const queued = await sendAll(t, operation, requests);
  for (const job of jobs) {
    const own = queued.filter((_, at) => targets[at] === job);
    const expected = served(own, own).length;
    const evaluate = async (): Evaluation => {
      const request = { path: { id: job.id }, query: { pageNumber: 1, pageSize: 50 }, label: 'list the runs' };
      const read = await t.send(operationOf(t, 'runs'), request);
      const seen = idsOf(read.response?.json);
      if (seen === undefined || seen.length >= expected) return undefined;
      return violationOf('overlap/runs-lost', operation, {
        requirement: 'runs.execute-appears',
        expected: count(expected, 'run'),
        received: count(seen.length, 'run'),
        exchanges: [job.created, ...own, read],
      });
    };
    if (!(await reportPersisting(t, evaluate, Math.max(RUN_WAIT_MS, t.settleMs)))) return;
  }
}

/** Approvals that are sent at the same time. */
const APPROVALS = 3;

/** Overlapping approvals of different results of one job: all results change their state. */
export async function overlappingApprovals(t: TestContext, operation: Operation): Promise<boolean> {
  const form = formAt(operation, 0);
  const results = await freshResults(t, form);
  const ids = results.undecided.slice(0, APPROVALS);
  const requests = ids.map((id) => ({
    path: results.path,
    json: sampleBody(operation.id, '', { resultIds: [id] }) ?? {},
    label: 'approve',
  }));
  const approvals = await sendAll(t, operation, requests);
  return reportPersisting(t, async () => {
    const { states, exchange } = await listResults(t, form, results.path);
    const lost = served(ids, approvals).find((id) => states.get(id) === results.initial);
    if (lost === undefined) return undefined;
    return violationOf('overlap/lost-update', operation, {
      subject: 'approve+approve',
      requirement: 'approvals.moves-state',
      expected: `${lost} in another state than ${results.initial}`,
      received: `it is ${results.initial}`,
      exchanges: [...approvals, exchange],
    });
  });
}
