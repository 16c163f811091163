import { SLICE_MS } from './limits.ts';
import type { FlowWatch } from './flow/watch.ts';
import type { Measurement, SliceView } from './measurement.ts';
import type { StopReason } from './scenario-record.ts';
import { judgeThreshold } from './thresholds.ts';
import type { Threshold } from './thresholds.ts';
import { ErrorStorm, measuredOf } from './verdict.ts';

const PER_SECOND = 1000 / SLICE_MS;
/** A threshold must be missed in so many seconds in a row, after so long and so many requests. */
const MISSED_SECONDS = 3;
const LEAST_SPAN_MS = 2000;
const LEAST_REQUESTS = 20;

export interface StoppingOptions {
  readonly stormShare: number;
  readonly flow: FlowWatch | undefined;
  /** Those that end the run; a lower limit of the rate may still be reached, and ends nothing. */
  readonly thresholds: readonly Threshold[];
  readonly violations: () => number;
}

/** Decides after each slice whether a run goes on. */
export class Stopping {
  reason: StopReason | undefined;
  readonly #options: StoppingOptions;
  readonly #storm: ErrorStorm;
  readonly #thresholds: readonly Threshold[];
  #missed = 0;

  constructor(options: StoppingOptions) {
    this.#options = options;
    this.#storm = new ErrorStorm(options.stormShare);
    this.#thresholds = options.thresholds.filter(
      ({ metric, comparison }) => metric !== 'rate' || !comparison.startsWith('>'),
    );
  }

  add(view: SliceView, measurement: Measurement): 'on' | 'stop' {
    const { flow } = this.#options;
    flow?.add(view, measurement);
    if (flow?.isHopeless) this.reason ??= 'scenario-error';
    if (this.#storm.add(view)) this.reason ??= 'error-storm';
    if (!view.draining && view.index % PER_SECOND === PER_SECOND - 1 && this.#isMissing(measurement))
      this.reason ??= 'threshold';
    return this.reason === undefined ? 'on' : 'stop';
  }

  #isMissing(measurement: Measurement): boolean {
    const { steady } = measurement;
    if (steady.spanMs < LEAST_SPAN_MS || steady.requests < LEAST_REQUESTS) return false;
    const measured = measuredOf(measurement, 'steady', this.#options.violations());
    const misses = this.#thresholds.some((threshold) => {
      const isKnown = threshold.part === undefined || measured.part(threshold.part) !== undefined;
      return isKnown && !judgeThreshold(threshold, measured).held;
    });
    this.#missed = misses ? this.#missed + 1 : 0;
    return this.#missed >= MISSED_SECONDS;
  }
}
