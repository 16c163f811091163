import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadContract } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import { runSuites } from '../../suites/index.ts';
import type { SuiteRunOptions } from '../../suites/index.ts';
import { cleanJournals, countLeft, effectsRecord } from '../frame/clean.ts';
import { recordRun } from '../frame/record-run.ts';
import type { Teller } from '../frame/record-run.ts';
import { startRecord } from '../frame/start-record.ts';
import { sinksOf } from '../frame/sinks.ts';
import { openRunTarget } from '../frame/target.ts';
import type { RunTarget } from '../frame/target.ts';
import { refuse } from '../problems.ts';
import type { VerifyOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import type { Settings } from '../options/table.ts';

type VerifySettings = Settings<VerifyOption>;

function learning(settings: VerifySettings): Pick<SuiteRunOptions, 'learn'> {
  if (settings.learn !== undefined) return { learn: { file: resolve(settings.learn), mode: 'record' } };
  return settings.learned === undefined ? {} : { learn: { file: resolve(settings.learned), mode: 'compare' } };
}

function suiteOptions(settings: VerifySettings, target: RunTarget, seed: number): SuiteRunOptions {
  const { spec, shard, path, maxTime, timeout, maxRate } = settings;
  return {
    baseUrl: target.baseUrl, tokens: target.tokens, embedded: target.embedded, allow: target.allow,
    only: settings.only, skip: settings.skip, seed, runs: settings.runs, settleMs: settings.settle, strict: settings.strict,
    insecure: settings.insecure, runId: randomBytes(4).toString('hex'),
    ...(spec === undefined ? {} : { specSource: spec }),
    ...(shard === undefined ? {} : { shard }),
    ...(path === undefined ? {} : { path }),
    ...(maxTime === undefined ? {} : { maxTimeMs: maxTime }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(maxRate === undefined ? {} : { maxRate }),
    ...learning(settings),
  };
}

function findProblems({ settings, operands, problems }: Invocation<VerifyOption>): void {
  if (operands.length > 0) problems.push({ thing: operands.join(' '), wrong: 'is no option', mend: 'suites, checks and operations are chosen with --only' });
  if (settings.path !== undefined && settings.seed === undefined) problems.push({ thing: '--path', wrong: 'needs the seed that it was found with', mend: 'give --seed too, as the finding shows it' });
  if (settings.learn !== undefined && settings.learned !== undefined) problems.push({ thing: '--learn and --learned', wrong: 'exclude each other', mend: 'learn first, then compare' });
}

/** Removes what the run left behind, and tells what became of all it made. */
async function tidy(options: SuiteRunOptions, contract: Contract, teller: Teller): Promise<void> {
  const { runId, settleMs, journalDir } = options;
  const report = await cleanJournals({ target: options, contract, runId, settleMs, ...(journalDir === undefined ? {} : { journalDir }) });
  teller.emit(effectsRecord(report));
}

/** What earlier runs left at a deployment goes first, where this run may send more than GET. */
async function tidyEarlier(options: SuiteRunOptions, contract: Contract, teller: Teller): Promise<void> {
  const left = countLeft(options.baseUrl);
  if (left === 0) return;
  if (!options.allow.includes('reversible')) {
    teller.note(`An earlier run left ${left} things there; assay clean --base-url ${options.baseUrl} removes them.`);
    return;
  }
  const report = await cleanJournals({ target: options, contract, settleMs: options.settleMs });
  teller.note(`Removed ${report.removed} things that an earlier run left there.`);
}

async function run(invocation: Invocation<VerifyOption>, contract: Contract, teller: Teller): Promise<void> {
  const { settings, signal } = invocation;
  const target = await openRunTarget(settings);
  const journalDir = target.embedded ? await mkdtemp(join(tmpdir(), 'assay-')) : undefined;
  try {
    const options = { ...suiteOptions(settings, target, settings.seed ?? randomInt(1, 0x7fffffff)), ...(journalDir === undefined ? {} : { journalDir }) };
    teller.emit(startRecord('verify', target, contract, options));
    if (!target.embedded) await tidyEarlier(options, contract, teller);
    try {
      await runSuites(options, teller.emit, signal);
    } finally {
      await tidy(options, contract, teller);
    }
  } finally {
    await target.stop();
    if (journalDir !== undefined) await rm(journalDir, { recursive: true, force: true });
  }
}

/** Runs the contract, property and state suites against a deployment or the embedded service. */
export async function verify(invocation: Invocation<VerifyOption>): Promise<number> {
  const { settings, problems, directory, signal } = invocation;
  findProblems(invocation);
  const sinks = sinksOf(settings, directory, problems);
  refuse(problems);
  const contract = await loadContract(settings.spec);
  return recordRun(sinks, signal, async (teller) => run(invocation, contract, teller));
}
