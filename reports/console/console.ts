import type { Finding, RunRecord, RunStart, TestRecord } from '../../spec/index.ts';
import type { Summary } from '../summary/types.ts';
import { count, duration } from '../text/numbers.ts';
import { descriptionDetails } from '../text/headline.ts';
import { visibleLine } from '../text/visible.ts';
import { hang, wrap } from '../text/width.ts';
import { endingLines } from './ending.ts';
import { findingLine } from './findings.ts';
import { createPaint, wantsColour } from './paint.ts';
import type { Paint } from './paint.ts';
import { countTest, loadLine, loadOfTick, newProgress, progressLine } from './progress.ts';
import type { LiveState } from './progress.ts';
import { createScreen } from './screen.ts';
import type { LineStream, Screen } from './screen.ts';

const FRAME_MS = 100;
const HEARTBEAT_MS = 5000;

/** In a pipe, the next line comes after this share of the elapsed time, so that lines become rarer. */
const BEAT_SHARE = 0.15;

export interface ConsoleOptions {
  readonly stream: LineStream;
  readonly isTTY: boolean;
  /** Width of the terminal; a function is asked for each line. Default 100. */
  readonly columns?: number | (() => number) | undefined;
  /** Default: what `FORCE_COLOR`, `NO_COLOR`, `TERM` and the stream say. */
  readonly colour?: boolean;
  /** The words that start Assay, for commands that it prints; default: `assay`. */
  readonly command?: string;
  readonly verbose?: boolean;
  /** Findings of the baseline, which are marked while the run goes on; default: none. */
  readonly isKnown?: (finding: Finding) => boolean;
}

/** The console of a run: takes every record, and shows progress in a live line, or in a pipe from time to time. */
export interface RunConsole {
  record(record: RunRecord): void;
  live(state: LiveState): void;
  /** Prints a line above the live line. */
  note(text: string): void;
  /** Prints a warning about the run itself, which no console leaves out: without progress, on standard error. */
  warn(text: string): void;
  /** Prints the ending; `files` are the reports that were written. */
  end(summary: Summary, files: readonly string[]): void;
  stop(): void;
}

/** Text is not wrapped to less than this. */
const LEAST_COLUMNS = 40;

const columnsOf = ({ columns = 100 }: ConsoleOptions): number => (typeof columns === 'function' ? columns() : columns);

export function styleOf(options: ConsoleOptions): { paint: Paint; width: () => number } {
  const { isTTY, colour } = options;
  return {
    paint: createPaint(colour ?? wantsColour(isTTY, process.env)),
    width: () => Math.max(LEAST_COLUMNS, columnsOf(options)),
  };
}

export function createConsole(options: ConsoleOptions): RunConsole {
  const { paint, width } = styleOf(options);
  const { command = 'assay', verbose = false, isKnown = () => false } = options;
  const screen = createScreen(options.stream, options.isTTY, () => columnsOf(options));
  const ticker = createTicker(screen, options.isTTY, { paint, width, isKnown });
  const newLines = findingsAsTheyCome(paint, width, isKnown);
  return {
    record(record) {
      if (record.type === 'run-start') {
        screen.lines([...wrap(startLine(record, paint), width()), ...descriptionWarnings(record, width())]);
        ticker.start(record.command);
      }
      if (record.type === 'test') screen.lines(newLines(record));
      if (record.type === 'error') screen.lines(hang(`${paint.red('!')} `, visibleLine(record.message), width()));
      ticker.record(record);
    },
    live: (state) => ticker.live(state),
    note: (text) => screen.lines(wrap(visibleLine(text), width())),
    warn: (text) => screen.lines(wrap(visibleLine(warningText(text)), width())),
    end(summary, files) {
      ticker.stop();
      screen.lines(endingLines(summary, files, paint, { columns: width(), command, verbose }));
    },
    stop: () => ticker.stop(),
  };
}

export function warningText(text: string): string {
  return `Warning: ${text}`;
}

function startLine({ command, target, spec, seed }: RunStart, paint: Paint): string {
  const where = target.embedded ? `${target.baseUrl} (embedded service)` : target.baseUrl;
  const rest = `· ${count(spec.operations, 'operation')} · seed ${seed}`;
  return `${paint.bold(`assay ${command}`)} ${visibleLine(where)} ${paint.dim(rest)}`;
}

function descriptionWarnings({ spec }: RunStart, columns: number): string[] {
  return descriptionDetails(spec).flatMap((line) => hang(warningText(''), visibleLine(line), columns));
}

/** Findings with one code that are printed while the run goes on: more of them probably have the same cause. */
const OF_ONE_CODE = 3;

/** Lines for the findings of a test that no earlier test had. */
function findingsAsTheyCome(
  paint: Paint,
  columns: () => number,
  isKnown: (finding: Finding) => boolean,
): (test: TestRecord) => string[] {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return ({ findings }) =>
    findings.flatMap((finding) => {
      const { fingerprint, code, severity } = finding;
      if (seen.has(fingerprint)) return [];
      seen.add(fingerprint);
      const number = (counts.get(`${severity} ${code}`) ?? 0) + 1;
      counts.set(`${severity} ${code}`, number);
      if (number <= OF_ONE_CODE)
        return hang('', findingLine({ ...finding, known: isKnown(finding) }, paint), columns(), 2);
      return number === OF_ONE_CODE + 1
        ? [paint.dim(`  … more ${severity}s with the code ${code}, listed at the end`)]
        : [];
    });
}

/** Draws the live line: ten times per second on a terminal, less and less often in a pipe. */
function createTicker(
  screen: Screen,
  isTTY: boolean,
  { paint, width, isKnown }: ReturnType<typeof styleOf> & Required<Pick<ConsoleOptions, 'isKnown'>>,
) {
  const progress = newProgress();
  const every = isTTY ? FRAME_MS : HEARTBEAT_MS;
  let state: LiveState = {};
  let [began, beaten] = [0, 0];
  let isFirst = true;
  let measures = false;
  let timer: NodeJS.Timeout | undefined;
  const line = (): string => {
    const elapsed = performance.now() - began;
    if (state.load !== undefined) return loadLine(state.load, state, elapsed);
    return measures ? `${duration(elapsed)} ${state.doing ?? 'preparing'}` : progressLine(progress, state, elapsed);
  };
  const beat = (): void => {
    if (isTTY) screen.status(line(), paint.dim);
    else screen.lines(wrap(line(), width()));
    beaten = performance.now();
  };
  const isDue = (least: number): boolean =>
    performance.now() - beaten >= (isTTY ? least : Math.max(least, (beaten - began) * BEAT_SHARE));
  return {
    start(command: RunStart['command']): void {
      measures = command !== 'verify';
      began = beaten = performance.now();
      timer ??= setInterval(() => (isDue(every / 2) ? beat() : undefined), every).unref();
    },
    stop(): void {
      clearInterval(timer);
      timer = undefined;
      screen.clear();
    },
    live(next: LiveState): void {
      state = { ...state, ...next };
      if (timer !== undefined && isDue(every)) beat();
    },
    record(record: RunRecord): void {
      if (record.type === 'test') countTest(progress, record, isKnown);
      else if (record.type === 'tick') state = { ...state, load: loadOfTick(record) };
      const atOnce = isFirst && (record.type === 'test' || record.type === 'tick');
      if (atOnce) isFirst = false;
      if (timer !== undefined && (atOnce || isDue(every))) beat();
    },
  };
}
