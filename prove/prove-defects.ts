import type { Defect } from './defect.ts';
import { NO_ANSWER } from './job.ts';
import type { ProveAnswer, RunJob } from './job.ts';
import { batchesOf, stagesFor, stageTogether } from './plan.ts';
import type { Stage } from './plan.ts';

/** What became of one defect. */
export interface DefectResult {
  readonly defect: Defect;
  /** Checks that reported it, most findings first. */
  readonly checks: readonly string[];
  readonly isCaught: boolean;
  /** False where no request of the suites met it: nothing observable changed. */
  readonly isMet: boolean;
  readonly errors: readonly string[];
  readonly durationMs: number;
}

export interface Proving {
  readonly seed: number;
  readonly run: RunJob;
  readonly signal: AbortSignal;
  /** Runs every test even where the first ones caught it, to learn all checks that do. */
  readonly whole?: boolean;
  readonly onResult: (result: DefectResult) => void;
}

/**
 * Names of the checks that reported a defect, most findings first. A warning counts where only published requirements are violated, or
 * where an expected check warns of an inferred one.
 */
export function checksOf({ findings }: ProveAnswer, { operations, checks, warns }: Defect): readonly string[] {
  const expected: readonly string[] = checks;
  const counts = new Map<string, number>();
  for (const { check, operation, severity, grade } of findings) {
    const counted = warns || severity === 'violation' || (grade === 'inferred' && expected.includes(check));
    if (counted && (operations.length === 0 || operations.includes(operation)))
      counts.set(check, (counts.get(check) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([check]) => check);
}

function resultOf(defect: Defect, answer: ProveAnswer): DefectResult {
  const checks = checksOf(answer, defect);
  const hits = answer.hits[defect.name];
  const { errors, durationMs } = answer;
  return { defect, checks, isCaught: checks.length > 0, isMet: hits === undefined || hits > 0, errors, durationMs };
}

const job = (defects: readonly Defect[], stage: Stage, seed: number) => ({
  ...stage,
  defects: defects.map(({ name }) => name),
  healthy: [],
  seed,
  strict: defects.some(({ warns }) => warns),
});

function join(a: ProveAnswer, b: ProveAnswer): ProveAnswer {
  const hits = Object.fromEntries(
    [...new Set([...Object.keys(a.hits), ...Object.keys(b.hits)])].map((name) => [
      name,
      (a.hits[name] ?? 0) + (b.hits[name] ?? 0),
    ]),
  );
  return {
    tests: a.tests + b.tests,
    findings: [...a.findings, ...b.findings],
    errors: b.errors,
    durationMs: a.durationMs + b.durationMs,
    hits,
  };
}

/** Runs stage after stage until something catches the defect. */
async function proveAlone(defect: Defect, { seed, run, signal, whole }: Proving): Promise<DefectResult> {
  let seen = NO_ANSWER;
  const stages = stagesFor(defect);
  for (const stage of whole === true ? stages.slice(-1) : stages) {
    if (signal.aborted) break;
    seen = join(seen, await run(job([defect], stage, seed), signal));
    if (resultOf(defect, seen).isCaught) break;
  }
  return resultOf(defect, seen);
}

/** One run for several defects. In company only an expected check counts, so that none gets the credit for another defect. */
async function proveTogether(batch: readonly Defect[], proving: Proving): Promise<readonly DefectResult[]> {
  const { seed, run, signal } = proving;
  if (batch.length === 1) return [];
  const answer = await run(job(batch, stageTogether(batch), seed), signal);
  return batch
    .map((defect) => resultOf(defect, { ...answer, durationMs: answer.durationMs / batch.length }))
    .filter(({ defect, checks }) => defect.checks.some((check) => checks.includes(check)));
}

/** Runs the suites against every defect; those that show in different operations share a run first. */
export async function proveDefects(defects: readonly Defect[], proving: Proving): Promise<readonly DefectResult[]> {
  const results = new Map<string, DefectResult>();
  const keep = (result: DefectResult): void => {
    if (proving.signal.aborted) return;
    results.set(result.defect.name, result);
    proving.onResult(result);
  };
  const proveBatch = async (batch: readonly Defect[]): Promise<void> => {
    const caught = proving.whole === true ? [] : await proveTogether(batch, proving);
    caught.forEach(keep);
    const rest = batch.filter((defect) => !caught.some((result) => result.defect === defect));
    await Promise.all(rest.map(async (defect) => keep(await proveAlone(defect, proving))));
  };
  await Promise.all(batchesOf(defects).map(proveBatch));
  return defects.flatMap(({ name }) => results.get(name) ?? []);
}
