import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Controller } from '../../fleet/index.ts';
import { mergeLogs, recordsOf } from '../../reports/index.ts';
import { EXIT } from '../../spec/index.ts';
import type { Contract, RunRecord } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { cleanJournals, effectsRecord } from './clean.ts';
import { connectionOf, contractFor, warnOfPlainText } from './connection.ts';
import { historyOf, openFleet } from './fleet-run.ts';
import { fleetProblems } from './fleet-problems.ts';
import { recordRun } from './record-run.ts';
import type { Produced, Recorder } from './record-run.ts';
import { sharedSettings } from './share-job.ts';
import type { ShareJob } from './share-job.ts';
import type { ShareResult } from './share-engine.ts';
import { sinksOf } from './sinks.ts';
import { suiteOptions } from './suite-options.ts';
import { clientOptions, openRunTarget, startRecord } from './target.ts';
import type { RunTarget } from './target.ts';

type VerifyInvocation = Invocation<OptionOf<'verify'>>;

const DAY_MS = 86_400_000;
/** Older than any journal of a process that runs. */
const LONG_AGO_S = 1;

/** Logs of the shares that ended, and journals of attempts that did not. */
class Collected {
  readonly #parts = new Map<string, string[]>();
  readonly #logs = new Map<string, readonly RunRecord[]>();
  readonly #journals = new Map<string, Map<string, string>>();

  add(results: readonly unknown[]): void {
    for (const result of results as readonly ShareResult[]) {
      if (result.type === 'clean') this.#journals.delete(result.attempt);
      else if (result.type === 'journal') this.#addJournal(result);
      else this.#addLog(result);
    }
  }

  /** One log for each share. */
  get logs(): readonly (readonly RunRecord[])[] {
    return [...this.#logs.values()];
  }

  /** Writes the journals of lost attempts to a folder; false where there are none. */
  writeJournals(dir: string): boolean {
    const folder = join(dir, 'journals');
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of [...this.#journals.values()].flatMap((files) => [...files])) {
      const path = join(folder, basename(file));
      writeFileSync(path, text, { mode: 0o600 });
      utimesSync(path, LONG_AGO_S, LONG_AGO_S);
    }
    return this.#journals.size > 0;
  }

  #addJournal({ attempt, file, text }: Extract<ShareResult, { type: 'journal' }>): void {
    const files = this.#journals.get(attempt) ?? new Map<string, string>();
    files.set(file, (files.get(file) ?? '') + text);
    this.#journals.set(attempt, files);
  }

  #addLog({ attempt, shard, part, of, data }: Extract<ShareResult, { type: 'log' }>): void {
    const parts = this.#parts.get(attempt) ?? [];
    parts[part] = data;
    this.#parts.set(attempt, parts);
    if (this.#logs.has(shard) || Object.keys(parts).length < of) return;
    const text = inflateSync(Buffer.from(parts.join(''), 'base64')).toString();
    const lines = text.split('\n').filter((line) => line !== '');
    this.#logs.set(
      shard,
      lines.map((line) => JSON.parse(line) as RunRecord),
    );
  }
}

function findProblems({ settings, problems }: VerifyInvocation): void {
  const { shard, path, snapshot, updateSnapshot, bail } = settings;
  for (const [name, value] of Object.entries({ shard, path, snapshot, 'update-snapshot': updateSnapshot, bail }))
    if (value !== undefined)
      problems.push({ subject: `--${name}`, message: 'cannot be combined with --fleet', hint: 'omit one of them' });
}

function trialOf(
  shares: readonly ShareJob[],
  collected: Collected,
  signal: AbortSignal,
): Parameters<Controller['trial']>[0] {
  return {
    isQueue: true,
    lanes: shares.map((job) => ({ firstId: 0, planned: undefined, peakRate: 0, job })),
    requests: '',
    sliceMs: 1_000,
    durationMs: DAY_MS,
    drainMs: 0,
    onSlices: () => {},
    onLate: () => {},
    onResults: (results) => collected.add(results),
    signal,
  };
}

interface Work {
  readonly invocation: VerifyInvocation;
  readonly target: RunTarget;
  readonly contract: Contract;
  readonly recorder: Recorder;
  readonly seed: number;
}

/** Shares of all tests that may run beside others. */
function sharesBeside({ invocation: { settings }, target, seed }: Work, shares: number): readonly ShareJob[] {
  const { only, skip } = settings;
  return Array.from({ length: shares }, (_, index) => ({
    seed,
    only,
    skip,
    settings: sharedSettings(settings, shares),
    allow: target.allow.filter((effect) => effect !== 'global'),
    shard: `${index + 1}/${shares}`,
  }));
}

/** A share of the tests that others have skipped because they change what others see; none where there are no such tests. */
function shareAlone({ invocation: { settings }, target, seed }: Work, { logs }: Collected): readonly ShareJob[] {
  const skipped = recordsOf(logs.flat(), 'test').filter(({ lacks }) => lacks === 'global');
  if (skipped.length === 0 || !target.allow.includes('global')) return [];
  const only = skipped.map(({ name }) => name).toSorted();
  return [{ seed, only, skip: [], settings: sharedSettings(settings, 1), allow: target.allow }];
}

async function runShares(work: Work, collected: Collected): Promise<void> {
  const { invocation, target, contract, recorder, seed } = work;
  const { settings, signal } = invocation;
  const history = await historyOf(settings);
  const before = history.find((entry) => entry.kind === 'run');
  const run = before?.run ?? randomBytes(4).toString('hex');
  const onNote = (text: string): void => recorder.note(text);
  const given = { command: 'verify', settings, target, contract, run, seed, rate: 0, workers: undefined } as const;
  const fleet = await openFleet({ ...given, effects: target.allow, signal, onNote }, history);
  try {
    await fleet.controller.trial(trialOf(sharesBeside(work, fleet.agents), collected, signal));
    const alone = shareAlone(work, collected);
    if (alone.length > 0 && !signal.aborted) await fleet.controller.trial(trialOf(alone, collected, signal));
  } finally {
    await fleet.close();
  }
}

/** Removes what attempts have created that were lost on the way. */
async function removeLeft({ target, contract, recorder, invocation }: Work, collected: Collected): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-'));
  try {
    if (!collected.writeJournals(dir)) return;
    const { settings } = invocation;
    const options = clientOptions(settings, target);
    const report = await cleanJournals({ target: options, contract, journalDir: dir, settleMs: settings.settle });
    recorder.emit(effectsRecord(report));
    recorder.note(`Removed ${report.cleaned} resources that a lost agent had created.`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function verifyAll(work: Work): Promise<Produced> {
  const { invocation, target, contract, recorder, seed } = work;
  const collected = new Collected();
  try {
    recorder.emit(
      await startRecord('verify', target, contract, { ...suiteOptions(invocation.settings, target), seed }),
    );
    warnOfPlainText(target, recorder);
    await runShares(work, collected);
  } finally {
    const { logs } = collected;
    const merged = logs.length === 0 ? [] : mergeLogs(logs);
    for (const record of merged) if (record.type !== 'run-start' && record.type !== 'run-end') recorder.emit(record);
    if (logs.length === 0 && !invocation.signal.aborted)
      recorder.emit({ type: 'error', message: 'no share of the run ended', exitCode: EXIT.inconclusive });
    await removeLeft(work, collected);
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
  const connection = await connectionOf(settings, directory, problems);
  refuse(problems);
  const contract = await contractFor(settings, connection);
  const seed = settings.seed ?? randomInt(1, 0x7fffffff);
  return recordRun(sinks, signal, async (recorder) => {
    const target = await openRunTarget(settings, connection);
    return verifyAll({ invocation, target, contract, recorder, seed });
  });
}
