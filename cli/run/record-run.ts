import { resolve } from 'node:path';
import {
  runChangeLines,
  changesBetween,
  count,
  exitCodeOf,
  openLog,
  openStore,
  previousRun,
  replayIn,
  storedRun,
  updateBaseline,
  viewOf,
  writeBaseline,
  writeReports,
} from '../../reports/index.ts';
import type { LiveState, ReportView, Summary } from '../../reports/index.ts';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { ErrorRecord, RunEnd, RunRecord } from '../../spec/index.ts';
import { COMMAND, pasteable } from '../command-name.ts';
import { isDebugging } from '../debugging.ts';
import { isShare } from '../fleet/parent.ts';
import { defined } from '../../spec/defined.ts';
import { fileProblem, INTERNAL_HINT, reportError } from '../problems.ts';
import { redact, redactAll } from '../secrets.ts';
import { formatsOf } from './sinks.ts';
import { asTyped, openConsole, openReport, openUi } from './show.ts';
import type { Sinks } from './sinks.ts';

export interface RunRecorder {
  /** The records so far, redacted. */
  readonly records: readonly RunRecord[];
  emit(record: RunRecord): void;
  /** Shows a record without keeping it: it may not be final. */
  show(record: RunRecord): void;
  /** Keeps a record without showing it. */
  keep(record: RunRecord): void;
  live(state: LiveState): void;
  readonly note: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** Shown while a run removes what it created, which can take longer than its time. */
export const REMOVING: LiveState = { doing: 'removing what was created', load: undefined, leftSeconds: undefined };

/** What the producer of a run tells about its end. */
export type Produced = Pick<ReportView, 'hasAllureResults'> & Pick<RunEnd, 'bailed'>;

const INTERRUPTED =
  'Interrupted: removing created resources, then writing reports. Press Ctrl-C again to quit at once.';
const INTERRUPTED_EARLY = 'Interrupted before the first result. Press Ctrl-C again to quit at once.';

const RESULTS: readonly RunRecord['type'][] = ['test', 'tick', 'scenario', 'capacity'];

/** From these records on, a run may change the target, so that its log has to survive it: suites record their plan first. */
const BEGINNINGS: readonly RunRecord['type'][] = ['operation', ...RESULTS];

function asRecord(error: unknown): ErrorRecord {
  const message = redact(error instanceof Error ? error.message : String(error));
  const ofFile = fileProblem(error);
  if (ofFile !== undefined) return { type: 'error', ...ofFile, exitCode: EXIT.usage };
  if (!(error instanceof AssayError)) return { type: 'error', message, exitCode: EXIT.internal, hint: INTERNAL_HINT };
  const { exitCode, hint } = error;
  return { type: 'error', message, exitCode, ...(hint === '' ? {} : { hint: redact(pasteable(hint)) }) };
}

/** The exit code of a share of a fleet, whose controller writes the reports. */
function exitCodeOfShare(failure: unknown, { aborted }: AbortSignal): number {
  if (aborted) return EXIT.interrupted;
  if (failure === undefined) return EXIT.passed;
  return failure instanceof AssayError ? failure.exitCode : EXIT.internal;
}

interface Written {
  readonly summary: Summary;
  readonly files: readonly string[];
}

const isUsageError = (error: unknown): boolean => error instanceof AssayError && error.exitCode === EXIT.usage;

function unwritten(records: readonly RunRecord[]): Written {
  return { summary: viewOf(records).summary, files: [] };
}

async function writeAll(
  records: readonly RunRecord[],
  sinks: Sinks,
  produced: Pick<ReportView, 'hasAllureResults'>,
  { note, warn }: Pick<RunRecorder, 'note' | 'warn'>,
): Promise<Written> {
  const { strict, updateBaseline: file, out } = sinks;
  let { baseline } = sinks;
  let recorded: number | undefined;
  const all = [...records];
  if (file !== undefined && records.some(({ type }) => type === 'test')) {
    const { summary } = viewOf(records, { baseline, strict });
    const updated = updateBaseline(baseline, summary);
    const isWhole = summary.verdict === 'passed' || summary.verdict === 'failed';
    const failure = isWhole ? failureOf(() => writeBaseline(file, updated), true) : undefined;
    if (!isWhole) warn(`the baseline stays as it was: the verdict of the run is "${summary.verdict}"`);
    else if (failure === undefined) {
      baseline = updated;
      // An entry that has expired stays as it was.
      recorded = summary.findings.filter(({ standing }) => standing === 'new').length;
      const { outOfTime = 0 } = summary.totals;
      if (outOfTime > 0)
        warn(
          `${count(outOfTime, 'test')} had no time to run: what they would find is not in the baseline, and fails a run that has more time. Record it with --depth thorough or a longer --budget.`,
        );
    } else all.push(asRecord(failure));
  }
  const replayOf = replayIn(asTyped([out])[0] ?? out, COMMAND);
  const options = { baseline, strict, recorded };
  const view: ReportView = { ...viewOf(all, options), ...produced, replayOf };
  try {
    const written = await writeReports(view, formatsOf(sinks), out, note);
    return {
      summary: view.summary,
      files: recorded === undefined || file === undefined ? written : [...written, file],
    };
  } catch (error) {
    return { summary: viewOf([...all, asRecord(error)], options).summary, files: [] };
  }
}

/** A log that begins with the plan or the first result: a run that ends before leaves an earlier report as it is. Of a share: at once. */
function openLateLog(dir: string): {
  readonly hasBegun: boolean;
  write(record: RunRecord): void;
  /** Where nothing is written yet, `isRefused` leaves it so; true then. */
  close(isRefused: boolean): boolean;
} {
  const log = openLog(dir);
  const waiting: RunRecord[] = [];
  let hasBegun = isShare();
  const begin = (): void => {
    hasBegun = true;
    for (const record of waiting.splice(0)) log.write(record);
  };
  return {
    get hasBegun() {
      return hasBegun;
    },
    write(record) {
      waiting.push(record);
      if (hasBegun || BEGINNINGS.includes(record.type)) begin();
    },
    close(isRefused) {
      if (!isRefused) begin();
      log.close();
      return !hasBegun;
    },
  };
}

/**
 * Runs something that reports records: each goes to the log, from the plan or the first result on at once, and to the console;
 * at the end, also after an interrupt or an error, the summary and the reports are written. A run that fails before its first
 * result prints only the error; if that is one of usage, or if it was interrupted, the report of an earlier run stays. The number is the exit code.
 */
export async function recordRun(
  sinks: Sinks,
  signal: AbortSignal,
  produce: (recorder: RunRecorder) => Promise<Produced>,
): Promise<number> {
  const log = openLateLog(sinks.out);
  const page = sinks.serves ? await openUi(sinks) : undefined;
  const screen = openConsole(sinks);
  const records: RunRecord[] = [];
  const began = performance.now();
  /** Why a file of a run that has begun could not be written: the run goes on, and its verdict is printed. */
  let unwritable: unknown;
  const keep = (record: RunRecord): RunRecord => {
    const redacted = withPasteableReplays(redactAll(record));
    unwritable ??= failureOf(() => log.write(redacted), records.length > 0);
    records.push(redacted);
    return redacted;
  };
  const onPage = (record: RunRecord): void => page?.record(record);
  const show = (record: RunRecord): void => {
    screen.record(record);
    onPage(record);
  };
  let isLoading = false;
  const live = (state: LiveState): void => {
    isLoading ||= state.load !== undefined;
    screen.live(state);
    page?.live(state);
  };
  const recorder: RunRecorder = {
    records,
    emit: (record) => show(keep(record)),
    show: (record) => show(redactAll(record)),
    keep: (record) => void keep(record),
    note: (text) => screen.note(pasteable(text)),
    warn: (text) => screen.warn(pasteable(text)),
    live,
  };
  const onAbort = (): void => recorder.note(log.hasBegun || isLoading ? INTERRUPTED : INTERRUPTED_EARLY);
  signal.addEventListener('abort', onAbort, { once: true });
  const { produced = {}, failure } = await attempt(() => produce(recorder), signal);
  const isEarly = failure !== undefined && !records.some(({ type }) => RESULTS.includes(type));
  if (failure !== undefined) (isEarly ? onPage : show)(keep(asRecord(failure)));
  const { bailed, ...written } = produced;
  const durationMs = Math.round(performance.now() - began);
  onPage(keep({ type: 'run-end', durationMs, interrupted: signal.aborted, ...defined({ bailed }) }));
  const isRefused = log.close((isEarly && isUsageError(failure)) || signal.aborted);
  if (isShare() && !isEarly) return exitCodeOfShare(failure ?? unwritable, signal);
  if (unwritable !== undefined) records.push(asRecord(unwritable));
  const { summary, files } = isRefused ? unwritten(records) : await writeAll(records, sinks, written, recorder);
  page?.end(summary, asTyped(files));
  await page?.close();
  if (!isEarly || (sinks.shows === 'json' && !isRefused)) screen.end(summary, asTyped(files));
  else screen.stop();
  if (isEarly) return reportError(failure);
  await useReports(sinks, summary, files, recorder.warn);
  if (isDebugging() && failure !== undefined) reportError(failure);
  return signal.aborted ? EXIT.interrupted : exitCodeOf(summary);
}

/** Compares the run with the last one, and opens its report, where the command asks for it. */
async function useReports(
  { store, shows, opens }: Sinks,
  summary: Summary,
  files: readonly string[],
  warn: RunRecorder['warn'],
): Promise<void> {
  if (store !== undefined)
    await compareWithLast(summary, store, shows === 'json' ? process.stderr : process.stdout).catch(
      (error: unknown) => {
        // The verdict of the run stands, also while another run holds the store.
        warn(
          `${asRecord(error).message}: the run is not compared with the last one, and not added; assay history DIR adds it`,
        );
      },
    );
  if (opens) await openReport(files);
}

/** The error of a write; thrown where the run has not begun. */
function failureOf(write: () => void, hasBegun: boolean): unknown {
  try {
    write();
    return undefined;
  } catch (error) {
    if (!hasBegun) throw error;
    return error;
  }
}

/** The record with commands that start Assay as this run was started. */
function withPasteableReplays(record: RunRecord): RunRecord {
  if (record.type !== 'test' || record.findings.length === 0) return record;
  const findings = record.findings.map((each) =>
    each.replay === undefined ? each : { ...each, replay: pasteable(each.replay) },
  );
  return { ...record, findings };
}

/** Adds a run to the store, and prints what changed since the last complete one of the same target and description. */
async function compareWithLast(summary: Summary, file: string, stream: NodeJS.WritableStream): Promise<void> {
  const store = await openStore(resolve(file));
  const run = storedRun(summary);
  const before = previousRun(store.all(), run);
  store.add(run);
  store.close();
  const first = [`No earlier complete run of this target in ${file}; this one was added.`];
  const lines = before === undefined ? first : runChangeLines(changesBetween(before, run), before);
  stream.write(`${lines.join('\n')}\n`);
}

/** What `produce` returned or threw; errors after an interrupt are ignored. */
async function attempt(
  produce: () => Promise<Produced>,
  signal: AbortSignal,
): Promise<{ readonly produced?: Produced; readonly failure?: unknown }> {
  try {
    return { produced: await produce() };
  } catch (failure) {
    return signal.aborted ? {} : { failure };
  }
}
