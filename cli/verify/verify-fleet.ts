import { defined } from '../../spec/defined.ts';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrialResult } from '../../fleet/index.ts';
import type { Contract, RunRecord, TestRecord } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { connectionFrom, contractFor, warnOfPlainText } from '../target/connection.ts';
import { historyOf, openFleet } from '../fleet/open-fleet.ts';
import { fleetProblems } from '../fleet/problems.ts';
import { recordRun } from '../run/record-run.ts';
import type { Produced, RunRecorder } from '../run/record-run.ts';
import { sharedSettings } from '../fleet/share-job.ts';
import type { ShareJob } from '../fleet/share-job.ts';
import { ShareResults } from '../fleet/share-results.ts';
import { sinksOf } from '../run/sinks.ts';
import { suiteOptions } from './suite-options.ts';
import { clientOptions, openRunTarget, startRecord } from '../target/target.ts';
import type { RunTarget } from '../target/target.ts';
import { refuseUnknownPatterns } from './verify-run.ts';

type VerifyInvocation = Invocation<OptionOf<'verify'>>;

const DAY_MS = 86_400_000;
const LIVE_MS = 500;
const ALONE = 'alone';

function findProblems({ settings, problems }: VerifyInvocation): void {
  const { shard, path, snapshot, updateSnapshot, bail } = settings;
  for (const [name, value] of Object.entries({ shard, path, snapshot, 'update-snapshot': updateSnapshot, bail }))
    if (value !== undefined)
      problems.push({ subject: `--${name}`, message: 'cannot be combined with --fleet', hint: 'omit one of them' });
}

interface Work {
  readonly invocation: VerifyInvocation;
  readonly target: RunTarget;
  readonly contract: Contract;
  readonly recorder: RunRecorder;
  readonly seed: number;
}

/** The shares that run side by side. */
function sharesBeside({ invocation: { settings }, target, seed }: Work, shares: number): readonly ShareJob[] {
  const { only, skip } = settings;
  return Array.from({ length: shares }, (_, index) => ({
    seed,
    only,
    skip,
    settings: sharedSettings(settings, shares, 0),
    allow: target.allow.filter((effect) => effect !== 'global'),
    shard: `${index + 1}/${shares}`,
  }));
}

/** True for the record of a test that a share skipped because it must run alone. */
function runsAlone(record: RunRecord, { target }: Work): record is TestRecord {
  return record.type === 'test' && record.lacks === 'global' && target.allow.includes('global');
}

function notBegun({ lacks: _lacks, ...record }: TestRecord): TestRecord {
  return { ...record, reason: 'the run ended before it' };
}

/** A share of the tests that must run alone, since they change global state; none if there are no such tests. */
function shareAlone(work: Work, { merged }: ShareResults, goneMs: number): readonly ShareJob[] {
  const { invocation, target, seed } = work;
  const skipped = merged.filter((record) => runsAlone(record, work));
  if (skipped.length === 0) return [];
  const only = skipped.map(({ name }) => name).toSorted();
  return [{ seed, only, skip: [], settings: sharedSettings(invocation.settings, 1, goneMs), allow: target.allow }];
}

/** Runs the shares and adds their names to `shards`. */
async function runShares(work: Work, results: ShareResults, shards: string[]): Promise<void> {
  const { invocation, target, contract, recorder, seed } = work;
  const { settings, signal } = invocation;
  const history = await historyOf(settings);
  const before = history.find((entry) => entry.kind === 'run');
  const run = before?.run ?? randomBytes(4).toString('hex');
  const onNote = (text: string): void => recorder.note(text);
  const given = { command: 'verify', settings, target, contract, run, seed, rate: 0, workers: undefined } as const;
  const fleet = await openFleet({ ...given, effects: target.allow, signal, onNote }, history);
  let most = 0;
  const live = (): void => {
    const { share = 0, ...left } = results.progressOf(shards);
    // The progress shown never decreases when further shares begin.
    most = Math.max(most, share);
    recorder.live({ share: most, ...left, fleet: fleet.live(0) });
  };
  const timer = setInterval(live, LIVE_MS);
  const trial = (shares: readonly ShareJob[]): Promise<TrialResult> => {
    shards.push(...shares.map(({ shard = ALONE }) => shard));
    return fleet.controller.trial({
      isQueue: true,
      lanes: shares.map((job) => ({ firstId: 0, planned: undefined, peakRate: 0, job })),
      requests: '',
      sliceMs: 1_000,
      durationMs: DAY_MS,
      drainMs: 0,
      onSlices: () => {},
      onLate: () => {},
      onResults: (told) => results.add(told),
      signal,
    });
  };
  try {
    const { t0, endedAt } = await trial(sharesBeside(work, fleet.agents));
    const alone = shareAlone(work, results, endedAt - t0);
    if (alone.length > 0 && !signal.aborted) await trial(alone);
  } finally {
    clearInterval(timer);
    await fleet.close();
  }
}

/** Removes the resources that lost agents created. */
async function removeLeft({ target, contract, recorder, invocation }: Work, results: ShareResults): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-'));
  try {
    if (!results.writeJournals(dir)) return;
    const { settings } = invocation;
    const options = clientOptions(settings, target);
    const { cleanJournals, effectsRecord } = await import('../target/clean.ts');
    const report = await cleanJournals({ target: options, contract, journalDir: dir, settleMs: settings.settle });
    recorder.emit(effectsRecord(report));
    recorder.note(`Removed ${report.cleaned} resources that a lost agent had created.`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Shows each test and operation of the shares once. */
function showOnce(work: Work): { show(record: RunRecord): void; has(record: RunRecord): boolean } {
  const shown = new Set<string>();
  const keyOf = (record: RunRecord): string | undefined => {
    if (record.type === 'test') return record.name;
    return record.type === 'operation' ? record.id : undefined;
  };
  return {
    has: (record) => shown.has(keyOf(record) ?? ''),
    show(record) {
      const key = keyOf(record);
      if (key === undefined || shown.has(key) || runsAlone(record, work)) return;
      shown.add(key);
      work.recorder.show(record);
    },
  };
}

async function verifyAll(work: Work): Promise<Produced> {
  const { invocation, target, contract, recorder, seed } = work;
  const shown = showOnce(work);
  const results = new ShareResults((record) => shown.show(record));
  const shards: string[] = [];
  try {
    const options = { ...suiteOptions(invocation.settings, target), seed };
    const { minReach, baseline } = invocation.settings;
    recorder.emit(await startRecord('verify', target, contract, { ...options, ...defined({ minReach, baseline }) }));
    await refuseUnknownPatterns(options, contract);
    warnOfPlainText(target, recorder.warn);
    await runShares(work, results, shards);
  } finally {
    for (const record of results.merged) {
      if (shown.has(record)) recorder.keep(record);
      else recorder.emit(runsAlone(record, work) ? notBegun(record) : record);
    }
    if (!invocation.signal.aborted) for (const record of results.missing(shards)) recorder.emit(record);
    await removeLeft(work, results);
    await target.stop();
  }
  return {};
}

/** Runs the suites in shares on the agents of a fleet, and reports as one run. */
export async function verifyOnFleet(invocation: VerifyInvocation): Promise<number> {
  const { settings, problems, directory, signal } = invocation;
  findProblems(invocation);
  problems.push(...fleetProblems(settings));
  const sinks = await sinksOf(settings, directory, problems);
  const connection = await connectionFrom(settings, directory, problems);
  refuse(problems);
  const contract = await contractFor(settings, connection);
  const seed = settings.seed ?? randomInt(1, 0x7fffffff);
  return recordRun(sinks, signal, async (recorder) => {
    const target = await openRunTarget(settings, connection, contract);
    return verifyAll({ invocation, target, contract, recorder, seed });
  });
}
