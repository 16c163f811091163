import { AssayError, EXIT } from '../../spec/index.ts';
import type { ErrorRecord, RunRecord } from '../../spec/index.ts';
import { createConsole, exitCodeOf, openLog, updateBaseline, viewOf, writeBaseline, writeReports } from '../../reports/index.ts';
import type { Baseline, FormatName, LiveState, RunConsole, Summary } from '../../reports/index.ts';
import { redact } from '../secrets.ts';

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

function asRecord(error: unknown): ErrorRecord {
  const message = redact(error instanceof Error ? error.message : String(error));
  if (error instanceof AssayError) return { type: 'error', message, exitCode: error.exitCode, ...(error.hint === '' ? {} : { hint: redact(error.hint) }) };
  return { type: 'error', message, exitCode: EXIT.internal, hint: 'This is a defect of Assay, not of the target; --debug shows where.' };
}

function terminal(): RunConsole {
  return createConsole({ stream: process.stdout, isTTY: process.stdout.isTTY, columns: () => process.stdout.columns ?? 120 });
}

function renewBaseline(records: readonly RunRecord[], sinks: Sinks, file: string): Baseline {
  const renewed = updateBaseline(sinks.baseline, viewOf(records, { baseline: sinks.baseline, strict: sinks.strict }).summary);
  writeBaseline(file, renewed);
  return renewed;
}

async function finish(records: readonly RunRecord[], sinks: Sinks, screen: RunConsole): Promise<Summary> {
  const file = sinks.updateBaseline;
  const baseline = file === undefined ? sinks.baseline : renewBaseline(records, sinks, file);
  const view = viewOf(records, { baseline, strict: sinks.strict });
  const written = await writeReports(view, [...new Set<FormatName>(['json', ...sinks.formats])], sinks.out);
  screen.end(view.summary, file === undefined ? written : [...written, file]);
  return view.summary;
}

/**
 * Runs something that tells records: each goes to the log at once and to the console, and at the end, also after an interrupt or an
 * error, the summary and the reports are written. The number is the exit code.
 */
export async function recordRun(sinks: Sinks, signal: AbortSignal, produce: (teller: Teller) => Promise<void>): Promise<number> {
  const log = openLog(sinks.out);
  const screen = terminal();
  const records: RunRecord[] = [];
  const began = performance.now();
  const emit = (record: RunRecord): void => {
    log.write(record);
    records.push(record);
    screen.record(record);
  };
  signal.addEventListener('abort', () => screen.note('Interrupted: removing what this run made, then the reports. Once more to stop at once.'), { once: true });
  try {
    await produce({ emit, live: (state) => screen.live(state), note: (text) => screen.note(text) });
  } catch (error) {
    if (!signal.aborted) emit(asRecord(error));
    if (process.argv.includes('--debug')) process.stderr.write(redact(`${error instanceof Error ? error.stack : String(error)}\n`));
  }
  if (!records.some((record) => record.type === 'run-end')) {
    emit({ type: 'run-end', durationMs: Math.round(performance.now() - began), interrupted: signal.aborted });
  }
  log.close();
  const summary = await finish(records, sinks, screen);
  return signal.aborted ? EXIT.interrupted : exitCodeOf(summary);
}
