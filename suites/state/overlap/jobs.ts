import type { Operation } from '../../../spec/index.ts';
import { isObject, isSuccess } from '../../../spec/index.ts';
import { idsOf } from '../../../domain/items.ts';
import type { Violation, TestContext } from '../../kit/context.ts';
import { freshResults, listResults } from '../approvals/results.ts';
import { persists } from '../sequences/patience.ts';
import { makeSubject, newContent } from '../sequences/subject.ts';
import { sampleBody } from '../../../domain/builtin/bodies/sample-body.ts';
import { freshJob } from '../../../domain/builtin/make.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';

/** Patches that are sent at once, each of another member; RFC 6902 changes only what an operation names. */
const MEMBERS = ['description', 'prompt'] as const;

/** Two patches of one job at once: both stay, whichever came first. */
export async function patchesOfOne(t: TestContext, operation: Operation): Promise<boolean> {
  const { made } = await makeSubject(t, 'createJob');
  const wanted = MEMBERS.map((member) => ({ member, value: `${made.name}-${newContent()}` }));
  const patches = await Promise.all(
    wanted.map(({ member, value }, at) => {
      const form = operation.forms[at % operation.forms.length];
      return t.send(operation, {
        path: { id: made.id },
        json: [{ op: 'replace', path: `/${member}`, value }],
        label: `patch ${member}`,
        ...(form === undefined ? {} : { form }),
      });
    }),
  );
  const kept = wanted.filter((_, at) => isSuccess(patches[at]?.response?.status ?? 0));
  const violation = await persists(t, async (): Promise<Violation | undefined> => {
    const read = await t.send(operationOf(t.session, 'readJob'), {
      path: { id: made.id },
      label: 'read what they left',
    });
    const { json } = read.response ?? {};
    const lost = isObject(json)
      ? kept.find(({ member, value }) => json[member] !== undefined && json[member] !== value)
      : undefined;
    if (lost === undefined) return undefined;
    return {
      check: 'overlap',
      operation,
      cause: 'of patches of different members at once one is lost',
      message: 'of patches of different members at once one is lost',
      expected: `${lost.member} is ${lost.value}`,
      received: 'another value',
      exchanges: [made.created, ...patches, read],
    };
  });
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}

/** Approvals that are sent at once. */
const APPROVALS = 3;

/** Runs queued at once, and how long they may take to appear. */
const RUNS = 4;
const RUN_WAIT_MS = 10_000;

/** Runs of several jobs that are queued at once: each job has as many as were queued. */
export async function runsAtOnce(t: TestContext, operation: Operation): Promise<void> {
  const jobs = [await freshJob(t, 'queued'), await freshJob(t, 'queued')];
  const queued = await Promise.all(
    Array.from({ length: RUNS }, (_, at) => {
      const form = operation.forms[at % operation.forms.length];
      return t.send(operation, {
        path: { id: jobs[at % jobs.length]?.id ?? '' },
        expect: 'success',
        label: 'queue a run',
        ...(form === undefined ? {} : { form }),
      });
    }),
  );
  for (const [at, job] of jobs.entries()) {
    const mine = queued.filter((_, index) => index % jobs.length === at);
    const wanted = mine.filter((each) => isSuccess(each.response?.status ?? 0)).length;
    const violation = await persists(
      t,
      async (): Promise<Violation | undefined> => {
        const read = await t.send(operationOf(t.session, 'runs'), {
          path: { id: job.id },
          query: { pageNumber: 1, pageSize: 50 },
          label: 'read the runs',
        });
        const seen = idsOf(read.response?.json);
        if (seen === undefined || seen.length >= wanted) return undefined;
        const cause = 'of runs that are queued at once not all appear';
        return {
          check: 'overlap',
          requirement: 'runs.execute-appears',
          operation,
          cause,
          message: cause,
          expected: `${wanted} runs`,
          received: `${seen.length} runs`,
          exchanges: [job.created, ...mine, read],
        };
      },
      Math.max(RUN_WAIT_MS, t.session.options.settleMs),
    );
    if (violation !== undefined) return t.report(violation);
  }
}

/** Approvals of different results that are sent at once: all of them move. */
export async function approvalsAtOnce(t: TestContext, operation: Operation): Promise<boolean> {
  const form = operation.forms[0] ?? t.skip('approvals have no form');
  const results = await freshResults(t, form);
  const named = [...results.known.keys()].slice(0, APPROVALS);
  const sent = await Promise.all(
    named.map((id, at) => {
      const each = operation.forms[at % operation.forms.length];
      return t.send(operation, {
        path: results.path,
        json: sampleBody(operation.id, '', { resultIds: [id] }) ?? {},
        label: 'approve one',
        ...(each === undefined ? {} : { form: each }),
      });
    }),
  );
  const moved = named.filter((_, at) => isSuccess(sent[at]?.response?.status ?? 0));
  const violation = await persists(t, async (): Promise<Violation | undefined> => {
    const { states, exchange } = await listResults(t, form, results.path);
    const lost = moved.find((id) => states.get(id) === results.initial);
    if (lost === undefined) return undefined;
    const cause = 'of approvals at once one is lost';
    return {
      check: 'overlap',
      requirement: 'approvals.moves-state',
      operation,
      cause,
      message: cause,
      expected: `${lost} in another state than ${results.initial}`,
      received: `it is ${results.initial}`,
      exchanges: [...sent, exchange],
    };
  });
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}
