import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EFFECTS } from '../spec/index.ts';
import type { RunRecord } from '../spec/index.ts';
import { startService } from '../service/start.ts';
import type { FaultName } from '../service/start.ts';
import { runSuites } from '../suites/index.ts';
import type { ProveAnswer, ProveJob } from './job.ts';

function answerOf(records: readonly RunRecord[], durationMs: number): ProveAnswer {
  const tests = records.filter((record) => record.type === 'test');
  const errors = records.filter((record) => record.type === 'error').map((record) => record.message);
  const broken = tests
    .filter((test) => test.verdict === 'error')
    .map((test) => `${test.name}: ${test.reason ?? 'error'}`);
  const findings = tests
    .flatMap((test) => test.findings)
    .map(({ check, operation, severity, message }) => ({ check, operation, severity, message }));
  return { tests: tests.length, findings, errors: [...errors, ...broken], durationMs };
}

/** Runs the suites against a fresh service in memory, with one fault or none. */
async function prove(job: ProveJob): Promise<ProveAnswer> {
  const began = performance.now();
  const records: RunRecord[] = [];
  const journalDir = mkdtempSync(join(tmpdir(), 'assay-prove-'));
  const service = await startService({ faults: job.fault === undefined ? [] : [job.fault as FaultName] });
  try {
    await runSuites(
      {
        baseUrl: service.baseUrl,
        tokens: service.tokens,
        embedded: true,
        allow: EFFECTS,
        only: job.only,
        skip: job.skip,
        seed: job.seed,
        runs: 100,
        settleMs: 1000,
        strict: job.strict ?? false,
        journalDir,
        runId: randomBytes(4).toString('hex'),
      },
      (record) => records.push(record),
      new AbortController().signal,
    );
  } finally {
    await service.close();
    rmSync(journalDir, { recursive: true, force: true });
  }
  return answerOf(records, performance.now() - began);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (job: ProveJob) => {
  prove(job).then(
    (answer) => process.send?.(answer),
    (error: unknown) =>
      process.send?.({
        tests: 0,
        findings: [],
        errors: [error instanceof Error ? error.message : String(error)],
        durationMs: 0,
      }),
  );
});
