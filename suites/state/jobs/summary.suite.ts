import type { TestContext } from '../../kit/context.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { makeRanJob } from '../../../domain/builtin/runs.ts';
import { itemsIn, memberOf } from '../../../domain/items.ts';
import { isServed, scalarText } from '../../../spec/index.ts';
import type { Exchange } from '../../../spec/index.ts';
import { differences } from '../../kit/compare.ts';
import { persists } from '../../kit/polling.ts';
import { openSession } from '../../kit/session.ts';
import { violationOf } from '../../kit/violation.ts';
import { defineForRole } from '../define.ts';

const session = await openSession();

defineForRole(session, 'summary', {
  suite: 'state/jobs/summary',
  title: 'the summary changes when a run produces results',
  checks: ['job-runs', 'form-equivalence'],
  requirements: ['jobs.summary-counts', 'forms.equivalent'],
  effects: ['reversible', 'costly', 'read'],
  isAwaited: true,
  run: async (t, { operation, form, otherForm }) => {
    const read = (t: TestContext, label: string): Promise<Exchange> => t.send(operation, { form, label });
    const before = await read(t, 'before a run');
    const { jobId, runIds } = await makeRanJob(t, 1);
    const path = { id: jobId, runId: runIds[0] ?? '' };
    const results = await t.send(operationOf(t, 'runResults'), { form, path, label: 'the results of the run' });
    const items = itemsIn(results) ?? [];
    if (items.length === 0) t.skip('the run shows no results: none, or not yet');
    // What is counted is not documented: it may be what waits for an approval.
    if (items.every((item) => /approved|rejected/i.test(scalarText(memberOf(item, 'state') ?? ''))))
      t.skip('the results of the run do not wait for an approval');
    const violation = await persists(t, async () => {
      const after = await read(t, 'after the run');
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
    if (violation !== undefined) t.report(violation);
    if (otherForm === form) return;
    await t.holds(async (t) => {
      const one = await read(t, `through ${form.name}`);
      const two = await t.send(operation, { form: otherForm, label: `through ${otherForm.name}` });
      const again = await read(t, `through ${form.name} again`);
      const differs = ({ response }: Exchange): boolean => differences(one.response?.json, response?.json).length > 0;
      if (![one, two, again].every(isServed) || differs(again) || !differs(two)) return undefined;
      return violationOf('form-equivalence/body', operation, {
        requirement: 'forms.equivalent',
        message: `${operation.id} shows another summary through ${otherForm.name} than through ${form.name}`,
        expected: JSON.stringify(one.response?.json ?? null).slice(0, 200),
        received: JSON.stringify(two.response?.json ?? null).slice(0, 200),
        exchanges: [one, two, again],
      });
    });
  },
});
