import type { FailureKind } from '../../spec/index.ts';
import { ClosedConnection } from './closed-connection.ts';
import type { ClosedOwner } from './closed-connection.ts';
import { accepted } from './engine.ts';
import type { Engine, EngineContext, RunningEngine } from './engine.ts';
import { sampleOf } from './sample.ts';

const READY_LIMIT_MS = 5000;
const PACE_MS = 5;

/**
 * The closed model: each connection sends its next request when it has an answer to the last, on autocannon's clients.
 * The answers set the pace, so its latencies say nothing about a rate; under `maxRate` connections wait their turn.
 */
class ClosedRun implements RunningEngine, ClosedOwner {
  readonly ready: Promise<number>;
  readonly finished: Promise<void>;
  readonly #context: EngineContext;
  readonly #connections: ClosedConnection[];
  /** Connected and waiting for the start, or for their turn under `maxRate`. */
  readonly #waiting = new Set<ClosedConnection>();
  readonly #pacer: NodeJS.Timeout;
  #isReady: (connected: number) => void = () => {};
  #isFinished: () => void = () => {};
  #startAt = Infinity;
  #endAt = Infinity;
  #inFlight = 0;
  #sent = 0;
  #over = false;

  constructor(context: EngineContext) {
    const { job } = context;
    this.#context = context;
    this.ready = new Promise((resolve) => (this.#isReady = resolve));
    this.finished = new Promise((resolve) => (this.#isFinished = resolve));
    setTimeout(() => this.#isReady(this.#waiting.size), READY_LIMIT_MS).unref();
    this.#connections = Array.from(
      { length: job.connections },
      () => new ClosedConnection(job.endpoint, job.timeoutMs, this),
    );
    this.#pacer = setInterval(() => this.#pace(), PACE_MS);
  }

  go(startAt: number): void {
    this.#startAt = startAt;
    this.#endAt = startAt + this.#context.job.durationMs;
    setTimeout(() => this.#pace(), Math.max(0, startAt - performance.now()));
  }

  stop(): void {
    if (this.#over) return;
    for (const { request, id } of this.#connections) if (request) this.#context.recorder.unknown(id);
    this.#end();
  }

  gauges(): { inFlight: number; backlog: number; connections: number } {
    return { inFlight: this.#inFlight, backlog: 0, connections: this.#connections.length };
  }

  free(connection: ClosedConnection): void {
    const now = performance.now();
    if (now >= this.#startAt && this.#allowed(now) > 0) return this.#send(connection, now);
    this.#waiting.add(connection);
    if (this.#startAt === Infinity && this.#waiting.size === this.#connections.length)
      this.#isReady(this.#waiting.size);
  }

  answered(connection: ClosedConnection, status: number): void {
    const { request, id, sentAt } = connection;
    if (!request) return;
    this.#inFlight -= 1;
    const { recorder, job } = this.#context;
    if (accepted(request.accepts, status)) recorder.answer(request.part, performance.now() - sentAt);
    else recorder.failure(request.part, String(status), id);
    const kept = connection.kept();
    if (kept) recorder.sample(sampleOf({ request, id, sentAt }, status, kept, job.traffic.fieldWidth));
  }

  failed(connection: ClosedConnection, kind: FailureKind): void {
    this.#waiting.delete(connection);
    const { request, id, sentAt } = connection;
    const { recorder, job } = this.#context;
    if (request) {
      this.#inFlight -= 1;
      recorder.failure(
        request.part,
        kind,
        id,
        kind === 'timeout' ? Math.max(job.timeoutMs, performance.now() - sentAt) : undefined,
      );
    } else if (this.#startAt === Infinity) this.#isReady(this.#waiting.size);
    else recorder.failure(0, kind, -1);
  }

  gone(connection: ClosedConnection): void {
    this.#waiting.delete(connection);
  }

  wantsBody(connection: ClosedConnection, status: number): boolean {
    const { request } = connection;
    return request !== undefined && this.#context.samples.take(!accepted(request.accepts, status));
  }

  /** How many more may be sent now. */
  #allowed(now: number): number {
    if (this.#over || now >= this.#endAt || now < this.#startAt) return 0;
    const { maxRate } = this.#context.job;
    return maxRate === undefined ? Infinity : ((now - this.#startAt) / 1000) * maxRate - this.#sent;
  }

  #send(connection: ClosedConnection, now: number): void {
    const { picker, recorder } = this.#context;
    this.#sent += 1;
    this.#inFlight += 1;
    recorder.sent += 1;
    const request = picker.next();
    connection.send(request, picker.given - 1, now);
  }

  #pace(): void {
    if (this.#over) return;
    const now = performance.now();
    for (const connection of this.#waiting) {
      if (this.#allowed(now) <= 0) break;
      this.#waiting.delete(connection);
      this.#send(connection, now);
    }
    if (now >= this.#endAt && this.#inFlight === 0) this.#end();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#pacer);
    for (const connection of this.#connections) connection.close();
    this.#isFinished();
  }
}

export const closedEngine: Engine = { start: (context) => new ClosedRun(context) };
