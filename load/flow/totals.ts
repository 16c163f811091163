import type { FlowFigures } from '../../spec/index.ts';
import { LatencyHistogram } from '../histogram.ts';
import type { FlowCounts } from './job.ts';

/** Counts that add up. */
const COUNTS = ['completed', 'failed', 'dropped', 'interrupted', 'paced'] as const;

export class FlowTotals {
  completed = 0;
  failed = 0;
  dropped = 0;
  interrupted = 0;
  /** Requests that waited for the maximum rate. */
  paced = 0;
  /** Highest number at once, in a slice: the sum of those of the workers. */
  mostRunning = 0;
  readonly latencies = new LatencyHistogram();
  readonly #checks = new Map<string, { passed: number; failed: number }>();
  readonly #mistakes = new Map<string, number>();

  /** Adds the counts of all workers in one slice. */
  add(counts: readonly FlowCounts[]): void {
    let running = 0;
    for (const one of counts) {
      running += one.mostRunning;
      for (const name of COUNTS) this[name] += one[name];
      this.latencies.add(one.latencies);
      for (const [name, passed, failed] of one.checks) this.#check(name, passed, failed);
      for (const [text, count] of one.mistakes) this.#mistake(text, count);
    }
    this.mostRunning = Math.max(this.mostRunning, running);
  }

  merge(other: FlowTotals): void {
    for (const name of COUNTS) this[name] += other[name];
    this.mostRunning = Math.max(this.mostRunning, other.mostRunning);
    this.latencies.merge(other.latencies);
    for (const [name, { passed, failed }] of other.#checks) this.#check(name, passed, failed);
    for (const [text, count] of other.#mistakes) this.#mistake(text, count);
  }

  get iterations(): number {
    return this.completed + this.failed;
  }

  /** Errors of the scenario, the most frequent first. */
  get mistakes(): readonly (readonly [text: string, count: number])[] {
    return [...this.#mistakes].toSorted((a, b) => b[1] - a[1]);
  }

  /** Share of the checks that passed, 0 to 1; undefined without checks. */
  get checkShare(): number | undefined {
    let [passed, all] = [0, 0];
    for (const check of this.#checks.values()) {
      passed += check.passed;
      all += check.passed + check.failed;
    }
    return all === 0 ? undefined : passed / all;
  }

  figures(executor: string, spanMs: number): FlowFigures {
    const { completed, failed, dropped, interrupted, mostRunning } = this;
    return {
      executor,
      completed,
      failed,
      dropped,
      interrupted,
      mostRunning,
      rate: spanMs === 0 ? 0 : (completed * 1000) / spanMs,
      latencyMs: this.latencies.latency(),
      checks: [...this.#checks].map(([name, counts]) => ({ name, ...counts })),
      mistakes: this.mistakes.map(([text, count]) => ({ text, count })),
    };
  }

  #check(name: string, passed: number, failed: number): void {
    const known = this.#checks.get(name) ?? { passed: 0, failed: 0 };
    this.#checks.set(name, { passed: known.passed + passed, failed: known.failed + failed });
  }

  #mistake(text: string, count: number): void {
    this.#mistakes.set(text, (this.#mistakes.get(text) ?? 0) + count);
  }
}
