import { done, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { param } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { NO_ID } from '../model/policy.ts';
import type { Approval, Result, ResultState } from '../model/run.ts';
import { APPROVAL_STATES, approvalShape, bulkApprovalShape } from '../model/run.ts';
import { fit } from '../model/shape.ts';
import { group, idParam, userId } from './define.ts';
import { applyPatch } from './json-patch.ts';
import { existingJob, noteJob } from './jobs.ts';
import { numberedPage } from './page.ts';

export const resultOperations = group('RACI:management.aiagents', {
  'GET /aijob/{id}/results/{type}': (call) => {
    const state = call.query.text('state')?.toLowerCase();
    const name = call.query.text('searchName')?.toLowerCase();
    const results = resultsOfType(call).filter(
      (result) =>
        (state === undefined || result.state.toLowerCase() === state) &&
        (name === undefined || result.description.toLowerCase().includes(name)),
    );
    return ok(numberedPage(call, results, (result) => result));
  },
  'GET /aijob/{id}/results/{type}/{resultId}': (call) => {
    const id = idParam(call, 'resultId');
    const result = resultsOfType(call).find((candidate) => candidate.id === id);
    if (result === undefined) throw notFound('result', id);
    return ok(result);
  },
  'PUT /aijob/{id}/bulk-result-approval-request': (call) => {
    const job = existingJob(call);
    const { action } = fit<{ action: number }>(bulkApprovalShape, call.body);
    const state = APPROVAL_STATES[action] ?? 'Approved';
    changeResults(call, (result) => (result.state === 'Pending' ? { state } : undefined));
    noteJob(call, job, `Bulk${state}`);
    return done();
  },
  'POST /aijob/{id}/results/{type}/approvals': (call) => {
    const job = existingJob(call);
    const changes = approvedChanges(call, fit<Approval>(approvalShape, call.body));
    changeResults(call, ({ id }) => changes.get(id));
    noteJob(call, job, 'ApproveResults');
    return done();
  },
});

type Change = Partial<Result> & { state: ResultState };

function resultsOfType(call: Call): Result[] {
  const job = existingJob(call);
  const type = param(call, 'type').toLowerCase();
  return call.world.jobs.history(job.id).results.filter((result) => result.type.toLowerCase() === type);
}

/** All changes of an approval; throws before any is applied. */
function approvedChanges(call: Call, approval: Approval): Map<string, Change> {
  const state = APPROVAL_STATES[approval.action] ?? 'Approved';
  const known = new Map(resultsOfType(call).map((result) => [result.id, result]));
  const changes = approval.results.map(({ resultId = NO_ID, userOverride }): [string, Change] => {
    const result = known.get(resultId.toLowerCase());
    if (result === undefined) throw notFound('result', resultId);
    const override = userOverride === undefined || userOverride === null || userOverride.length === 0;
    return [result.id, override ? { state } : { state, model: applyPatch(result.model as object, userOverride) }];
  });
  return new Map(changes);
}

function changeResults(call: Call, change: (result: Result) => Change | undefined): void {
  const job = existingJob(call);
  const history = call.world.jobs.history(job.id);
  const modified = { modifiedAt: new Date().toISOString(), modifiedBy: userId(call) };
  const results = history.results.map((result) => {
    const changes = change(result);
    return changes === undefined ? result : { ...result, ...changes, ...modified };
  });
  call.world.jobs.setHistory(job.id, { ...history, results });
}
