import { operationOf } from '../../../domain/builtin/operations.ts';
import { hasSlowRuns, makeRanJob, ranJob, RUN_ID } from '../../../domain/builtin/runs.ts';
import type { RanJob } from '../../../domain/builtin/runs.ts';
import { readUntil } from '../../../domain/context.ts';
import { uniqueName } from '../../../domain/create.ts';
import { idsOf, memberOf } from '../../../domain/items.ts';
import { count } from '../../../spec/count.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation } from '../../../spec/index.ts';
import { differencesBetween } from '../../kit/compare.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { changesNothing, waited } from '../../kit/polling.ts';
import { openSession } from '../../kit/session.ts';
import { reportViolation, violationOf } from '../../kit/violation.ts';
import { defineForRole, refusedIdentities } from '../define.ts';
import type { Tested } from '../define.ts';
import { createNamed } from '../lifecycle/same-name.ts';
import { findWrongTotal } from './filtered.ts';
import { checkRunEnds, listRuns } from './run-end.ts';
import { acceptsJob, freshJob } from '../../../domain/builtin/jobs.ts';

const session = await openSession();

const base = { suite: 'state/jobs/runs', effects: ['reversible', 'costly', 'read'] as const, isAwaited: true };
const onRuns = { ...base, checks: ['job-runs'] as const };

defineForRole(session, 'queue', {
  ...onRuns,
  title: 'a queued run is listed once',
  requirements: ['runs.execute-appears', 'runs.list'],
  run: async (t, target) => {
    const job = await freshJob(t, 'queued');
    const { id } = job;
    const other = await createNamed(t, job, target.form, 'create another job with the same name');
    const created = other === undefined ? [] : [job.created, other.created];
    for (const each of [id, ...(other === undefined ? [] : [other.id])])
      if (!(await queuesOne(t, target, { id: each, label: 'queue a run', created }))) return;
    // A cache of the list may know only the writes through its own form.
    await queuesOne(t, target, { id, label: 'queue another run', through: target.otherForm });
  },
});

defineForRole(session, 'updateJob', {
  ...base,
  title: 'a job that has run can be changed',
  checks: ['updated-reads-back', 'json-patch', 'job-runs'],
  requirements: ['jobs.update-stores', 'jobs.patch-applies'],
  run: async (t, { operation, form }) => {
    const ran = await makeRanJob(t, 1);
    const { jobId: id } = ran;
    const [read, patch] = [operationOf(t, 'readJob'), operationOf(t, 'patchJob')];
    const sample = t.knowledge.sampleBody(
      operation,
      uniqueName(t, 'ran'),
      await t.knowledge.references(t, operation, { id }),
    );
    const [updated, patched] = ['updated after a run', 'patched after a run'];
    const changes = [
      { by: operation, description: updated, json: { ...(isObject(sample) ? sample : {}), description: updated } },
      { by: patch, description: patched, json: [{ op: 'replace', path: '/description', value: patched }] },
    ];
    for (const { by, description, json } of changes) {
      // A deployment may refuse to change a job that has run.
      const changed = await t.send(by, { form, path: { id }, json, label: description });
      if (!isServed(changed)) continue;
      // That a change of a job keeps its runs is not stated.
      await t.holds(async (t) => {
        const lost = await findLostRun(t, form, ran, [changed], by);
        return lost && { ...lost, grade: 'inferred', requirement: 'runs.list' };
      });
      await t.takesEffect(async (t) => {
        const shown = await t.send(read, { form, path: { id }, label: 'read the job' });
        const received = memberOf(shown.response?.json, 'description');
        if (!isServed(shown) || received === undefined || received === description) return undefined;
        const code = by === patch ? 'json-patch/result' : 'updated-reads-back/member';
        return violationOf(code, by, {
          subject: 'description',
          expected: description,
          received: JSON.stringify(received),
          exchanges: [changed, shown],
        });
      });
    }
  },
});

/** A run of the job that is no longer listed after requests. */
async function findLostRun(
  t: TestContext,
  form: Form,
  { jobId, runIds }: RanJob,
  requests: readonly Exchange[],
  operation: Operation,
): Evaluation {
  const { exchange, runs } = await listRuns(t, form, jobId);
  const ids = idsOf(exchange.response?.json, RUN_ID) ?? [];
  const lost = runIds.find((id) => !ids.includes(id));
  if (lost === undefined) return undefined;
  return violationOf('job-runs/lost', operation, {
    requirement: 'runs.execute-appears',
    expected: `${lost} is still listed`,
    received: `${runs.length} other runs`,
    exchanges: [...requests, exchange],
  });
}

interface Queued {
  readonly id: string;
  readonly label: string;
  readonly through?: Form;
  /** The creations of jobs that the runs may be confused with. */
  readonly created?: readonly Exchange[];
}

/** True where one more run is listed after one was queued. */
async function queuesOne(
  t: TestContext,
  { operation, form, otherForm }: Tested,
  { id, label, through = form, created = [] }: Queued,
): Promise<boolean> {
  const before = await listRuns(t, form, id);
  const expect = before.runs.length === 0 ? 'success' : 'any';
  const queued = await t.send(operation, { form: through, path: { id }, expect, label });
  if (!isServed(queued)) return false;
  const read = () => listRuns(t, form, id);
  const after = await readUntil(t, read, ({ runs }) => runs.length > before.runs.length);
  const added = after.runs.length - before.runs.length;
  if (added === 1)
    return t.holds(async (t) => {
      const { exchange, runs } = await read();
      return findWrongTotal(operationOf(t, 'runs'), exchange, runs.length);
    });
  const isListed = added > 0;
  // A job may have one run in the queue at a time: then no form lists another one.
  const other = isListed ? after : await listRuns(t, otherForm, id);
  if (!isListed && before.runs.length > 0 && other.runs.length <= before.runs.length) return false;
  reportViolation(t, isListed ? 'job-runs/queued-twice' : 'job-runs/not-listed', operation, {
    requirement: isListed ? 'runs.execute' : 'runs.execute-appears',
    expected: 'one more run',
    received: `${added} more runs${isListed ? '' : ` ${waited(t)}`}`,
    exchanges: [...created, queued, ...(isListed ? [] : [other.exchange]), after.exchange],
  });
  return false;
}

defineForRole(session, 'runs', {
  ...onRuns,
  title: 'a run ends once',
  requirements: ['runs.end'],
  run: async (t, { operation, form }) => {
    await checkRunEnds(t, operation, form, hasSlowRuns(t) ? await ranJob(t) : await makeRanJob(t, 1));
  },
});

defineForRole(session, 'queue', {
  ...onRuns,
  title: 'a new run does not remove earlier ones',
  requirements: ['runs.execute-appears'],
  run: async (t, { operation, form }) => {
    const ran = await makeRanJob(t, 2);
    const path = { id: ran.jobId };
    const queued = await t.send(operation, { form, path, label: 'queue another run' });
    if (queued.response?.status === 409) t.skip('the job has only one run at a time');
    await t.holds((t) => findLostRun(t, form, ran, [queued], operation));
  },
});

defineForRole(session, 'queue', {
  ...base,
  title: 'a request that is refused for its token queues no run',
  checks: ['refused-changes-nothing'],
  requirements: ['auth.refused-changes-nothing'],
  run: refusedQueuesNothing,
});

async function refusedQueuesNothing(t: TestContext, { operation, form }: Tested): Promise<void> {
  await changesNothing(t, {
    prepare: () => freshJob(t, 'refused'),
    read: ({ id }) => listRuns(t, form, id),
    async act({ id }) {
      const sent: Exchange[] = [];
      for (const identity of refusedIdentities(session))
        sent.push(await t.sendQuietly(operation, { form, path: { id }, identity, label: 'queue a run' }));
      if (!sent.every(({ response }) => [401, 403].includes(response?.status ?? 0)))
        t.skip('a request with a token that lacks permission, or with none, was not refused');
      return sent;
    },
    difference(before, after, refused) {
      if (!isServed(before.exchange) || after.runs.length <= before.runs.length) return undefined;
      return violationOf('refused-changes-nothing/changed-data', operation, {
        requirement: 'auth.refused-changes-nothing',
        expected: count(before.runs.length, 'run'),
        received: count(after.runs.length, 'run'),
        exchanges: [before.exchange, ...refused, after.exchange],
      });
    },
  });
}

const onDryRuns = { ...base, checks: ['dry-run'] as const };

for (const [role, requirement] of [
  ['dryRun', 'runs.dry-run-changes-nothing'],
  ['preview', 'jobs.preview-changes-nothing'],
] as const) {
  const definition = { ...onDryRuns, requirements: [requirement] };
  defineForRole(session, role, {
    ...definition,
    title: 'does not change the stored job',
    run: (t, target) => keepsJob(t, target, requirement, sendDryRun),
  });
  defineForRole(session, role, {
    ...definition,
    title: 'adds and removes no regular run',
    run: (t, target) => keepsRuns(t, target, requirement),
  });
}

defineForRole(session, 'queue', {
  ...onDryRuns,
  title: 'does not change the stored job',
  requirements: ['runs.execute-keeps-job'],
  run: (t, target) =>
    keepsJob(t, target, 'runs.execute-keeps-job', (_, { operation, form }, id) =>
      t.send(operation, { form, path: { id }, expect: 'success', label: 'queue a run' }),
    ),
});

async function sendDryRun(t: TestContext, { operation, form }: Tested, id: string, name: string): Promise<Exchange> {
  const sample = t.knowledge.sampleBody(operation, name, await t.knowledge.references(t, operation, { id }));
  const json = isObject(sample) ? { ...sample, description: 'rehearsed', prompt: 'rehearsed' } : {};
  return t.send(operation, { form, path: { id }, json, expect: 'success', label: 'dry run or preview' });
}

/** Members of a job that a run may change. */
const CHANGED_BY_RUNS = /progress|cost|summary|modified|pending/i;

/** A job as it is created, and one that is enabled, where the deployment accepts that. */
const ENABLED = { enabled: true };

async function keepsJob(t: TestContext, target: Tested, requirement: string, run: typeof sendDryRun): Promise<void> {
  if (!(await keepsJobWith(t, target, requirement, run, {}))) return;
  if (await acceptsJob(t, ENABLED)) await keepsJobWith(t, target, requirement, run, ENABLED);
}

function keepsJobWith(
  t: TestContext,
  target: Tested,
  requirement: string,
  run: typeof sendDryRun,
  members: JsonObject,
): Promise<boolean> {
  const { operation, form } = target;
  return changesNothing(t, {
    prepare: () => freshJob(t, 'rehearsed', { description: 'as created', ...members }),
    read: ({ id }) => t.send(operationOf(t, 'readJob'), { form, path: { id }, label: 'read the job' }),
    act: ({ id, name }) => run(t, target, id, `${name}-rehearsal`),
    difference(before, after, rehearsed) {
      const changed = differencesBetween(t.contract, before, after).filter((each) => !CHANGED_BY_RUNS.test(each));
      if (changed.length === 0) return undefined;
      return violationOf('dry-run/changed-job', operation, {
        requirement,
        expected: 'the unchanged job',
        received: `changed: ${changed.join(', ')}`,
        exchanges: [before, rehearsed, after],
      });
    },
  });
}

/** Distinguishes dry runs from regular ones: by the published member `dryRun`, or by the type of the run where it is shown. */
function kindOf(run: Json | undefined): string | undefined {
  for (const name of ['dryRun', 'runType']) {
    const value = memberOf(run, name);
    if (value !== undefined && value !== null) return `${name}=${JSON.stringify(value)}`;
  }
  return undefined;
}

async function keepsRuns(t: TestContext, target: Tested, requirement: string): Promise<void> {
  const { operation, form } = target;
  await changesNothing(t, {
    prepare: () => makeRanJob(t, 1),
    read: ({ jobId }) => listRuns(t, form, jobId),
    act: ({ jobId }) => sendDryRun(t, target, jobId, t.tag),
    difference(before, after, rehearsed) {
      const type = kindOf(before.runs[0]);
      if (type === undefined) t.skip('runs do not show their type, and a dry run may leave a run of its own type');
      const ofType = (runs: readonly Json[]): number => runs.filter((run) => kindOf(run) === type).length;
      const [expected, received] = [ofType(before.runs), ofType(after.runs)];
      if (received === expected || !isServed(after.exchange)) return undefined;
      return violationOf(received > expected ? 'dry-run/real-run' : 'dry-run/run-lost', operation, {
        requirement,
        expected: `${count(expected, 'run')} of type ${type}`,
        received: count(received, 'run'),
        exchanges: [before.exchange, rehearsed, after.exchange],
      });
    },
  });
}
