import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CHECKS } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import {
  dropRunner,
  followRun,
  patternsWithoutTests,
  prepareRunner,
  readSnapshot,
  runSuites,
  SUITES,
  testsEndAfter,
} from '../../suites/index.ts';
import type { Connection } from '../../client/index.ts';
import type { RemainingTime, SuiteRunOptions } from '../../suites/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { defined } from '../../spec/defined.ts';
import type { Embedded } from '../embedded.ts';
import type { Invocation } from '../invocation.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { flagOf } from '../options/spec.ts';
import type { Settings } from '../options/table.ts';
import { checkWritable, orProblem, refuse } from '../problems.ts';
import { bailAfter } from './bail.ts';
import type { Bail } from './bail.ts';
import { connectionFrom, contractFor, warnOfPlainText } from '../target/connection.ts';
import { count } from '../../reports/index.ts';
import { unlessInterrupted } from '../interrupt.ts';
import { earlierFailures, failedBefore } from './failed-before.ts';
import type { EarlierFailures } from './failed-before.ts';
import { planTests } from './estimate.ts';
import { recordRun, REMOVING } from '../run/record-run.ts';
import type { Produced, RunRecorder } from '../run/record-run.ts';
import { tellAgent } from '../fleet/share-job.ts';
import { isShare } from '../fleet/parent.ts';
import { ignoredFleetFlags } from '../fleet/problems.ts';
import { sinksOf } from '../run/sinks.ts';
import type { Sinks } from '../run/sinks.ts';
import { suiteOptions } from './suite-options.ts';
import { openRunTarget, startRecord } from '../target/target.ts';
import { missingSecrets } from '../target/tokens.ts';

type VerifyInvocation = Invocation<OptionOf<'verify'>>;
type VerifySettings = Settings<OptionOf<'verify'>>;

function findProblems(invocation: VerifyInvocation): void {
  const { settings, problems } = invocation;
  problems.push(...ignoredFleetFlags(invocation));
  const { path, seed, snapshot, updateSnapshot, bail, updateBaseline } = settings;
  if (bail !== undefined && updateBaseline)
    problems.push({
      subject: '--update-baseline and --bail',
      message: 'cannot be combined',
      hint: 'omit --bail: a baseline holds all findings of a run',
    });
  if (path !== undefined && seed === undefined)
    problems.push({ subject: '--path', message: 'requires --seed', hint: 'copy both from the replay command' });
  if (snapshot !== undefined && updateSnapshot !== undefined)
    problems.push({
      subject: '--snapshot and --update-snapshot',
      message: 'cannot be combined',
      hint: 'record with --update-snapshot, then compare with --snapshot',
    });
}

function selectionHint(patterns: readonly string[], contract: Contract): string {
  const known = [...contract.operations.map(({ id }) => id), ...Object.keys(CHECKS), ...SUITES];
  const near = patterns.map((pattern) => didYouMean(pattern, known)).filter((hint) => hint !== '');
  const names = `use a suite (${SUITES.join(', ')}), a check, or an operation as listed by assay spec list`;
  return near.length === 0 ? names : near.join('; ');
}

/** Each configured permission must be declared by an operation, so that a misspelled one is not ignored. */
function refuseUnknownPermissions({ permissions = {} }: SuiteRunOptions['tokens'], { operations }: Contract): void {
  const known = [...new Set(operations.map(({ permission }) => permission))];
  const unknown = Object.keys(permissions).find((permission) => !known.includes(permission));
  if (unknown === undefined) return;
  const message = `names the permission ${unknown}, which no operation declares`;
  const hint = didYouMean(unknown, known) || 'see the permissions in assay spec list';
  refuse([{ subject: 'tokens in the configuration', message, hint }]);
}

/** Each pattern must select a test, so that a misspelled one does not pass. `noticesEmpty`: see {@link patternsWithoutTests}. */
export async function refuseUnknownPatterns(
  options: SuiteRunOptions,
  contract: Contract,
  noticesEmpty = false,
): Promise<void> {
  const unknown = await patternsWithoutTests(options, contract, noticesEmpty);
  // A misspelled one would send what the user wants to leave out.
  const skipped = await patternsWithoutTests({ ...options, only: options.skip, skip: [] }, contract);
  const flags = [
    ...unknown.map((pattern) => `--only '${pattern}'`),
    ...skipped.map((pattern) => `--skip '${pattern}'`),
  ];
  if (flags.length === 0) return;
  const hint = selectionHint([...unknown, ...skipped], contract);
  refuse([{ subject: 'no test matches', message: flags.join(' or '), hint }]);
}

/** A selection without tests is an error, for example if --skip excludes everything. */
export function refuseEmptySelection({ only, skip, shard }: VerifySettings, contract: Contract, tests: number): void {
  if (tests > 0 || shard !== undefined || (only.length === 0 && skip.length === 0)) return;
  const quoted = (flag: string, patterns: readonly string[]): string[] =>
    patterns.map((pattern) => `${flag} '${pattern}'`);
  const message = [...quoted('--only', only), ...quoted('--skip', skip)].join(' ');
  refuse([{ subject: 'no test matches', message, hint: selectionHint(only, contract) }]);
}

/** Loaded when needed: what it knows of the API takes time, and the embedded service has nothing to be removed first. */
const loadClean = () => import('../target/clean.ts');

/** What a replay adds. `unproven`: the fingerprint of a finding that did not happen again alone, so that its absence proves nothing. */
type MoreOptions = Pick<SuiteRunOptions, 'pauseMs'> & { readonly unproven?: string };

interface VerifyRun {
  readonly invocation: VerifyInvocation;
  readonly sinks: Sinks;
  readonly loaded: Contract;
  readonly connection: Connection;
  readonly recorder: RunRecorder;
  readonly service: Promise<Embedded> | undefined;
  readonly earlier: EarlierFailures;
  readonly more: MoreOptions;
}

/** Finds the service, removes what earlier runs left, and estimates the run; `given`: its options. */
async function prepareRun(given: SuiteRunOptions, loaded: Contract, recorder: RunRecorder) {
  const isOwn = given.embedded && given.specSource === undefined;
  const { options, contract } = isOwn
    ? { options: given, contract: loaded }
    : await (await import('../target/find-service.ts')).findService(given, loaded, recorder);
  if (!given.embedded) await (await loadClean()).cleanEarlierRuns(options, contract, recorder);
  return { options, contract, ...(await planTests(options, contract)) };
}

async function run({
  invocation,
  sinks,
  loaded,
  connection,
  recorder,
  service,
  earlier,
  more,
}: VerifyRun): Promise<Produced> {
  const { settings, signal } = invocation;
  const target = await openRunTarget(settings, connection, loaded, service);
  // The embedded service takes everything with it, so the journal is removed however this process ends.
  const journalDir = target.embedded ? mkdtempSync(join(tmpdir(), 'assay-')) : undefined;
  const removeJournal = (): void => {
    if (journalDir !== undefined) rmSync(journalDir, { recursive: true, force: true });
  };
  process.once('exit', removeJournal);
  try {
    const given = {
      ...suiteOptions(settings, target),
      ...more,
      ...defined({ journalDir }),
      failedBefore: failedBefore(earlier, target),
    };
    const { minReach, baseline } = settings;
    recorder.emit(await startRecord('verify', target, loaded, { ...given, ...defined({ minReach, baseline }) }));
    refuseUnknownPermissions(given.tokens, loaded);
    // A selection without tests is noticed later, without loading the tests twice, where no earlier report can be lost.
    const noticesEmpty = settings.shard === undefined && !existsSync(settings.out);
    if (!isShare()) await refuseUnknownPatterns(given, loaded, noticesEmpty);
    warnOfPlainText(target, recorder.warn);
    for (const { message, hint } of missingSecrets(given.tokens, loaded)) recorder.warn(`${message}: ${hint}`);
    const { options, contract, line, remaining } = await unlessInterrupted(signal, async () =>
      prepareRun(given, loaded, recorder),
    );
    if (settings.only.length === 0) {
      recorder.note(line);
      const { length } = options.failedBefore ?? [];
      if (length > 0) recorder.note(`First: ${count(length, 'test')} that failed in the last run of this target`);
    }
    try {
      const bail = bailAfter(settings.bail, recorder.records, sinks);
      const produced = await runRecorded({ options, contract, remaining, recorder, sinks, signal, bail });
      const tests = recorder.records.filter(({ type }) => type === 'test').length;
      if (!signal.aborted) refuseEmptySelection(settings, contract, tests);
      return produced;
    } finally {
      const { cleanThisRun, recordDiscarded } = await loadClean();
      if (options.embedded && signal.aborted) recordDiscarded(options, recorder);
      else {
        recorder.live(REMOVING);
        await cleanThisRun(options, contract, recorder);
      }
    }
  } finally {
    await target.stop();
    removeJournal();
    process.off('exit', removeJournal);
  }
}

/** The estimate is shown once it is based on this share of the run. */
const EARLY = 0.15;

/** From this share of failed tests on, a run takes longer than estimated: their cases are repeated and shrunk. */
const MANY_FAILED = 0.05;

const LIVE_EVERY_MS = 500;

interface SuiteRun extends Pick<VerifyRun, 'recorder' | 'sinks'> {
  readonly options: SuiteRunOptions;
  readonly contract: Contract;
  readonly remaining: RemainingTime;
  readonly signal: AbortSignal;
  readonly bail: Bail;
}

/** Runs the suites; with --report allure, also with the reporter of allure-vitest. */
async function runRecorded(run: SuiteRun): Promise<Produced> {
  const { options, contract, remaining, recorder, sinks, signal, bail } = run;
  const live = sinks.formats.includes('allure')
    ? (await import('../../reports/formats/allure/live.ts')).allureWhileRunning(recorder.records, sinks)
    : undefined;
  const began = performance.now();
  const budgetEndsAt = (options.beganAt ?? 0) + (testsEndAfter(options) ?? Number.POSITIVE_INFINITY);
  const progress = followRun(remaining, () => Math.max(0, budgetEndsAt - Date.now()));
  let share: number | undefined;
  const tests = { all: 0, failed: 0 };
  const timer = setInterval(() => {
    const now = performance.now();
    const left = progress.leftMs(now);
    const all = now - began + left;
    if (share === undefined && progress.measuredMs(now) < EARLY * all) return;
    // A higher estimate of the time left does not take progress back.
    share = Math.max(share ?? 0, (now - began) / all);
    const state = { share, leftSeconds: left / 1000, isLeast: tests.failed > tests.all * MANY_FAILED };
    recorder.live(state);
    tellAgent(state);
  }, LIVE_EVERY_MS);
  try {
    await runSuites(
      options,
      (record) => {
        if (record.type !== 'error' || !signal.aborted) recorder.emit(record);
        bail.look(record);
        if (record.type !== 'test') return;
        tests.all += 1;
        if (record.verdict === 'failed') tests.failed += 1;
      },
      {
        signal: bail.signal,
        interrupt: signal,
        contract,
        reporter: progress.reporter,
        ...(live === undefined ? {} : { additions: () => live.vitest() }),
      },
    );
  } finally {
    clearInterval(timer);
  }
  if (live === undefined || signal.aborted) return bail.ending();
  live.finish();
  return { hasAllureResults: true, ...bail.ending() };
}

/** Validates all settings, then runs the suites; `service` is the embedded service if it is already starting. */
export async function verifyAgainst(
  invocation: VerifyInvocation,
  service: Promise<Embedded> | undefined,
  more: MoreOptions = {},
): Promise<number> {
  const { settings, problems, directory, signal } = invocation;
  findProblems(invocation);
  const sinks = await sinksOf(settings, directory, problems);
  for (const flag of ['snapshot', 'updateSnapshot'] as const) {
    const file = settings[flag] === undefined ? undefined : resolve(directory, settings[flag]);
    if (file === undefined) continue;
    if (flag === 'updateSnapshot') checkWritable(flagOf(flag), file, problems);
    if (flag === 'updateSnapshot' && !existsSync(file)) continue;
    await orProblem(flagOf(flag), problems, () => readSnapshot(file));
  }
  const connection = await connectionFrom(settings, directory, problems);
  refuse(problems);
  // The runner of Allure has a configuration of its own.
  if (!sinks.formats.includes('allure')) prepareRunner();
  try {
    const loaded = await unlessInterrupted(signal, async () => contractFor(settings, connection));
    const earlier = earlierFailures(sinks.out);
    return await recordRun(sinks, signal, async (recorder) =>
      run({ invocation, sinks, loaded, connection, recorder, service, earlier, more }),
    );
  } finally {
    dropRunner();
  }
}
