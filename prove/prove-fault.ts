import { stagesFor } from './plan.ts';
import type { PlannedFault } from './plan.ts';
import type { ProveAnswer, RunJob } from './job.ts';
import { checksOf } from './judge.ts';
import type { FaultResult } from './judge.ts';

/** A fault and what is expected of the suites. */
export interface AskedFault {
  readonly name: string;
  readonly fault: PlannedFault;
  /** Checks that must catch it. */
  readonly expected: readonly string[];
  /** Those of them that only some tests try: these tests run first. */
  readonly narrow: readonly string[];
  readonly seed: number;
}

const nothing: ProveAnswer = { tests: 0, findings: [], errors: [], durationMs: 0 };

function join(a: ProveAnswer, b: ProveAnswer): ProveAnswer {
  return {
    tests: a.tests + b.tests,
    findings: [...a.findings, ...b.findings],
    errors: b.errors,
    durationMs: a.durationMs + b.durationMs,
  };
}

/** Runs stage after stage until something, and every check that must, has caught the fault. */
export async function proveFault(
  { name, fault, expected, narrow, seed }: AskedFault,
  run: RunJob,
  signal: AbortSignal,
): Promise<FaultResult> {
  const warns = fault.area === 'published';
  let seen = nothing;
  for (const stage of stagesFor(fault, narrow)) {
    if (signal.aborted) break;
    seen = join(seen, await run({ fault: name, ...stage, seed, ...(warns ? { strict: true } : {}) }, signal));
    const caught = checksOf(seen, warns);
    if (caught.length > 0 && expected.every((check) => caught.includes(check))) break;
  }
  return { ...seen, fault: name, operations: fault.operations, warns };
}
