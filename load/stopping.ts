import { SLICE_MS } from './plan.ts';
import type { FlowWatch } from './flow/watch.ts';
import type { Measurement, SliceView } from './measurement.ts';
import type { StopReason } from './notes.ts';
import { judgeThreshold, measuredOf } from './thresholds.ts';
import type { Threshold } from './thresholds.ts';

const PER_SECOND = 1000 / SLICE_MS;
/** A run stops after so many seconds in a row of missed thresholds, or of mostly failed requests. */
const STOP_SECONDS = 3;
/** Thresholds are evaluated after so much time and so many requests. */
const LEAST_SPAN_MS = 2000;
const LEAST_REQUESTS = 20;
/** Share of the requests of a second that must fail to stop a run. */
const STORM_SHARE = 0.5;
/** Fewer failures do not stop a run. */
const LEAST_FAILURES = 20;

/** Detects that most requests fail for three seconds. */
class ErrorStorm {
  /** Of the slices in a row in which most requests failed: the first one, their number, and their failures. */
  #first = 0;
  #slices = 0;
  #failed = 0;

  /** True if the run must stop. A slice without outcomes changes nothing: connections are opened again after a pause only. */
  add({ index, answered, failed }: SliceView): boolean {
    if (answered + failed === 0) return false;
    const mostFail = failed / (answered + failed) > STORM_SHARE;
    if (this.#slices === 0) this.#first = index;
    this.#slices = mostFail ? this.#slices + 1 : 0;
    this.#failed = mostFail ? this.#failed + failed : 0;
    const lasted = index + 1 - this.#first >= STOP_SECONDS * PER_SECOND;
    return lasted && this.#slices >= PER_SECOND && this.#failed >= LEAST_FAILURES;
  }
}

export interface StoppingOptions {
  /** The share of failed requests that ends the run, 0 to 1. */
  readonly flow: FlowWatch | undefined;
  /** Missing one of these ends the run, except a lower limit of the rate, which may still be reached. */
  readonly thresholds: readonly Threshold[];
  readonly violations: () => number;
}

/** Decides after each slice whether a run stops early. */
export class Stopping {
  reason: StopReason | undefined;
  readonly #options: StoppingOptions;
  readonly #storm = new ErrorStorm();
  readonly #thresholds: readonly Threshold[];
  #missed = 0;

  constructor(options: StoppingOptions) {
    this.#options = options;
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
    const measured = measuredOf(measurement, this.#options.violations());
    const misses = this.#thresholds.some((threshold) => {
      const { held, noData } = judgeThreshold(threshold, measured);
      return !held && noData !== true;
    });
    this.#missed = misses ? this.#missed + 1 : 0;
    return this.#missed >= STOP_SECONDS;
  }
}
