import { setTimeout as sleep } from 'node:timers/promises';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { RUN_ID, RUN_WAIT_MS } from '../../../domain/builtin/runs.ts';
import type { RanJob } from '../../../domain/builtin/runs.ts';
import { growingPauses, poll } from '../../../domain/context.ts';
import { asInstant, idOf, itemsIn } from '../../../domain/items.ts';
import { isObject } from '../../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { reportViolation } from '../../kit/violation.ts';
import type { Evidence } from '../../kit/violation.ts';

export interface Runs {
  readonly runs: readonly Json[];
  readonly exchange: Exchange;
}

/** The first runs of a job: more than a test queues. */
export async function listRuns(t: TestContext, form: Form, jobId: string): Promise<Runs> {
  const query = { pageNumber: 1, pageSize: 50 };
  const exchange = await t.send(operationOf(t, 'runs'), { form, path: { id: jobId }, query, label: 'list the runs' });
  return { runs: itemsIn(exchange) ?? [], exchange };
}

/** Number of reads after the end of a run. */
const READS_AFTER_END = 5;

/** Milliseconds between these reads. */
const PAUSE_MS = 40;

/** Number of different end times that a run may show: the stored one can be less precise. */
const MOST_END_TIMES = 2;

/** Whether a run has ended, and the time of its end where it is shown. */
interface End {
  readonly hasEnded: boolean;
  readonly time?: string;
}

/** Waits for the end of a run, after which the run must stay ended. */
export async function checkRunEnds(
  t: TestContext,
  operation: Operation,
  form: Form,
  { jobId, runIds: [runId = ''], queuedAt = performance.now() }: Pick<RanJob, 'jobId' | 'runIds' | 'queuedAt'>,
): Promise<void> {
  const requirement = 'runs.end';
  const read = async (): Promise<{ readonly end: End | undefined; readonly exchange: Exchange }> => {
    const { runs, exchange } = await listRuns(t, form, jobId);
    const run = runs.find((each) => idOf(each, RUN_ID) === runId);
    return { end: isObject(run) ? endOf(run) : undefined, exchange };
  };
  const leftMs = Math.max(t.settleMs, RUN_WAIT_MS - (performance.now() - queuedAt));
  const ended = await poll(read, ({ end }) => end?.hasEnded !== false, growingPauses(leftMs));
  if (ended.end === undefined) return t.skip('runs do not show whether they have ended');
  if (!ended.end.hasEnded) {
    const expected = `ended within ${RUN_WAIT_MS / 1000} s`;
    const evidence = { requirement, expected, received: 'not ended', exchanges: [ended.exchange] };
    reportViolation(t, 'job-runs/not-ended', operation, evidence);
    return;
  }
  const times = new Set([ended.end.time]);
  for (let count = 0; count < READS_AFTER_END; count += 1) {
    await sleep(PAUSE_MS);
    const { end, exchange } = await read();
    times.add(end?.time ?? ended.end.time);
    const isReopened = end?.hasEnded === false;
    if (!isReopened && times.size <= MOST_END_TIMES) continue;
    const received = isReopened ? 'not ended' : `ended at ${end?.time ?? ''}, before at ${ended.end.time ?? ''}`;
    const evidence: Evidence = {
      requirement,
      expected: 'the run stays ended, at the same time',
      received,
      exchanges: [ended.exchange, exchange],
    };
    reportViolation(t, 'job-runs/ended-again', operation, evidence);
    return;
  }
}

const END_TIME = /^(ended|end|completed|finished)(at|date|time)?$/i;
const STATUS = /^(status|state)$/i;
const ENDED_STATUS = /complet|finish|success|succeed|done|fail|cancel|error|ended/i;

/** The end of a run by its time, else by its status; undefined: the run shows neither. */
function endOf(run: JsonObject): End | undefined {
  const timeKey = Object.keys(run).find((key) => END_TIME.test(key) && typeof run[key] !== 'boolean');
  if (timeKey !== undefined) {
    const shown = run[timeKey];
    return { hasEnded: shown !== null && shown !== '', time: asInstant(shown) ?? JSON.stringify(shown) };
  }
  const statusKey = Object.keys(run).find((key) => STATUS.test(key));
  const status = statusKey === undefined ? undefined : run[statusKey];
  return typeof status === 'string' ? { hasEnded: ENDED_STATUS.test(status) } : undefined;
}
