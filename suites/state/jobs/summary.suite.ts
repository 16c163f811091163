import { setTimeout as sleep } from 'node:timers/promises';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { makeRanJob } from '../../../domain/builtin/runs.ts';
import { itemsIn, memberOf } from '../../../domain/items.ts';
import { isServed, scalarText } from '../../../spec/index.ts';
import type { Exchange, Form, Operation } from '../../../spec/index.ts';
import { differences } from '../../kit/compare.ts';
import { persists } from '../../kit/polling.ts';
import { openSession } from '../../kit/session.ts';
import { violationOf } from '../../kit/violation.ts';
import { defineForRole } from '../define.ts';

const session = await openSession();

/** Runs that must all leave the summary as it is: after one, others may have decided as many results as it produced. */
const RUNS = 3;

defineForRole(session, 'summary', {
  suite: 'state/jobs/summary',
  title: 'the summary changes when a run produces results',
  checks: ['job-runs', 'form-equivalence'],
  requirements: ['jobs.summary-counts', 'forms.equivalent'],
  effects: ['reversible', 'costly', 'read'],
  isAwaited: true,
  // Jobs and runs of other tests change the summary too.
  isolated: true,
  run: async (t, { operation, form, otherForm }) => {
    let violation = await findConstant(t, operation, form);
    for (let run = 2; run <= RUNS && violation !== undefined; run += 1)
      violation = await findConstant(t, operation, form);
    if (violation !== undefined) t.report(violation);
    if (otherForm === form) return;
    await t.holds(async (t) => {
      const read = (through: Form, again = ''): Promise<Exchange> =>
        t.send(operation, { form: through, label: `through ${through.name}${again}` });
      const differ = (a: Exchange, b: Exchange): boolean => differences(a.response?.json, b.response?.json).length > 0;
      const [one, two] = [await read(form), await read(otherForm)];
      if (![one, two].every(isServed) || !differ(one, two)) return undefined;
      // What changes until then differs because others change it, or because a cache keeps it for a while.
      await sleep(t.settleMs);
      const [again, twoAgain] = [await read(form, ' again'), await read(otherForm, ' again')];
      if (![again, twoAgain].every(isServed) || differ(one, again) || differ(two, twoAgain)) return undefined;
      return violationOf('form-equivalence/body', operation, {
        requirement: 'forms.equivalent',
        message: `${operation.id} shows another summary through ${otherForm.name} than through ${form.name}`,
        expected: JSON.stringify(one.response?.json ?? null).slice(0, 200),
        received: JSON.stringify(two.response?.json ?? null).slice(0, 200),
        exchanges: [one, two, again, twoAgain],
      });
    });
  },
});

/** A summary that stays the same while a run of a new job produces results. */
async function findConstant(t: TestContext, operation: Operation, form: Form): Evaluation {
  const read = (label: string): Promise<Exchange> => t.send(operation, { form, label });
  let before = await read('before a run');
  const { jobId, runIds } = await makeRanJob(t, 1, async () => {
    before = await read('with a new job, before its run');
  });
  const path = { id: jobId, runId: runIds[0] ?? '' };
  const results = await t.send(operationOf(t, 'runResults'), { form, path, label: 'the results of the run' });
  const items = itemsIn(results) ?? [];
  if (items.length === 0) t.skip('the run shows no results yet');
  // What is counted is not documented: it may be what waits for an approval.
  if (items.every((item) => /approved|rejected/i.test(scalarText(memberOf(item, 'state') ?? ''))))
    t.skip('no result of the run is pending');
  return persists(t, async () => {
    const after = await read('after the run');
    const hasChanged = differences(before.response?.json, after.response?.json).length > 0;
    const isMalformed = [before, after].some(({ response }) => response?.jsonError !== undefined);
    if (!isServed(before) || !isServed(after) || hasChanged || isMalformed) return undefined;
    return violationOf('job-runs/summary-constant', operation, {
      requirement: 'jobs.summary-counts',
      expected: 'another summary than before the run, which produced results',
      received: JSON.stringify(after.response.json ?? null).slice(0, 200),
      exchanges: [before, results, after],
    });
  });
}
