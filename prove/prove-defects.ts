import type { Defect } from './defect.ts';
import { counts, NO_ANSWER } from './job.ts';
import type { Expected, ProveAnswer, ProveFinding, RunJob } from './job.ts';
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
  /** What reported it first, and after how many exchanges of the runs for it. */
  readonly first?: { readonly test: string; readonly exchanges: number };
}

export interface Proving {
  readonly seed: number;
  readonly run: RunJob;
  readonly signal: AbortSignal;
  /** Runs the suites in their own order up to the first violation, instead of the tests that are expected to catch it. */
  readonly inOrder?: boolean;
  readonly onResult: (result: DefectResult) => void;
}

function expectationOf({ operations, checks, warns }: Defect): Expected {
  return { operations, checks, warns };
}

/** The findings that count for a defect. */
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
    skipped: a.skipped + b.skipped,
    findings: [
      ...a.findings,
      ...b.findings.map((each) => ({ ...each, afterExchanges: a.exchanges + each.afterExchanges })),
    ],
    errors: b.errors,
    exchanges: a.exchanges + b.exchanges,
    durationMs: a.durationMs + b.durationMs,
    hits,
  };
}

/** Runs stage after stage until something catches the defect. */
async function proveAlone(defect: Defect, { seed, run, signal, inOrder }: Proving): Promise<DefectResult> {
  let seen = NO_ANSWER;
  const stages = stagesFor(defect);
  for (const stage of inOrder === true ? stages.slice(-1) : stages) {
    if (signal.aborted) break;
    const end = inOrder === true ? { endsAt: expectationOf(defect) } : {};
    seen = join(seen, await run({ ...job([defect], stage, seed), ...end }, signal));
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
    const caught = proving.inOrder === true ? [] : await proveTogether(batch, proving);
    caught.forEach(keep);
    const rest = batch.filter((defect) => !caught.some((result) => result.defect === defect));
    await Promise.all(rest.map(async (defect) => keep(await proveAlone(defect, proving))));
  };
  await Promise.all(batchesOf(defects).map(proveBatch));
  return defects.flatMap(({ name }) => results.get(name) ?? []);
}
