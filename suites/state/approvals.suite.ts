import { setTimeout as sleep } from 'node:timers/promises';
import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';
import { operationOf } from '../../domain/builtin/operations.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import type { Exchange, FindingCode, Form, Violation } from '../../spec/index.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { KEPT_MS, persists } from '../kit/polling.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { approval, narrow } from '../oracle/index.ts';
import type { KnownResult } from '../oracle/index.ts';
import { decisions } from './approvals/decisions.ts';
import type { Decision } from './approvals/decisions.ts';
import { approvesOfEarlierRun } from './approvals/earlier-run.ts';
import { findDividedDecision, findOtherBulkEffect, findOtherEffect } from './approvals/forms.ts';
import type { Accepted } from './approvals/forms.ts';
import { findOthersChanged, findRefusedMoved, resultsOfOtherJob, resultsOfOtherTypes } from './approvals/others.ts';
import type { OtherResults } from './approvals/others.ts';
import {
  findUndecided,
  findWrongState,
  freshResults,
  listResults,
  listRunResults,
  readResult,
  skipIfApproved,
} from './approvals/results.ts';
import type { Results, WrongState } from './approvals/results.ts';
import { defineForRole } from './define.ts';
import { findOtherPages } from './jobs/filtered.ts';
import type { Refused, Tested } from './define.ts';

const session = await openSession();

const REQUIREMENTS = { approve: 'approvals.moves-state', bulkApprove: 'approvals.bulk-moves-state' } as const;

for (const role of ['approve', 'bulkApprove'] as const) {
  const isBulk = role === 'bulkApprove';
  defineForRole(session, role, {
    suite: 'state/approvals',
    title: isBulk
      ? 'a bulk approval decides all pending results of its job, permanently'
      : 'an approval decides the results that it names and no others, permanently',
    checks: ['approvals', 'filters'],
    requirements: [
      REQUIREMENTS[role],
      'auth.refused-changes-nothing',
      ...(isBulk ? [] : ['errors.refused-changes-nothing']),
      'forms.shared-state',
      ...(isBulk ? [] : ['forms.equivalent']),
    ],
    effects: ['reversible', 'costly', 'irreversible', 'read'],
    isAwaited: true,
    keepsOthers: true,
    cost: 40,
    run: async (t, target) => {
      const violation = await findFirstViolation(t, target, isBulk);
      if (violation === undefined) return;
      if (!UNNAMED.includes(violation.code)) return t.report(violation);
      // Another approval of the run may have changed results that this one does not name: a violation of this one occurs again.
      const repeat = (): Evaluation => findFirstViolation(t, target, isBulk);
      const again = await (isBulk ? repeat() : besideNoBulk(repeat)).catch(() => violation);
      if (again !== undefined) t.report(again);
    },
  });
}

let lastBulk: Promise<unknown> = Promise.resolve();

/** Does the work once the bulk approvals of other tests have ended: one may reach the results of all jobs. */
function besideNoBulk<T>(work: () => Promise<T>): Promise<T> {
  const done = lastBulk.then(work, work);
  lastBulk = done.catch(() => undefined);
  return done;
}

/** Codes about results that no accepted decision of the test names. */
const UNNAMED: readonly string[] = [
  'approvals/refused-moves',
  'approvals/other-result',
  'approvals/other-job',
  'approvals/reopened',
] satisfies readonly FindingCode[];

/** Makes each decision on results of a new job; returns the first violation. */
async function findFirstViolation(t: TestContext, target: Tested, isBulk: boolean): Evaluation {
  await skipIfApproved(t);
  const [results, otherJob] = await Promise.all([freshResults(t, target.form), resultsOfOtherJob(t, target.form)]);
  const subject: Subject = { ...target, results, isBulk, accepted: [] };
  const otherTypes = isBulk ? [] : await resultsOfOtherTypes(t, target.form, results);
  let violation: Violation | 'stopped' | undefined;
  for (const [at, decision] of decisions(t, isBulk, results.undecided).entries()) {
    const readForm = at % 2 === 0 ? target.otherForm : target.form;
    // What else changes results of the job may be a bulk approval that reaches other jobs: it is tried whatever was found before.
    const make = (): ReturnType<typeof decide> => decide(t, subject, decision, readForm);
    const found = isBulk ? await besideNoBulk(make) : violation === undefined ? await make() : undefined;
    violation ??= found;
  }
  if (!isBulk && violation === undefined)
    violation =
      (await persists(t, () => findDividedDecision(t, target, results, subject.accepted))) ??
      (await persists(t, () => findOtherEffect(t, target, results, subject.accepted))) ??
      (await findUndone(t, subject)) ??
      (await decisionsOutlastRun(t, subject));
  if (violation !== undefined && violation !== 'stopped')
    return (isBulk ? await persists(t, () => findOthersChanged(t, subject, otherJob)) : undefined) ?? violation;
  const paged = isBulk ? undefined : await persists(t, () => findOtherStatePages(t, target, results));
  if (paged !== undefined) return paged;
  for (const other of [otherJob, ...otherTypes]) {
    const changed = await persists(t, () => findOthersChanged(t, subject, other));
    if (changed !== undefined) return changed;
  }
  return isBulk ? rejectsAlike(t, subject, otherJob) : findRefusedMoved(t, target, results, otherJob);
}

/** Bulk rejections through both forms: tried for one of them, because each takes a job of its own. */
async function rejectsAlike(t: TestContext, subject: Subject, otherJob: OtherResults): Evaluation {
  const { form, otherForm, operation, accepted } = subject;
  const [approved] = accepted;
  if (approved === undefined || form === otherForm || form.name !== operation.forms[0]?.name) return undefined;
  const another = await resultsOfOtherJob(t, form);
  return besideNoBulk(() => findOtherBulkEffect(t, subject, approved.exchange, [otherJob, another]));
}

/** The results of each state, when the job has some in several states, on small pages. */
async function findOtherStatePages(t: TestContext, target: Tested, { path }: Results): Evaluation {
  const listed = { ...target, operation: operationOf(t, 'results') };
  const { states } = await listResults(t, target.form, path);
  for (const state of new Set(states.values())) {
    const violation = await findOtherPages(t, listed, path, { state }, 'results.filter-state');
    if (violation !== undefined) return violation;
  }
  return undefined;
}

interface Subject extends Tested {
  readonly results: Results;
  readonly isBulk: boolean;
  /** The decisions that were accepted so far. */
  readonly accepted: Accepted[];
}

/** Sends a decision and checks the states of all results; `stopped` where the decision is not accepted. */
async function decide(
  t: TestContext,
  subject: Subject,
  decision: Decision,
  readForm: Form,
): Promise<Violation | 'stopped' | undefined> {
  const { operation, form, otherForm, results, isBulk } = subject;
  const { label, named, action, identities, sent, isOpen, throughOtherForm = false } = decision;
  const mustRefuse = identities !== undefined;
  const type = isBulk && !mustRefuse && form !== operation.forms[0] ? 'text/json' : decision.type;
  const ids = mustRefuse ? results.undecided.slice(0, 1) : (sent ?? named);
  if (ids.length === 0 && sent === undefined) return undefined;
  const [single] = mustRefuse ? [] : named;
  // Fills a cache of the deployment: a stale response afterwards is a violation.
  if (single !== undefined) await readResult(t, readForm, results.path, single);
  const before = isBulk ? await listRunResults(t, form, results) : undefined;
  const sample = sampleBody(operation.id, '', { resultIds: ids });
  const json = isObject(sample) ? { ...sample, ...(ids.length === 0 ? { results: [] } : {}), action } : {};
  const send = (identity?: Refused, as?: string): Promise<Exchange> =>
    t.send(operation, {
      form: throughOtherForm ? otherForm : form,
      path: isBulk ? { id: results.path.id } : results.path,
      ...(as === undefined ? { json } : { body: { type: as, content: JSON.stringify(json) } }),
      label,
      ...(identity === undefined ? {} : { identity }),
      ...(!mustRefuse && as === undefined && action === 0 && sent === undefined ? { expect: 'success' } : {}),
    });
  const earlier: Exchange[] = [];
  for (const identity of identities?.slice(0, -1) ?? []) earlier.push(await send(identity));
  let exchange = await send(identities?.at(-1), type);
  // contract/bodies judges whether the type is accepted. Only what was refused is sent again.
  const first = exchange.response?.status ?? 0;
  if (type !== undefined && first >= 400 && first < 500) exchange = await send();
  const status = exchange.response?.status ?? 0;
  const isAccepted = !mustRefuse && isSuccess(status);
  if (mustRefuse ? ![...earlier, exchange].every(isRefused) : !isAccepted && (sent === undefined || status >= 500))
    return 'stopped';
  if (isAccepted) subject.accepted.push({ action, throughOtherForm, named, exchange });
  if (isAccepted)
    results.known =
      isOpen === true
        ? new Map([...results.known].filter(([id]) => !named.includes(id)))
        : afterDecision(results.known, new Set(named), isBulk);
  const decided = {
    named: isAccepted && isOpen !== true ? named : [],
    isRefused: !isAccepted,
    earlier,
    exchange,
    before,
  };
  return persists(t, () => findViolation(t, subject, decided, readForm));
}

/** What is known of all results after an accepted decision. */
function afterDecision(known: Results['known'], named: ReadonlySet<string>, isBulk: boolean): Results['known'] {
  const after = (id: string, result: KnownResult): KnownResult => {
    const request = isBulk ? ({ kind: 'bulk-approve' } as const) : ({ kind: 'approve', named: named.has(id) } as const);
    return narrow(approval(result, request), { status: 200 })[0] ?? result;
  };
  return new Map([...known].map(([id, result]) => [id, after(id, result)]));
}

const isRefused = ({ response }: Exchange): boolean => (response?.status ?? 0) >= 400;

interface Decided {
  readonly named: readonly string[];
  readonly isRefused: boolean;
  /** Requests like the last one, with other tokens that are refused. */
  readonly earlier?: readonly Exchange[];
  readonly exchange: Exchange;
  /** The results of the run before a decision about all of them. */
  readonly before?: Exchange | undefined;
}

async function findViolation(
  t: TestContext,
  { operation, results, isBulk }: Subject,
  decided: Decided,
  form: Form,
): Evaluation {
  const { named, isRefused, earlier = [], exchange, before } = decided;
  const decidesAll = isBulk && !isRefused;
  const wrong =
    (await findWrongState(t, form, results, named[0])) ??
    (decidesAll && before !== undefined ? await findUndecided(t, form, results, before) : undefined);
  if (wrong === undefined) return undefined;
  // A decision about all results names none of those that were there.
  const exchanges = [
    ...(isBulk ? [results.listed] : []),
    ...earlier,
    exchange,
    ...(wrong.list === undefined ? [] : [wrong.list]),
    wrong.exchange,
  ];
  const evidence = { expected: wrong.expected, received: wrong.received, exchanges };
  if (wrong.code !== undefined) {
    const reads = t.contract.operation(wrong.exchange.operation) ?? operation;
    // A listed result that cannot be read exists nevertheless.
    const requirement = wrong.exchange.response?.status === 404 ? 'errors.not-found' : 'results.filter-state';
    return violationOf(wrong.code, reads, { ...evidence, requirement, message: wrong.message, grade: wrong.grade });
  }
  const isUnauthorised = exchange.identity !== 'full';
  const refused = isUnauthorised ? 'auth.refused-changes-nothing' : 'errors.refused-changes-nothing';
  return violationOf(codeOf(wrong, results, decided, decidesAll), operation, {
    ...evidence,
    requirement: isRefused ? refused : REQUIREMENTS[isBulk ? 'bulkApprove' : 'approve'],
    // Whether an approval of several results is decided as a whole is not documented.
    grade: isRefused && !isUnauthorised ? 'inferred' : undefined,
  });
}

function codeOf(
  { id }: WrongState,
  { known }: Results,
  { named, isRefused }: Decided,
  decidesAll: boolean,
): FindingCode {
  if (isRefused) return 'approvals/refused-moves';
  if (decidesAll || named.includes(id)) return 'approvals/not-moved';
  return known.get(id)?.decided === true ? 'approvals/reopened' : 'approvals/other-result';
}

/** A decision that some result shows no longer, a while after all of them were shown. */
async function findUndone(t: TestContext, subject: Subject): Evaluation {
  const { accepted, form } = subject;
  const last = accepted.findLast(({ named }) => named.length > 0);
  if (last === undefined) return undefined;
  await sleep(KEPT_MS);
  return persists(t, () => findViolation(t, subject, { named: [], isRefused: false, exchange: last.exchange }, form));
}

/** Another run of the job must not change the decisions about earlier results, which can still be decided. */
async function decisionsOutlastRun(t: TestContext, subject: Subject): Evaluation {
  const { form, results } = subject;
  const path = { id: results.path.id };
  const exchange = await t.send(operationOf(t, 'queue'), { form, path, label: 'queue another run' });
  const operation = operationOf(t, 'queue');
  const queued = { named: [], isRefused: false, exchange };
  const violation = await persists(t, () => findViolation(t, { ...subject, operation }, queued, form));
  if (violation === undefined) await approvesOfEarlierRun(t, subject, results);
  return violation && { ...violation, message: `${operation.id}: a new run changed results of an earlier one` };
}
