import type { RunRecord, RunStart, TestRecord } from '../../spec/index.ts';
import { count, duration } from '../text/numbers.ts';
import { visibleLine } from '../text/visible.ts';
import type { Summary } from '../summary/types.ts';
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

/** In a log the beats grow rarer: the next comes after this share of the time so far. */
const BEAT_SHARE = 0.15;

export interface ConsoleOptions {
  readonly stream: LineStream;
  readonly isTTY: boolean;
  /** Width of the terminal; read anew for each line where it is a function. Default 100. */
  readonly columns?: number | (() => number) | undefined;
  /** Default: what `FORCE_COLOR`, `NO_COLOR`, `TERM` and the stream say. */
  readonly colour?: boolean;
}

/** The console of a run. Feed it every record; it shows a live line on a terminal and heartbeats in a pipe. */
export interface RunConsole {
  record(record: RunRecord): void;
  live(state: LiveState): void;
  /** A line above the live line, for what is worth telling beside the records. */
  note(text: string): void;
  /** Prints the ending; `files` are the reports that were written. */
  end(summary: Summary, files?: readonly string[]): void;
  /** Stops the live line and prints nothing more. */
  stop(): void;
}

export function createConsole(options: ConsoleOptions): RunConsole {
  const { stream, isTTY, columns = 100 } = options;
  const width = (): number => Math.max(40, typeof columns === 'function' ? columns() : columns);
  const paint = createPaint(options.colour ?? wantsColour(isTTY, process.env));
  const screen = createScreen(stream, isTTY, width);
  const ticker = createTicker(screen, isTTY, paint);
  const seen = new Set<string>();
  return {
    record(record) {
      if (record.type === 'run-start') screen.lines(startLines(record, paint));
      if (record.type === 'run-start') ticker.start(record.command);
      if (record.type === 'test') screen.lines(newFindings(record, seen).map((finding) => findingLine(finding, paint)));
      if (record.type === 'error') screen.lines([`${paint.red('!')} ${visibleLine(record.message)}`]);
      ticker.record(record);
    },
    live: (state) => ticker.live(state),
    note: (text) => screen.lines([visibleLine(text)]),
    end(summary, files = []) {
      ticker.stop();
      screen.lines(endingLines(summary, files, paint, width()));
    },
    stop: () => ticker.stop(),
  };
}

function startLines(start: RunStart, paint: Paint): string[] {
  const target = start.target.embedded ? `${start.target.baseUrl} (embedded service)` : start.target.baseUrl;
  const rest = `${count(start.spec.operations, 'operation')} · seed ${start.seed}`;
  return [`${paint.bold(`assay ${start.command}`)} ${visibleLine(target)} ${paint.dim(`· ${rest}`)}`];
}

function newFindings(test: TestRecord, seen: Set<string>): TestRecord['findings'] {
  return test.findings.filter((finding) => {
    const fresh = !seen.has(finding.fingerprint);
    seen.add(finding.fingerprint);
    return fresh;
  });
}

function createTicker(
  screen: Screen,
  isTTY: boolean,
  paint: Paint,
): {
  start(command: RunStart['command']): void;
  stop(): void;
  live(state: LiveState): void;
  record(record: RunRecord): void;
} {
  const progress = newProgress();
  let state: LiveState = {};
  let began = 0;
  let beaten = 0;
  let told = false;
  let measures = false;
  let timer: NodeJS.Timeout | undefined;
  const line = (): string => {
    const elapsed = performance.now() - began;
    if (state.load === undefined && measures) return `${duration(elapsed)} getting ready`;
    return state.load === undefined ? progressLine(progress, state, elapsed) : loadLine(state.load, state, elapsed);
  };
  const beat = (): void => {
    if (isTTY) screen.status(line(), paint.dim);
    else screen.lines([line()]);
    beaten = performance.now();
  };
  const every = isTTY ? FRAME_MS : HEARTBEAT_MS;
  const isDue = (least: number): boolean =>
    performance.now() - beaten >= (isTTY ? least : Math.max(least, (beaten - began) * BEAT_SHARE));
  return {
    start(command) {
      measures = command !== 'verify';
      began = performance.now();
      beaten = began;
      timer ??= setInterval(() => (isDue(every / 2) ? beat() : undefined), every).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      screen.clear();
    },
    live(next) {
      state = { ...state, ...next };
      if (timer !== undefined && isDue(every)) beat();
    },
    record(record) {
      if (record.type === 'test') countTest(progress, record);
      if (record.type === 'tick') state = { ...state, load: loadOfTick(record) };
      const first = !told && (record.type === 'test' || record.type === 'tick');
      told ||= first;
      if (timer !== undefined && (first || isDue(every))) beat();
    },
  };
}
