import type { LiveFigures, MeasuredSlice, TickPart, TickRecord } from '../spec/index.ts';
import { inMicroseconds } from './engines/latencies.ts';
import type { SlicePart } from './engines/messages.ts';
import { offeredUntil } from './engines/schedule.ts';
import type { Schedule } from './engines/schedule.ts';
import { groupBy } from '../spec/group-by.ts';
import { LatencyHistogram } from './histogram.ts';
import { SLICE_MS } from './plan.ts';
import type { Measurement, SliceView } from './measurement.ts';
import { Tally } from './tally.ts';

/** Figures of the last slice, for live output. */
export interface LiveSlice extends LiveFigures {
  /** The current stage, for example `steady` or `step 4 at 1200/s`. */
  readonly stage: string;
  /** Infinity where nobody knows: a number of iterations ends when it ends. */
  readonly leftMs: number;
  readonly offeredRate: number;
}

/** Offered requests per second between two times; 0 in the closed model. */
function offeredBetween(schedule: Schedule | undefined, fromMs: number, toMs: number): number {
  if (!schedule) return 0;
  return ((offeredUntil(schedule, toMs) - offeredUntil(schedule, fromMs)) * 1000) / (toMs - fromMs);
}

/** The state after a slice. */
export function liveOf(of: {
  scenario: string;
  stage: string;
  view: SliceView;
  measurement: Measurement;
  durationMs: number;
  schedule: Schedule | undefined;
  offers?: 'iterations';
}): LiveSlice {
  const { view, durationMs } = of;
  const elapsedMs = (view.index + 1) * SLICE_MS;
  return {
    scenario: of.scenario,
    stage: of.stage,
    leftMs: Math.max(0, durationMs - elapsedMs),
    ...(of.offers && { offers: of.offers }),
    offeredRate: view.draining ? 0 : offeredBetween(of.schedule, elapsedMs - SLICE_MS, elapsedMs),
    rate: (view.answered * 1000) / SLICE_MS,
    p50: view.latencies.percentile(50),
    p99: view.latencies.percentile(99),
    errors: of.measurement.whole.failed,
    inFlight: view.inFlight,
  };
}

/** The counts of a slice, for metrics. */
export function measuredSlice(
  scenario: string,
  phase: MeasuredSlice['phase'],
  { index, draining, inFlight, connections, parts, flow }: SliceView,
  schedule: Schedule | undefined,
): MeasuredSlice {
  const from = index * SLICE_MS;
  const offeredRate = draining ? 0 : offeredBetween(schedule, from, from + SLICE_MS);
  const measured = parts.map((part) => ({ ...part, latencies: inMicroseconds(part.latencies) }));
  return { scenario, phase, offeredRate, inFlight, connections, parts: measured, flow };
}

/** The counts of one second by part and operation. */
function tickParts(slices: readonly SlicePart[]): TickPart[] {
  const series = groupBy(slices, ({ part, operation }) => JSON.stringify([part, operation]));
  return [...series.values()].map((own) => {
    const tally = new Tally();
    for (const slice of own) tally.add(slice);
    const { requests, statuses, errors, latencies } = tally;
    const { part = '', operation = '' } = own[0] ?? {};
    return { part, operation, requests, statuses, errors, latencyMs: latencies.latency() };
  });
}

export interface ClockOptions {
  readonly scenario: string;
  readonly durationMs: number;
  readonly schedule?: Schedule;
  readonly offers?: 'iterations';
  readonly onTick: (tick: TickRecord) => void;
}

/** Combines slices to one tick record per second. */
export class TickClock {
  readonly #options: ClockOptions;
  #slices: SliceView[] = [];

  constructor(options: ClockOptions) {
    this.#options = options;
  }

  add(view: SliceView): void {
    const perTick = 1000 / SLICE_MS;
    const first = this.#slices[0];
    if (first && Math.floor(first.index / perTick) !== Math.floor(view.index / perTick)) this.flush();
    this.#slices.push(view);
  }

  /** Emits the tick of the current second, except an empty one after the end of the schedule. */
  flush(): void {
    const slices = this.#slices;
    const last = slices.at(-1);
    this.#slices = [];
    if (!last) return;
    const { schedule, scenario, durationMs, offers } = this.#options;
    const second = Math.floor((last.index * SLICE_MS) / 1000);
    const answered = slices.reduce((sum, slice) => sum + slice.answered, 0);
    const errors = slices.reduce((sum, slice) => sum + slice.failed, 0);
    if (last.draining && answered + errors === 0) return;
    const from = second * 1000;
    // A second is incomplete at the end of the schedule, and where a run is interrupted.
    const end = Math.min((last.index + 1) * SLICE_MS, durationMs);
    const to = Math.max(from + SLICE_MS, end);
    const drainMs = slices.reduce((sum, { draining, spanMs }) => sum + (draining ? spanMs : 0), 0);
    const spanMs = Math.max(SLICE_MS, Math.max(0, end - from) + drainMs);
    const latencies = slices.reduce((all, slice) => all.merge(slice.latencies), new LatencyHistogram());
    this.#options.onTick({
      type: 'tick',
      scenario,
      second,
      errors,
      rate: (answered * 1000) / spanMs,
      ...(offers && { offers }),
      offeredRate: from >= durationMs ? 0 : offeredBetween(schedule, from, to),
      inFlight: last.inFlight,
      latencyMs: latencies.latency(),
      parts: tickParts(slices.flatMap(({ parts }) => parts)),
    });
  }
}
