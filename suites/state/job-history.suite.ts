import type { CheckName, Exchange, Form, Json, JsonObject, Operation } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import { violationOf } from '../kit/violation.ts';
import { idOf, itemsOf } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { TestContext } from '../kit/context.ts';
import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';
import { RUN_WAIT_MS, makeRanJob, resultType } from '../../domain/builtin/runs.ts';
import { OPERATIONS, operationOf } from '../../domain/builtin/operations.ts';
import { sharedAgent } from '../../domain/builtin/make.ts';

const session = await openSession();
const EFFECTS: TestDefinition['effects'] = ['reversible', 'costly', 'read'];

for (const form of session.contract.operation(OPERATIONS.runs)?.forms ?? []) {
  const declare = (
    name: keyof typeof OPERATIONS,
    title: string,
    check: CheckName,
    requirement: string,
    body: (t: TestContext, operation: Operation) => Promise<void>,
  ): void => {
    const operation = session.contract.operation(OPERATIONS[name]);
    if (operation === undefined) return;
    defineTest(
      session,
      {
        suite: 'state/job-history',
        title,
        operation,
        form,
        checks: [check],
        requirements: [requirement],
        ...(EFFECTS === undefined ? {} : { effects: EFFECTS }),
      },
      (t) => body(t, operation),
    );
  };

  declare('runs', 'a run ends, and stays ended', 'job-runs', 'runs.execute', async (t, operation) => {
    const { jobId, runIds } = await makeRanJob(t, 1);
    await endsForGood(t, operation, form, { jobId, runId: runIds[0] ?? '' });
  });

  declare(
    'queue',
    'another run leaves the older ones where they are',
    'job-runs',
    'runs.execute-appears',
    async (t, operation) => {
      const { jobId, runIds } = await makeRanJob(t, 2);
      const queued = await t.send(operation, {
        form,
        path: { id: jobId },
        expect: 'success',
        label: 'queue another run',
      });
      await t.holds(async () => {
        const { runs, exchange } = await list(t, form, jobId);
        const lost = runIds.find((id) => !runs.some((run) => idOf(run) === id));
        return lost === undefined
          ? undefined
          : violationOf(operation, 'job-runs', 'runs.execute-appears', 'an older run is gone', {
              expected: `${lost} is still listed`,
              received: `${runs.length} runs without it`,
              exchanges: [queued, exchange],
            });
      });
    },
  );

  for (const name of ['dryRun', 'preview'] as const)
    declare(
      name,
      'leaves the runs that were queued, and no other of their kind',
      'dry-run',
      name === 'dryRun' ? 'runs.dry-run-changes-nothing' : 'jobs.preview-changes-nothing',
      async (t, operation) => {
        const { jobId } = await makeRanJob(t, 1);
        const before = await list(t, form, jobId);
        const kind = memberOf(before.runs[0], 'runType');
        if (kind === undefined) t.skip('runs do not show their type, and a dry run may well leave one of its own');
        const body = sampleBody(operation.id, t.session.tag, { aiAgentId: (await sharedAgent(t)).id }) ?? {};
        const rehearsed = await t.send(operation, {
          form,
          path: { id: jobId },
          json: body,
          expect: 'success',
          label: name === 'dryRun' ? 'dry-run' : 'preview',
        });
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
        await t.holds(async () => {
          const after = await list(t, form, jobId);
          const count = (runs: readonly Json[]): number =>
            runs.filter((run) => memberOf(run, 'runType') === kind).length;
          if (count(after.runs) === count(before.runs) || after.exchange.response?.status !== 200) return undefined;
          const cause =
            count(after.runs) > count(before.runs) ? 'it leaves a real run' : 'a run that was queued is gone';
          return violationOf(
            operation,
            'dry-run',
            name === 'dryRun' ? 'runs.dry-run-changes-nothing' : 'jobs.preview-changes-nothing',
            cause,
            {
              expected: `${count(before.runs)} runs of type ${JSON.stringify(kind)}`,
              received: `${count(after.runs)}`,
              exchanges: [before.exchange, rehearsed, after.exchange],
            },
          );
        });
      },
    );

  declare(
    'runs',
    'the runs and results of a deleted job are gone',
    'deleted-is-gone',
    'jobs.delete-removes',
    async (t) => {
      const { jobId, runIds } = await makeRanJob(t, 1);
      const type = await resultType(t);
      const removed = await t.send(operationOf(t.session, 'deleteJob'), {
        form,
        path: { id: jobId },
        label: 'delete the job',
      });
      if (!isSuccess(removed.response?.status ?? 0)) t.skip('a job with runs can not be deleted here');
      const paths = {
        runs: { id: jobId },
        chatStream: { id: jobId },
        results: { id: jobId, type },
        runResults: { id: jobId, runId: runIds[0] ?? '' },
        chats: { jobId, runId: runIds[0] ?? '' },
      } as const;
      for (const [name, path] of Object.entries(paths)) {
        const operation = operationOf(t.session, name as keyof typeof paths);
        await t.holds(async () => {
          const seen = await t.send(operation, { form, path, label: 'under the deleted job' });
          const status = seen.response?.status ?? 0;
          return isSuccess(status)
            ? violationOf(operation, 'deleted-is-gone', 'jobs.delete-removes', 'served for a deleted job', {
                expected: 'status 404',
                received: `status ${status}`,
                exchanges: [removed, seen],
              })
            : undefined;
        });
      }
    },
  );
}

function memberOf(item: Json | undefined, key: string): Json | undefined {
  return isObject(item) ? item[key] : undefined;
}

async function list(t: TestContext, form: Form, jobId: string): Promise<{ runs: readonly Json[]; exchange: Exchange }> {
  const exchange = await t.send(operationOf(t.session, 'runs'), {
    form,
    path: { id: jobId },
    query: { pageNumber: 1, pageSize: 50 },
    label: 'list the runs',
  });
  return { runs: itemsOf(exchange.response?.json) ?? [], exchange };
}

/** What says that a run is over: a time of its end, or a word. Undefined: the run shows neither. */
function endOf(run: JsonObject): { readonly ended: boolean; readonly at: string } | undefined {
  const end = Object.keys(run).find(
    (key) => /^(ended|end|completed|finished)(at|date|time)?$/i.test(key) && typeof run[key] !== 'boolean',
  );
  if (end !== undefined) return { ended: run[end] !== null && run[end] !== '', at: JSON.stringify(run[end]) };
  const status = Object.keys(run).find((key) => /^(status|state)$/i.test(key));
  const word = status === undefined ? undefined : run[status];
  return typeof word === 'string'
    ? { ended: /complet|finish|success|succeed|done|fail|cancel|error|ended/i.test(word), at: '' }
    : undefined;
}

/** A time may be told once more exactly or less, when it has been stored; not more often. */
const TIMES_TOLD = 2;

async function endsForGood(
  t: TestContext,
  operation: Operation,
  form: Form,
  { jobId, runId }: { jobId: string; runId: string },
): Promise<void> {
  const look = async (): Promise<{ end: ReturnType<typeof endOf>; exchange: Exchange }> => {
    const { runs, exchange } = await list(t, form, jobId);
    const run = runs.find((each) => idOf(each) === runId);
    return { end: isObject(run) ? endOf(run) : undefined, exchange };
  };
  let seen = await look();
  if (seen.end === undefined) t.skip('runs do not show whether they have ended');
  const until = Date.now() + RUN_WAIT_MS;
  while (seen.end?.ended === false && Date.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    seen = await look();
  }
  if (seen.end?.ended === false) {
    t.report(
      violationOf(operation, 'job-runs', 'runs.execute', 'a run does not end', {
        expected: `ended within ${RUN_WAIT_MS / 1000} s`,
        received: 'still under way',
        exchanges: [seen.exchange],
      }),
    );
    return;
  }
  const ended = seen;
  const times = new Set([ended.end?.at]);
  for (let again = 0; again < 5; again += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 40);
    });
    seen = await look();
    times.add(seen.end?.at ?? ended.end?.at);
    const cause =
      seen.end?.ended === false
        ? 'a run that ended is open again'
        : times.size > TIMES_TOLD
          ? 'a run that ended ends anew'
          : undefined;
    if (cause === undefined) continue;
    t.report(
      violationOf(operation, 'job-runs', 'runs.execute', cause, {
        expected: 'ended, as before',
        received:
          seen.end?.ended === false ? 'under way' : `ended at ${seen.end?.at ?? ''}, before at ${ended.end?.at ?? ''}`,
        exchanges: [ended.exchange, seen.exchange],
      }),
    );
    return;
  }
}
