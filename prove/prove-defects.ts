import type { Defect } from './defect.ts';
import { counts, noAnswer } from './job.ts';
import type { ProveAnswer, ProveFinding, ProveJob, RunJob } from './job.ts';
import { batchesOf, firstStage, stagesFor } from './plan.ts';
import type { Stage } from './plan.ts';

export interface DefectResult {
  readonly defect: Defect;
  /** Checks that reported it, most findings first. */
  readonly checks: readonly string[];
  readonly isCaught: boolean;
  /** False if it affected no request: nothing observable changed. */
  readonly isMet: boolean;
  readonly errors: readonly string[];
  readonly durationMs: number;
  /** The test that reported it first, and the number of exchanges before, in all runs for this defect. */
  readonly first?: { readonly test: string; readonly exchanges: number };
}

export interface Proving {
  readonly seed: number;
  readonly run: RunJob;
  readonly signal: AbortSignal;
  /** Runs the suites in their own order up to the first violation, instead of the expected tests first. */
  readonly inOrder?: boolean;
  readonly onResult: (result: DefectResult) => void;
}

function findingsOf({ findings }: ProveAnswer, defect: Defect): readonly ProveFinding[] {
  return findings.filter((finding) => counts(finding, defect));
}

/** Names of the checks that reported a defect, most findings first. */
export function checksOf(answer: ProveAnswer, defect: Defect): readonly string[] {
  const numbers = new Map<string, number>();
  for (const { check } of findingsOf(answer, defect)) numbers.set(check, (numbers.get(check) ?? 0) + 1);
  return [...numbers].sort((a, b) => b[1] - a[1]).map(([check]) => check);
}

function resultOf(defect: Defect, answer: ProveAnswer): DefectResult {
  const checks = checksOf(answer, defect);
  const hits = answer.hits[defect.name];
  const { errors, durationMs } = answer;
  const [first] = findingsOf(answer, defect).toSorted((a, b) => a.afterExchanges - b.afterExchanges);
  return {
    defect,
    checks,
    isCaught: checks.length > 0,
    isMet: hits === undefined || hits > 0,
    errors,
    durationMs,
    ...(first === undefined ? {} : { first: { test: first.test, exchanges: first.afterExchanges } }),
  };
}

const jobOf = (defects: readonly Defect[], stage: Stage, seed: number): ProveJob => ({
  ...stage,
  defects: defects.map(({ name }) => name),
  healthy: [],
  seed,
  strict: defects.some(({ warns }) => warns),
});

/** The results of two runs one after the other; errors of the first no longer matter. */
function join(a: ProveAnswer, b: ProveAnswer): ProveAnswer {
  const hits = Object.fromEntries(
    [...new Set([...Object.keys(a.hits), ...Object.keys(b.hits)])].map((name) => [
      name,
      (a.hits[name] ?? 0) + (b.hits[name] ?? 0),
    ]),
  );
  return {
    tests: a.tests + b.tests,
    skipped: a.skipped + b.skipped,
    findings: [
      ...a.findings,
      ...b.findings.map((each) => ({ ...each, afterExchanges: a.exchanges + each.afterExchanges })),
    ],
    errors: b.errors,
    left: [...a.left, ...b.left],
    exchanges: a.exchanges + b.exchanges,
    durationMs: a.durationMs + b.durationMs,
    hits,
  };
}

/** Runs stage after stage until something catches the defect. */
async function proveAlone(defect: Defect, { seed, run, signal, inOrder }: Proving): Promise<DefectResult> {
  let seen = noAnswer();
  const stages = stagesFor(defect);
  for (const stage of inOrder === true ? stages.slice(-1) : stages) {
    if (signal.aborted) break;
    const { operations, checks, warns } = defect;
    const end = inOrder === true ? { endsAt: { operations, checks, warns } } : {};
    seen = join(seen, await run({ ...jobOf([defect], stage, seed), ...end }, signal));
    if (resultOf(defect, seen).isCaught) break;
  }
  return resultOf(defect, seen);
}

/** One run for several defects. Only expected checks count, because a finding may be caused by another defect. */
async function proveTogether(batch: readonly Defect[], proving: Proving): Promise<readonly DefectResult[]> {
  const { seed, run, signal } = proving;
  if (batch.length === 1) return [];
  const answer = await run(jobOf(batch, firstStage(batch), seed), signal);
  return batch
    .map((defect) => resultOf(defect, { ...answer, durationMs: answer.durationMs / batch.length }))
    .filter(({ defect, checks }) => defect.checks.some((check) => checks.includes(check)));
}

/** Runs the suites against every defect; defects that are observed on different operations first share a run. */
export async function proveDefects(defects: readonly Defect[], proving: Proving): Promise<readonly DefectResult[]> {
  const results = new Map<string, DefectResult>();
  const keep = (result: DefectResult): void => {
    if (proving.signal.aborted) return;
    results.set(result.defect.name, result);
    proving.onResult(result);
  };
  const proveBatch = async (batch: readonly Defect[]): Promise<void> => {
    const caught = proving.inOrder === true ? [] : await proveTogether(batch, proving);
    caught.forEach(keep);
    const rest = batch.filter((defect) => !caught.some((result) => result.defect === defect));
    await Promise.all(rest.map(async (defect) => keep(await proveAlone(defect, proving))));
  };
  await Promise.all(batchesOf(defects).map(proveBatch));
  return defects.flatMap(({ name }) => results.get(name) ?? []);
}
