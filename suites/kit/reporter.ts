import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { lossError } from '../../client/index.ts';
import { groupOf } from './groups.ts';
import type { TargetStats } from '../../client/index.ts';
import type { RunRecord, TestRecord } from '../../spec/index.ts';

/** Turns what Vitest reports into run records. Runs in the main process; the meta of the tests is passed from the worker. */
export function recordReporter(onRecord: (record: RunRecord) => void): Reporter {
  let lost = false;
  let statistics: TargetStats | undefined;
  return {
    onTestCaseResult(testCase) {
      const { assay: meta, rerun } = testCase.meta();
      if (rerun !== undefined) onRecord(rerun);
      if (groupOf(testCase.module.moduleId) === 'rerun' && testCase.result().state !== 'failed') return;
      if (meta?.lost !== undefined && !lost) {
        lost = true;
        const { message, hint, exitCode } = lossError(meta.lost);
        onRecord({ type: 'error', message, hint, exitCode });
      }
      for (const observation of meta?.observations ?? []) onRecord(observation);
      onRecord(meta === undefined ? unexplained(testCase) : { type: 'test', name: testCase.name, ...meta.test });
    },
    onTestModuleEnd(module: TestModule) {
      statistics = module.meta().statistics ?? statistics;
      for (const error of module.errors())
        onRecord({ type: 'error', message: `${module.relativeModuleId}: ${error.message}` });
    },
    onTestRunEnd(_modules, unhandled) {
      if (statistics !== undefined) onRecord({ type: 'statistics', ...statistics });
      for (const error of unhandled)
        onRecord({
          type: 'error',
          message: error.message,
          hint: 'This is a defect of Assay itself; please report it with the run log.',
        });
    },
  };
}

/** A test that ended without a meta: Vitest itself stopped it, or it failed before the test began. */
function unexplained(testCase: TestCase): TestRecord {
  const result = testCase.result();
  const cancelled = result.state === 'skipped' || result.state === 'pending';
  return {
    type: 'test',
    name: testCase.name,
    suite: testCase.name.split(' > ')[0] ?? '',
    checks: [],
    requirements: [],
    verdict: cancelled ? 'skipped' : 'error',
    reason: cancelled ? 'the run ended before it' : (result.errors?.[0]?.message ?? 'it ended without a result'),
    startedAt: new Date(testCase.diagnostic()?.startTime ?? Date.now()).toISOString(),
    durationMs: testCase.diagnostic()?.duration ?? 0,
    statuses: [],
    cases: 0,
    findings: [],
  };
}
