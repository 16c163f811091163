import { Latencies } from '../engines/latencies.ts';
import type { FlowCounts } from './job.ts';

/** Maximum number of different errors of a scenario in one slice. */
const MOST_MISTAKES = 50;

/** The counts of iterations in the current slice. */
export class FlowRecorder {
  dropped = 0;
  /** Requests that waited for the maximum rate. */
  paced = 0;
  #running = 0;
  /** Highest number of running iterations in this slice. */
  #mostRunning = 0;
  #completed = 0;
  #failed = 0;
  #interrupted = 0;
  readonly #latencies = new Latencies();
  #checks = new Map<string, [passed: number, failed: number]>();
  #mistakes = new Map<string, number>();

  get running(): number {
    return this.#running;
  }

  begun(): void {
    this.#running += 1;
    this.#mostRunning = Math.max(this.#mostRunning, this.#running);
  }

  /** Counts the iterations that are running at the end of the run. */
  interrupt(): void {
    this.#interrupted += this.#running;
    this.#running = 0;
  }

  completed(latencyMs: number): void {
    this.#running -= 1;
    this.#completed += 1;
    this.#latencies.record(latencyMs);
  }

  failed(mistake?: string): void {
    this.#running -= 1;
    this.#failed += 1;
    if (mistake !== undefined) this.mistake(mistake);
  }

  /** Counts an error of the scenario. */
  mistake(mistake: string): void {
    const known = this.#mistakes.size < MOST_MISTAKES || this.#mistakes.has(mistake) ? mistake : 'further errors';
    this.#mistakes.set(known, (this.#mistakes.get(known) ?? 0) + 1);
  }

  check(name: string, holds: boolean): void {
    const counts = this.#checks.get(name) ?? [0, 0];
    counts[holds ? 0 : 1] += 1;
    this.#checks.set(name, counts);
  }

  take(): FlowCounts {
    const taken = {
      completed: this.#completed,
      failed: this.#failed,
      dropped: this.dropped,
      paced: this.paced,
      interrupted: this.#interrupted,
      running: this.#running,
      mostRunning: this.#mostRunning,
      latencies: this.#latencies.take(),
      checks: [...this.#checks].map(([name, [passed, failed]]) => [name, passed, failed] as const),
      mistakes: [...this.#mistakes],
    };
    this.#completed = this.#failed = this.dropped = this.paced = this.#interrupted = 0;
    this.#mostRunning = this.#running;
    this.#checks = new Map();
    this.#mistakes = new Map();
    return taken;
  }
}
