import { AssayError, EXIT } from '../../spec/index.ts';
import type { ErrorRecord, RunRecord } from '../../spec/index.ts';
import {
  createConsole,
  exitCodeOf,
  openLog,
  updateBaseline,
  viewOf,
  writeBaseline,
  writeReports,
} from '../../reports/index.ts';
import type { Baseline, FormatName, LiveState, RunConsole, Summary } from '../../reports/index.ts';
import { tellFailure } from '../failure.ts';
import { redact, redactAll } from '../secrets.ts';

/** Where the records of a run go. */
export interface Sinks {
  readonly out: string;
  readonly formats: readonly FormatName[];
  readonly baseline?: Baseline | undefined;
  /** The baseline's file, where this run writes it anew. */
  readonly updateBaseline?: string | undefined;
  readonly strict?: boolean | undefined;
}

/** What a run uses to tell what it sees. */
export interface Teller {
  emit(record: RunRecord): void;
  live(state: LiveState): void;
  note(text: string): void;
}

const SEEN: readonly RunRecord['type'][] = ['test', 'tick', 'scenario', 'capacity'];

const isDebugging = (): boolean => process.argv.includes('--debug');

function asRecord(error: unknown): ErrorRecord {
  const message = redact(error instanceof Error ? error.message : String(error));
  if (error instanceof AssayError)
    return {
      type: 'error',
      message,
      exitCode: error.exitCode,
      ...(error.hint === '' ? {} : { hint: redact(error.hint) }),
    };
  return {
    type: 'error',
    message,
    exitCode: EXIT.internal,
    hint: 'This is a defect of Assay, not of the target; --debug shows where.',
  };
}

function renewBaseline(records: readonly RunRecord[], sinks: Sinks, file: string): Baseline {
  const renewed = updateBaseline(
    sinks.baseline,
    viewOf(records, { baseline: sinks.baseline, strict: sinks.strict }).summary,
  );
  writeBaseline(file, renewed);
  return renewed;
}

async function writeAll(
  records: readonly RunRecord[],
  sinks: Sinks,
): Promise<{ readonly summary: Summary; readonly files: readonly string[] }> {
  const renews = sinks.updateBaseline !== undefined && records.some(({ type }) => type === 'test');
  const baseline = renews ? renewBaseline(records, sinks, sinks.updateBaseline) : sinks.baseline;
  const view = viewOf(records, { baseline, strict: sinks.strict });
  const written = await writeReports(view, [...new Set<FormatName>(['json', ...sinks.formats])], sinks.out);
  return { summary: view.summary, files: renews ? [...written, sinks.updateBaseline] : written };
}

/** The console as this process has it. */
export function openScreen(): RunConsole {
  return createConsole({
    stream: process.stdout,
    isTTY: process.stdout.isTTY,
    columns: () => process.stdout.columns ?? 120,
  });
}

/** What `produce` threw, unless the run was interrupted: then that is why. */
async function failureOf(produce: () => Promise<void>, signal: AbortSignal): Promise<unknown> {
  try {
    await produce();
    return undefined;
  } catch (error) {
    return signal.aborted ? undefined : error;
  }
}

/**
 * Runs something that tells records: each goes to the log at once and to the console, and at the end, also after an interrupt or an
 * error, the summary and the reports are written. A run that failed before it saw anything is told in one sentence. The number is the exit code.
 */
export async function recordRun(
  sinks: Sinks,
  signal: AbortSignal,
  produce: (teller: Teller) => Promise<void>,
): Promise<number> {
  const log = openLog(sinks.out);
  const screen = openScreen();
  const records: RunRecord[] = [];
  const began = performance.now();
  const keep = (told: RunRecord): RunRecord => {
    const record = redactAll(told);
    log.write(record);
    records.push(record);
    return record;
  };
  const emit = (record: RunRecord): void => screen.record(keep(record));
  const note = (text: string): void => screen.note(text);
  signal.addEventListener(
    'abort',
    () => note('Interrupted: removing what this run made, then the reports. Once more to stop at once.'),
    { once: true },
  );
  const failure = await failureOf(() => produce({ emit, note, live: (state) => screen.live(state) }), signal);
  const isEarly = failure !== undefined && !records.some(({ type }) => SEEN.includes(type));
  if (failure !== undefined) (isEarly ? keep : emit)(asRecord(failure));
  keep({ type: 'run-end', durationMs: Math.round(performance.now() - began), interrupted: signal.aborted });
  log.close();
  const { summary, files } = await writeAll(records, sinks);
  if (isEarly) {
    screen.stop();
    return tellFailure(failure, isDebugging());
  }
  screen.end(summary, files);
  if (isDebugging() && failure !== undefined) tellFailure(failure, true);
  return signal.aborted ? EXIT.interrupted : exitCodeOf(summary);
}
