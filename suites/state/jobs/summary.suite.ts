import { operationOf } from '../../../domain/builtin/operations.ts';
import { makeRanJob } from '../../../domain/builtin/runs.ts';
import { itemsOf } from '../../../domain/items.ts';
import { isServed } from '../../../spec/index.ts';
import type { Exchange } from '../../../spec/index.ts';
import { differences } from '../../kit/compare.ts';
import { persists } from '../../kit/polling.ts';
import { openSession } from '../../kit/session.ts';
import { violationOf } from '../../kit/violation.ts';
import { defineForRole } from '../define.ts';

const session = await openSession();

defineForRole(
  session,
  'summary',
  {
    suite: 'state/jobs/summary',
    title: 'the summary changes when a run produces results',
    checks: ['job-runs'],
    requirements: ['jobs.summary-counts'],
    effects: ['reversible', 'costly', 'read'],
  },
  async (t, { operation, form }) => {
    const read = (label: string): Promise<Exchange> => t.send(operation, { form, label });
    const before = await read('before a run');
    const { jobId, runIds } = await makeRanJob(t, 1);
    const path = { id: jobId, runId: runIds[0] ?? '' };
    const results = await t.send(operationOf(t, 'runResults'), { form, path, label: 'the results of the run' });
    if ((itemsOf(results.response?.json) ?? []).length === 0) t.skip('the run produced no results');
    const violation = await persists(t, async () => {
      const after = await read('after the run');
      const hasChanged = differences(before.response?.json, after.response?.json).length > 0;
      if (!isServed(before) || !isServed(after) || hasChanged) return undefined;
      return violationOf('job-runs/summary-constant', operation, {
        requirement: 'jobs.summary-counts',
        expected: 'another summary than before the run, which produced results',
        received: JSON.stringify(after.response.json ?? null).slice(0, 200),
        exchanges: [before, results, after],
      });
    });
    if (violation !== undefined) t.report(violation);
  },
);
