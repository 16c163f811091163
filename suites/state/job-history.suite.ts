import { sampleBody } from '../../generators/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import { idOf, itemsOf } from '../session/lists.ts';
import { law } from '../session/law.ts';
import type { Law } from '../session/law.ts';
import { openSession } from '../session/session.ts';
import type { LawBreach, Trial } from '../session/trial.ts';
import { makeRanJob, operationOf, OPERATIONS, resultType, RUN_PATIENCE_MS, sharedAgent } from './world/index.ts';

const session = await openSession();
const EFFECTS: Law['effects'] = ['reversible', 'costly', 'read'];

for (const form of session.contract.operation(OPERATIONS.runs)?.forms ?? []) {
  const declare = (name: keyof typeof OPERATIONS, title: string, check: LawBreach['check'], requirement: string, body: (trial: Trial, operation: Operation) => Promise<void>): void => {
    const operation = session.contract.operation(OPERATIONS[name]);
    if (operation === undefined) return;
    law(session, { suite: 'state/job-history', title, operation, form, checks: [check], requirements: [requirement], ...(EFFECTS === undefined ? {} : { effects: EFFECTS }) }, (trial) => body(trial, operation));
  };

  declare('runs', 'a run ends, and stays ended', 'job-runs', 'runs.execute', async (trial, operation) => {
    const { jobId, runIds } = await makeRanJob(trial, 1);
    await endsForGood(trial, operation, form, { jobId, runId: runIds[0] ?? '' });
  });

  declare('queue', 'another run leaves the older ones where they are', 'job-runs', 'runs.execute-appears', async (trial, operation) => {
    const { jobId, runIds } = await makeRanJob(trial, 2);
    const queued = await trial.send(operation, { form, path: { id: jobId }, expect: 'success', label: 'queue another run' });
    await trial.holds(async () => {
      const { runs, exchange } = await list(trial, form, jobId);
      const lost = runIds.find((id) => !runs.some((run) => idOf(run) === id));
      return lost === undefined ? undefined : tell(operation, 'job-runs', 'runs.execute-appears', 'an older run is gone', `${lost} is still listed`, `${runs.length} runs without it`, [queued, exchange]);
    });
  });

  declare('dryRun', 'leaves no run of the kind that is queued', 'dry-run', 'runs.dry-run-changes-nothing', async (trial, operation) => {
    const { jobId } = await makeRanJob(trial, 1);
    const before = await list(trial, form, jobId);
    const kind = memberOf(before.runs[0], 'runType');
    if (kind === undefined) trial.skip('runs do not show their type, and a dry run may well leave one of its own');
    const body = sampleBody(operation.id, trial.session.tag, { aiAgentId: (await sharedAgent(trial)).id }) ?? {};
    const rehearsed = await trial.send(operation, { form, path: { id: jobId }, json: body, expect: 'success', label: 'dry-run' });
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    await trial.holds(async () => {
      const after = await list(trial, form, jobId);
      const count = (runs: readonly Json[]): number => runs.filter((run) => memberOf(run, 'runType') === kind).length;
      if (count(after.runs) <= count(before.runs)) return undefined;
      return tell(operation, 'dry-run', 'runs.dry-run-changes-nothing', 'a dry run leaves a real run', `${count(before.runs)} runs of type ${JSON.stringify(kind)}`, `${count(after.runs)}`, [before.exchange, rehearsed, after.exchange]);
    });
  });

  declare('runs', 'the runs and results of a deleted job are gone', 'deleted-is-gone', 'jobs.delete-removes', async (trial) => {
    const { jobId, runIds } = await makeRanJob(trial, 1);
    const type = await resultType(trial);
    const removed = await trial.send(operationOf(trial.session, 'deleteJob'), { form, path: { id: jobId }, label: 'delete the job' });
    if (!isSuccess(removed.response?.status ?? 0)) trial.skip('a job with runs can not be deleted here');
    const paths = { runs: { id: jobId }, chatStream: { id: jobId }, results: { id: jobId, type }, runResults: { id: jobId, runId: runIds[0] ?? '' }, chats: { jobId, runId: runIds[0] ?? '' } } as const;
    for (const [name, path] of Object.entries(paths)) {
      const operation = operationOf(trial.session, name as keyof typeof paths);
      await trial.holds(async () => {
        const seen = await trial.send(operation, { form, path, label: 'under the deleted job' });
        const status = seen.response?.status ?? 0;
        return isSuccess(status) ? tell(operation, 'deleted-is-gone', 'jobs.delete-removes', 'served for a deleted job', 'status 404', `status ${status}`, [removed, seen]) : undefined;
      });
    }
  });

  for (const action of [0, 1]) {
    declare('approve', action === 0 ? 'moves every result that it names' : 'a rejection moves results too', 'approvals', 'approvals.moves-state', async (trial, operation) => {
      const { jobId } = await makeRanJob(trial, 1);
      await movesAll(trial, operation, form, { jobId, type: await resultType(trial), action });
    });
  }
}

function memberOf(item: Json | undefined, key: string): Json | undefined {
  return isObject(item) ? item[key] : undefined;
}

async function list(trial: Trial, form: Form, jobId: string): Promise<{ runs: readonly Json[]; exchange: Exchange }> {
  const exchange = await trial.send(operationOf(trial.session, 'runs'), { form, path: { id: jobId }, query: { pageNumber: 1, pageSize: 50 }, label: 'list the runs' });
  return { runs: itemsOf(exchange.response?.json) ?? [], exchange };
}

/** What says that a run is over: a time of its end, or a word. Undefined: the run shows neither. */
function hasEnded(run: JsonObject): boolean | undefined {
  const end = Object.keys(run).find((key) => /^(ended|end|completed|finished)(at|date|time)?$/i.test(key) && typeof run[key] !== 'boolean');
  if (end !== undefined) return run[end] !== null && run[end] !== '';
  const status = Object.keys(run).find((key) => /^(status|state)$/i.test(key));
  const word = status === undefined ? undefined : run[status];
  return typeof word === 'string' ? /complet|finish|success|succeed|done|fail|cancel|error|ended/i.test(word) : undefined;
}

async function endsForGood(trial: Trial, operation: Operation, form: Form, { jobId, runId }: { jobId: string; runId: string }): Promise<void> {
  const look = async (): Promise<{ ended: boolean | undefined; exchange: Exchange }> => {
    const { runs, exchange } = await list(trial, form, jobId);
    const run = runs.find((each) => idOf(each) === runId);
    return { ended: isObject(run) ? hasEnded(run) : undefined, exchange };
  };
  let seen = await look();
  if (seen.ended === undefined) trial.skip('runs do not show whether they have ended');
  const until = Date.now() + RUN_PATIENCE_MS;
  while (seen.ended === false && Date.now() < until) {
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    seen = await look();
  }
  if (seen.ended === false) {
    trial.report(tell(operation, 'job-runs', 'runs.execute', 'a run does not end', `ended within ${RUN_PATIENCE_MS / 1000} s`, 'still under way', [seen.exchange]));
    return;
  }
  const ended = seen;
  for (let again = 0; again < 5; again += 1) {
    await new Promise((resolve) => { setTimeout(resolve, 40); });
    seen = await look();
    if (seen.ended !== false) continue;
    trial.report(tell(operation, 'job-runs', 'runs.execute', 'a run that ended is open again', 'ended, as before', 'under way', [ended.exchange, seen.exchange]));
    return;
  }
}

async function movesAll(trial: Trial, operation: Operation, form: Form, { jobId, type, action }: { jobId: string; type: string; action: number }): Promise<void> {
  const path = { id: jobId, type };
  const results = operationOf(trial.session, 'results');
  const look = async (): Promise<{ states: Map<string, Json | undefined>; exchange: Exchange }> => {
    const exchange = await trial.send(results, { form, path, query: { pageNumber: 1, pageSize: 200 }, label: 'list the results' });
    return { states: new Map((itemsOf(exchange.response?.json) ?? []).map((item) => [idOf(item) ?? '', memberOf(item, 'state')])), exchange };
  };
  const before = await look();
  const named = [...before.states].filter(([, state]) => state === 'Pending').map(([id]) => id).slice(0, 3);
  if (named.length < 2) trial.skip('too few results are pending');
  const json = sampleBody(operation.id, '', { resultIds: named });
  const sent = await trial.send(operation, { form, path, json: isObject(json) ? { ...json, action } : {}, label: action === 0 ? 'approve three' : 'reject three' });
  if (!isSuccess(sent.response?.status ?? 0)) trial.skip('the deployment does not take this action');
  await trial.holds(async () => {
    const after = await look();
    const still = named.filter((id) => after.states.get(id) === 'Pending');
    return still.length === 0 ? undefined : tell(operation, 'approvals', 'approvals.moves-state', action === 0 ? 'a named result did not move' : 'a rejected result did not move', 'no named result is pending', `${still.length} of ${named.length} still pending`, [before.exchange, sent, after.exchange]);
  });
}

function tell(operation: Operation, check: LawBreach['check'], requirement: string, cause: string, expected: string, received: string, exchanges: readonly Exchange[]): LawBreach {
  return { check, requirement, operation, cause, message: `${operation.id}: ${cause}`, expected, received, exchanges };
}
