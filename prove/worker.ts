import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../service/start.ts';
import type { FaultName } from '../service/start.ts';
import { EFFECTS, loadContract } from '../spec/index.ts';
import type { Contract, Finding, RunRecord } from '../spec/index.ts';
import { runSuites } from '../suites/index.ts';
import { defectsOf } from './defect.ts';
import type { Defect } from './defect.ts';
import { mergeVariations } from './healthy/variation.ts';
import { VARIATIONS } from './healthy/index.ts';
import type { Variation } from './healthy/variation.ts';
import { counts, noAnswer } from './job.ts';
import type { ProveAnswer, ProveFinding, ProveJob } from './job.ts';
import { counting, together } from './proxy/compose.ts';
import { startProxy } from './proxy/proxy.ts';
import { createRouter } from './proxy/router.ts';

interface Catalogue {
  readonly contract: Contract;
  readonly defects: ReadonlyMap<string, Defect>;
}

let catalogue: Promise<Catalogue> | undefined;

function openCatalogue(): Promise<Catalogue> {
  catalogue ??= loadContract().then((contract) => ({ contract, defects: defectsOf(contract) }));
  return catalogue;
}

function variationNamed(name: string): Variation {
  const found = VARIATIONS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no healthy variation is named ${name}`);
  return found;
}

/** Starts the service with its faults, and a proxy in front for other defects and variations. */
async function startTarget(job: ProveJob, { contract, defects }: Catalogue) {
  const chosen = job.defects.flatMap((name) => defects.get(name) ?? []);
  const faults = chosen.flatMap(({ fault }) => fault ?? []);
  const service = await startService({ faults: faults satisfies FaultName[] });
  const hits: Record<string, number> = {};
  const makes = chosen.flatMap(({ name, make }) => {
    if (make === undefined) return [];
    hits[name] = 0;
    return [counting(make, () => (hits[name] = (hits[name] ?? 0) + 1))];
  });
  const router = createRouter(contract);
  const { make, before, actor, ...options } = mergeVariations(job.healthy.map(variationNamed));
  const { baseUrl, tokens } = service;
  if (makes.length === 0 && job.healthy.length === 0) return { baseUrl, tokens, hits, close: () => service.close() };
  const proxy = await startProxy({ ...options, upstream: baseUrl, tokens, router, make: together(...makes, make) });
  const closeBoth = async (): Promise<void> => {
    await proxy.close();
    await service.close();
  };
  try {
    await before?.(proxy.context);
  } catch (error) {
    await closeBoth();
    throw error;
  }
  const stop = actor?.(proxy.context);
  const close = async (): Promise<void> => {
    await stop?.();
    await closeBoth();
  };
  return { baseUrl: proxy.baseUrl, tokens, hits, close };
}

function shortened(finding: Finding, test: string): ProveFinding {
  const { check, operation, severity, grade, message, afterExchanges = 0 } = finding;
  return { check, operation, severity, grade, message, test, afterExchanges };
}

/** True for a test with a finding at which the job ends. */
function isEnd(record: RunRecord, { endsAt }: ProveJob): boolean {
  return endsAt !== undefined && record.type === 'test' && record.findings.some((each) => counts(each, endsAt));
}

function answerOf(records: readonly RunRecord[], hits: ProveAnswer['hits'], durationMs: number): ProveAnswer {
  const tests = records.filter((record) => record.type === 'test');
  const errors = records.filter((record) => record.type === 'error').map((record) => record.message);
  const failed = tests
    .filter((test) => test.verdict === 'error')
    .map((test) => `${test.name}: ${test.reason ?? 'error'}`);
  const findings = tests.flatMap((test) => test.findings.map((each) => shortened(each, test.name)));
  const left = records.flatMap((record) => (record.type === 'effects' ? record.left : []));
  const exchanges = tests.flatMap(({ statuses }) => statuses).reduce((sum, { count }) => sum + count, 0);
  const skipped = tests.filter(({ verdict }) => verdict === 'skipped').length;
  return {
    tests: tests.length - skipped,
    skipped,
    findings,
    errors: [...errors, ...failed],
    left: left.map(({ kind, reason }) => `${kind}: ${reason}`),
    exchanges,
    durationMs,
    hits,
  };
}

/** Time limit of one run: against a slow service it ends with the findings so far. */
const BUDGET_MS = 300_000;

/** Runs the suites against a new service in memory. */
async function prove(job: ProveJob): Promise<ProveAnswer> {
  const began = performance.now();
  const records: RunRecord[] = [];
  const ended = new AbortController();
  const known = await openCatalogue();
  const target = await startTarget(job, known);
  const journalDir = mkdtempSync(join(tmpdir(), 'assay-prove-'));
  try {
    await runSuites(
      {
        baseUrl: target.baseUrl,
        tokens: target.tokens,
        embedded: true,
        allow: EFFECTS,
        only: job.only,
        skip: [],
        seed: job.seed,
        runs: job.runs,
        settleMs: 1000,
        maxTimeMs: BUDGET_MS,
        strict: job.strict,
        journalDir,
        runId: randomBytes(4).toString('hex'),
      },
      (record) => {
        records.push(record);
        if (isEnd(record, job)) ended.abort();
      },
      { signal: ended.signal, contract: known.contract },
    );
  } finally {
    await target.close();
    rmSync(journalDir, { recursive: true, force: true });
  }
  return answerOf(records, target.hits, performance.now() - began);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (job: ProveJob) => {
  prove(job).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.(noAnswer(error instanceof Error ? error.message : String(error))),
  );
});
