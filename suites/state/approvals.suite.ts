import type { Exchange, Form, Operation } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import { approval, narrow } from '../oracle/index.ts';
import type { KnownResult } from '../oracle/index.ts';
import { violationOf } from '../kit/violation.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { RequestSpec, Violation, TestContext } from '../kit/context.ts';
import { freshResults, listResults, lookAtResults, undecided } from './approvals/results.ts';
import type { Results } from './approvals/results.ts';
import { persists } from './sequences/patience.ts';
import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';
import { OPERATIONS, operationOf } from '../../domain/builtin/operations.ts';
import { ranJob } from '../../domain/builtin/runs.ts';

const session = await openSession();

/** Results that one approval names besides the first. */
const SEVERAL = 3;

for (const name of ['approve', 'bulkApprove'] as const) {
  const operation = session.contract.operation(OPERATIONS[name]);
  const bulk = name === 'bulkApprove';
  for (const [at, form] of (operation?.forms ?? []).entries()) {
    if (operation === undefined) continue;
    const other = operation.forms[(at + 1) % operation.forms.length] ?? form;
    defineTest(
      session,
      {
        suite: 'state/approvals',
        title: bulk
          ? 'a bulk approval moves what is pending of its job, for good'
          : 'an approval moves what it names and nothing else, for good',
        operation,
        form,
        checks: ['approvals'],
        requirements: [
          bulk ? 'approvals.bulk-moves-state' : 'approvals.moves-state',
          'auth.refused-changes-nothing',
          'forms.shared-state',
        ],
        effects: ['reversible', 'costly', 'read'],
        cost: 40,
      },
      async (t) => {
        const results = await freshResults(t, form);
        const before = await othersResults(t, form, results.path.type);
        const decide = decider(t, { operation, form, other, results, bulk });
        for (const act of acts(t, bulk, [...results.known.keys()])) if (!(await decide(act))) return;
        if (!bulk && !(await outlastsRun(t, form, results))) return;
        if (before !== undefined) await t.holds(() => othersMoved(t, form, operation, before));
      },
    );
  }
}

interface Act {
  readonly what: string;
  /** Ids of what it names; all for a bulk approval. */
  readonly named: readonly string[];
  /** 0 approves, 1 rejects. */
  readonly action: 0 | 1;
  readonly identity?: RequestSpec['identity'];
  /** Ids as they are sent, where whether that is taken is not shown: refused, it moves nothing. */
  readonly sent?: readonly string[];
}

/** What is decided one after the other; what was decided before must stay so. */
function acts({ session: { options } }: TestContext, bulk: boolean, ids: readonly string[]): readonly Act[] {
  const [one, ...rest] = ids;
  const named = one === undefined ? [] : [one];
  const refused: readonly Act[] =
    options.tokens.limited === undefined
      ? []
      : [{ what: 'approve without the permission', named: [], action: 0, identity: 'limited' }];
  if (bulk) return [...refused, { what: 'approve all', named: ids, action: 0 }];
  return [
    ...refused,
    { what: 'approve none', named: [], sent: [], action: 0 },
    { what: 'approve one', named, action: 0 },
    { what: 'approve several', named: rest.slice(0, SEVERAL), action: 0 },
    { what: 'reject two', named: rest.slice(SEVERAL, SEVERAL + 2), action: 1 },
    ...twice(rest[SEVERAL + 2]),
  ];
}

function twice(id: string | undefined): readonly Act[] {
  return id === undefined ? [] : [{ what: 'approve one, named twice', named: [id], sent: [id, id], action: 0 }];
}

interface Scene {
  readonly operation: Operation;
  readonly form: Form;
  readonly other: Form;
  readonly results: Results;
  readonly bulk: boolean;
}

/** Decides and looks; answers false where what was seen departs from the document, or the deployment does not take the action. */
function decider(t: TestContext, { operation, form, other, results, bulk }: Scene): (act: Act) => Promise<boolean> {
  const { path } = results;
  let looks = 0;
  return async ({ what, named, action, identity, sent: given }) => {
    const refused = identity !== undefined;
    const ids = refused ? [...results.known.keys()].slice(0, 1) : (given ?? named);
    if (ids.length === 0 && given === undefined) return true;
    const sample = sampleBody(operation.id, '', { resultIds: ids });
    const json = isObject(sample) ? { ...sample, ...(ids.length === 0 ? { results: [] } : {}), action } : {};
    const sent = await t.send(operation, {
      form,
      path: bulk ? { id: path.id } : path,
      json,
      label: what,
      ...(refused ? { identity } : action === 0 && given === undefined ? { expect: 'success' } : {}),
    });
    const status = sent.response?.status ?? 0;
    const taken = !refused && isSuccess(status);
    if (refused ? status < 400 : !taken && (given === undefined || status >= 500)) return false;
    if (taken) results.known = decided(results.known, { named: new Set(named), bulk });
    looks += 1;
    const violation = await persists(t, () =>
      departure(t, {
        operation,
        results,
        bulk,
        named: taken ? named : [],
        refused: !taken,
        form: looks % 2 === 0 ? form : other,
        sent,
      }),
    );
    if (violation !== undefined) t.report(violation);
    return violation === undefined;
  };
}

/** What is known of all results after an approval was answered. */
function decided(
  known: Results['known'],
  { named, bulk }: { readonly named: ReadonlySet<string>; readonly bulk: boolean },
): Results['known'] {
  const after = (id: string, result: KnownResult): KnownResult =>
    narrow(approval(result, bulk ? { kind: 'bulk-approve' } : { kind: 'approve', named: named.has(id) }), {
      status: 200,
    })[0] ?? result;
  return new Map([...known].map(([id, result]) => [id, after(id, result)]));
}

interface Looked {
  readonly operation: Operation;
  readonly results: Results;
  readonly bulk: boolean;
  readonly named: readonly string[];
  readonly refused: boolean;
  readonly form: Form;
  readonly sent: Exchange;
}

async function departure(
  t: TestContext,
  { operation, results, bulk, named, refused, form, sent }: Looked,
): Promise<Violation | undefined> {
  const all = bulk && !refused;
  const astray =
    (await lookAtResults(t, form, results, named[0])) ?? (all ? await undecided(t, form, results) : undefined);
  if (astray === undefined) return undefined;
  const meant = all || named.includes(astray.id);
  const before = results.known.get(astray.id)?.decided === true;
  if (astray.cause !== undefined) {
    const seen = t.session.contract.operation(astray.exchange.operation) ?? operation;
    return violationOf(seen, 'approvals', 'results.filter-state', astray.cause, {
      expected: astray.expected,
      received: astray.received,
      exchanges: [sent, astray.exchange],
    });
  }
  const cause = refused
    ? 'an approval that is refused moves a result'
    : meant
      ? 'the state did not move'
      : before
        ? 'a result that was decided before is open again'
        : 'other results moved too';
  const requirement = refused
    ? 'auth.refused-changes-nothing'
    : bulk
      ? 'approvals.bulk-moves-state'
      : 'approvals.moves-state';
  return violationOf(operation, 'approvals', requirement, cause, {
    expected: astray.expected,
    received: astray.received,
    exchanges: [sent, astray.exchange],
  });
}

/** Another run of the job leaves alone what was decided about the results of the one before. */
async function outlastsRun(t: TestContext, form: Form, results: Results): Promise<boolean> {
  const operation = operationOf(t.session, 'queue');
  const sent = await t.send(operation, { form, path: { id: results.path.id }, label: 'queue another run' });
  return t.holds(() => departure(t, { operation, results, bulk: false, named: [], refused: false, form, sent }));
}

/** Results of another job of this run's own, which nobody decides about. */
async function othersResults(
  t: TestContext,
  form: Form,
  type: string,
): Promise<
  { readonly id: string; readonly type: string; readonly states: string; readonly exchange: Exchange } | undefined
> {
  const { jobId, own } = await ranJob(t);
  if (!own) return undefined;
  const { states, exchange } = await listResults(t, form, { id: jobId, type });
  return { id: jobId, type, states: JSON.stringify(sorted(states)), exchange };
}

async function othersMoved(
  t: TestContext,
  form: Form,
  operation: Operation,
  { id, type, states, exchange }: NonNullable<Awaited<ReturnType<typeof othersResults>>>,
): Promise<Violation | undefined> {
  const seen = await listResults(t, form, { id, type });
  if (JSON.stringify(sorted(seen.states)) === states || seen.exchange.response?.status !== 200) return undefined;
  return violationOf(operation, 'approvals', 'approvals.moves-state', 'results of another job moved too', {
    expected: 'results of the other job as they were',
    received: 'other states',
    exchanges: [exchange, seen.exchange],
  });
}

function sorted(states: ReadonlyMap<string, string>): readonly string[] {
  return Array.from(states, ([id, state]) => `${id} ${state}`).toSorted((a, b) => a.localeCompare(b));
}
