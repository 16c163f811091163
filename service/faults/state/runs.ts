import { isFields } from '../../model/shape.ts';
import type { Fields } from '../../model/shape.ts';
import type { History } from '../../model/run.ts';
import type { Call, Wrap } from '../../http/call.ts';
import { state } from '../fault.ts';
import type { Defect } from '../fault.ts';
import * as op from '../operations.ts';
import { body, fields, id, items, pause, refused } from '../parts.ts';

const ENDS = 'A queued run appears, ends, and stays ended.';
const NOTHING = 'Preview and dry run change nothing that is stored.';
const OWN = 'A run, chat or result is not readable under the id of another job.';
const GONE = 'What a deleted job left is no longer there.';
const STORED = 'A change that was answered with 200 is stored.';

const ENDED = { status: 'Completed' };
const OPEN = { status: 'Running', endedAt: null };

/** Serves a call under the job that really holds the run. */
const underAnyJob: Wrap = (call, next) => {
  const name = call.params['jobId'] === undefined ? 'id' : 'jobId';
  const runId = id(call, 'runId');
  const owner = call.world.jobs
    .values()
    .find((job) => call.world.jobs.history(job.id).runs.some((run) => run.id === runId));
  if (owner !== undefined && call.world.jobs.has(id(call, name))) call.params = { ...call.params, [name]: owner.id };
  return next(call);
};

const resultUnderAnyJob: Wrap = (call, next) => {
  const resultId = id(call, 'resultId');
  const owner = call.world.jobs
    .values()
    .find((job) => call.world.jobs.history(job.id).results.some((result) => result.id === resultId));
  if (owner !== undefined && call.world.jobs.has(id(call))) call.params = { ...call.params, id: owner.id };
  return next(call);
};

/** Keeps the histories of deleted jobs readable. */
function keepingHistories(): Defect {
  const kept = new Map<string, History>();
  return {
    inner: async (call, next) => {
      const jobId = id(call);
      if (call.operation?.id === op.DELETE_JOB) kept.set(jobId, call.world.jobs.history(jobId));
      const answer = await next(call);
      const history = kept.get(jobId);
      if (call.operation?.id !== op.RUNS || answer.status !== 404 || history === undefined) return answer;
      const page = { totalCount: history.runs.length, pageSize: 10, currentPage: 1, totalPages: 1, data: history.runs };
      return { status: 200, body: page };
    },
  };
}

/** Stores the body of a call that must change nothing. */
const storing: Wrap = async (call, next) => {
  const answer = await next(call);
  const { name, description } = fields(call);
  if (answer.status === 200) {
    const described = typeof description === 'string' ? { description } : {};
    call.world.jobs.merge(id(call), { name: String(name), ...described });
  }
  return answer;
};

const queueing: Wrap = async (call, next) => {
  const job = call.world.jobs.get(id(call));
  const answer = await next(call);
  if (answer.status === 200 && job !== undefined) call.world.runner.queue(job, call.identity?.userId ?? '');
  return answer;
};

/** Ended runs are told as open again when they are listed for the third time and later. */
function unending(): Defect {
  const seen = new Map<unknown, number>();
  return {
    inner: items((run) => {
      if (run['status'] !== ENDED.status) return run;
      const times = (seen.get(run['id']) ?? 0) + 1;
      seen.set(run['id'], times);
      return times > 2 ? { ...run, ...OPEN } : run;
    }),
  };
}

const withoutNewest: Wrap = body((value) => {
  if (!isFields(value) || !Array.isArray(value['data'])) return value;
  return { ...value, totalCount: Number(value['totalCount']) - 1, data: value['data'].slice(0, -1) };
});

const afterRun =
  (effect: (call: Call) => void): Wrap =>
  async (call, next) => {
    const answer = await next(call);
    await pause(12);
    effect(call);
    return answer;
  };

export const runFaults = {
  'run-never-ends': state('A run never ends', ENDS, [op.RUNS], () => ({
    inner: items((run: Fields) => ({ ...run, ...OPEN })),
  })),
  'run-reopens': state('A run that ended is open again', ENDS, [op.RUNS], unending),
  'run-missing': state('The newest run is not listed', ENDS, [op.RUNS], () => ({ inner: withoutNewest })),
  'run-not-queued': state('Queueing a run does nothing', ENDS, [op.RUN_NOW], () => ({
    inner: (call) => ({ status: 200, body: { jobProgressId: call.world.random.uuid() } }),
  })),
  'run-queued-twice': state('Queueing a run queues two', ENDS, [op.RUN_NOW], () => ({ inner: queueing })),
  'run-drops-older': state('A new run removes the older ones', ENDS, [op.RUN_NOW], () => ({
    inner: afterRun((call) => {
      const { jobs } = call.world;
      const { runs, chats, results } = jobs.history(id(call));
      jobs.setHistory(id(call), { runs: runs.slice(-1), chats, results });
    }),
  })),
  'dry-run-stores': state('A dry run stores the job', NOTHING, [op.DRY_RUN], () => ({ inner: storing })),
  'preview-stores': state('A preview stores the job', NOTHING, [op.PREVIEW], () => ({ inner: storing })),
  'queue-after-preview-404': state(
    'A job that was previewed is not found when a run is queued',
    'A resource that exists is not answered with 404.',
    [op.RUN_NOW],
    () => {
      const previewed = new Set<string>();
      return {
        inner: (call, next) => {
          if (call.operation?.id === op.PREVIEW) previewed.add(id(call));
          return call.operation?.id === op.RUN_NOW && previewed.has(id(call)) ? refused(404) : next(call);
        },
      };
    },
    [op.PREVIEW, op.RUN_NOW],
  ),
  'dry-run-queues': state('A dry run leaves a real run', NOTHING, [op.DRY_RUN], () => ({ inner: queueing })),
  'chats-under-other-job': state('The chats of a run are readable under another job', OWN, [op.CHATS], () => ({
    inner: underAnyJob,
  })),
  'chat-under-other-job': state('A chat is readable under another job', OWN, [op.READ_CHAT], () => ({
    inner: underAnyJob,
  })),
  'run-results-under-other-job': state(
    'The results of a run are readable under another job',
    OWN,
    [op.RUN_RESULTS],
    () => ({ inner: underAnyJob }),
  ),
  'result-under-other-job': state('A result is readable under another job', OWN, [op.READ_RESULT], () => ({
    inner: resultUnderAnyJob,
  })),
  'runs-of-deleted-job': state('The runs of a deleted job are still listed', GONE, [op.RUNS], keepingHistories, [
    op.DELETE_JOB,
    op.RUNS,
  ]),
  'job-delete-does-nothing': state('Deleting a job does nothing', GONE, [op.DELETE_JOB], () => ({
    inner: () => ({ status: 200 }),
  })),
  'job-update-not-stored': state('Updating a job is answered, not stored', STORED, [op.UPDATE_JOB], () => ({
    inner: restoring,
  })),
  'patch-not-stored': state('A patch is answered, not stored', STORED, [op.PATCH_JOB], () => ({ inner: restoring })),
  'job-update-loses-prompt': state('Updating a job loses its prompt', STORED, [op.UPDATE_JOB], () => ({
    inner: async (call, next) => {
      const answer = await next(call);
      if (answer.status === 200) call.world.jobs.merge(id(call), { prompt: null });
      return answer;
    },
  })),
  'job-unlisted': state('The newest job is not listed', STORED, [op.JOBS], () => ({
    inner: body((value) => (Array.isArray(value) ? value.slice(0, -1) : value)),
  })),
} as const;

/** Undoes a change that was answered. */
async function restoring(call: Call, next: Parameters<Wrap>[1]) {
  const job = call.world.jobs.get(id(call));
  const answer = await next(call);
  if (job !== undefined) call.world.jobs.set(job.id, job);
  return answer;
}
