import { EngineConnection } from '../engines/connection.ts';
import type { ConnectionOwner } from '../engines/connection.ts';
import type { EngineContext } from '../engines/engine.ts';
import { IdleList } from '../engines/idle-list.ts';
import type { KeptAnswer } from '../engines/response-reader.ts';
import type { ReadyRequest } from '../engines/traffic.ts';
import type { FailureKind } from '../../spec/index.ts';

export interface FlowOutcome {
  readonly status: number;
  /** Undefined without a response. */
  readonly kept?: KeptAnswer;
  readonly failure?: FailureKind | 'unsent' | 'ended';
  readonly sentAt: number;
}

/** A request of a flow, until its outcome is known. */
interface Sending extends ReadyRequest {
  readonly dueAt: number;
  /** True if no connection was free. */
  late: boolean;
  readonly done: (outcome: FlowOutcome) => void;
}

const FLOW_REQUEST = { index: -1, part: 0, series: 0, fields: [], accepts: [] };
const READY_LIMIT_MS = 5000;

/** Sends requests over raw connections, which it opens when needed. A request that finds none free waits. */
export class Exchanger implements ConnectionOwner {
  inFlight = 0;
  readonly ready: Promise<number>;
  readonly #context: EngineContext;
  readonly #connections: EngineConnection[] = [];
  readonly #idle = new IdleList<EngineConnection>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #gapMs: number;
  #waiting: Sending[] = [];
  #isReady: (connected: number) => void = () => {};
  #nextAt = 0;
  #pace: NodeJS.Timeout | undefined;
  #over = false;

  /** @param maxRate maximum number of requests per second */
  constructor(context: EngineContext, maxRate: number | undefined) {
    const { connections, timeoutMs } = context.job;
    this.#context = context;
    this.#gapMs = maxRate === undefined ? 0 : 1000 / maxRate;
    this.ready = new Promise((resolve) => (this.#isReady = resolve));
    setTimeout(() => this.#isReady(this.#idle.size), READY_LIMIT_MS).unref();
    for (let count = 0; count < connections; count += 1) this.#open();
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(5, Math.min(100, timeoutMs / 20)));
  }

  get connections(): number {
    return this.#connections.length;
  }

  /** Requests that wait for a connection. */
  get backlog(): number {
    return this.#waiting.length;
  }

  send(bytes: Buffer, dueAt: number): Promise<FlowOutcome> {
    return new Promise((done) => {
      const sending: Sending = { ...FLOW_REQUEST, bytes, dueAt, late: false, done };
      if (this.#over) done({ status: 0, failure: 'ended', sentAt: dueAt });
      else {
        this.#waiting.push(sending);
        this.#pump();
        sending.late = this.#waiting.at(-1) === sending;
        if (sending.late) this.#context.recorder.late += 1;
      }
    });
  }

  /** Gives up what waits. */
  giveUp(): void {
    this.#failWaiting('unsent', Infinity);
  }

  close(): void {
    this.#over = true;
    clearInterval(this.#sweeper);
    clearTimeout(this.#pace);
    for (const connection of this.#connections) {
      const { request, sentAt } = connection;
      if (request) (request as Sending).done({ status: 0, failure: 'ended', sentAt });
      connection.close();
    }
    for (const { done, dueAt } of this.#waiting) done({ status: 0, failure: 'ended', sentAt: dueAt });
    this.#waiting = [];
  }

  free(connection: EngineConnection): void {
    this.#idle.add(connection);
    if (this.#idle.size === this.#connections.length) this.#isReady(this.#idle.size);
    this.#pump();
  }

  answered({ request, sentAt, reader }: EngineConnection, status: number): void {
    if (!request) return;
    this.inFlight -= 1;
    const kept = reader.kept();
    (request as Sending).done({ status, sentAt, ...(kept && { kept }) });
  }

  failed(connection: EngineConnection, failure: FailureKind): void {
    this.#idle.remove(connection);
    const { request, sentAt } = connection;
    if (request) {
      this.inFlight -= 1;
      (request as Sending).done({ status: 0, failure, sentAt });
    } else {
      this.#isReady(this.#idle.size);
      if (this.#idle.size === 0 && this.inFlight === 0) this.#failWaiting(failure, Infinity);
    }
  }

  gone(connection: EngineConnection): void {
    this.#idle.remove(connection);
  }

  wantsBody(): boolean {
    return true;
  }

  #open(): void {
    const connection = new EngineConnection(this.#context.job.endpoint, this);
    this.#connections.push(connection);
    connection.open();
  }

  #pump(): void {
    let sent = 0;
    for (; sent < this.#waiting.length; sent += 1) {
      const now = performance.now();
      if (now < this.#nextAt) {
        this.#later(this.#nextAt - now);
        break;
      }
      const connection = this.#idle.take();
      if (connection === undefined) {
        this.#grow();
        break;
      }
      const sending = this.#waiting[sent] as Sending;
      this.#nextAt = Math.max(now, this.#nextAt + this.#gapMs);
      this.inFlight += 1;
      this.#context.recorder.sent += 1;
      if (!sending.late) this.#context.recorder.lag.record(now - sending.dueAt);
      connection.send(sending, -1, sending.dueAt, now);
    }
    if (sent > 0) this.#waiting.splice(0, sent);
  }

  #later(ms: number): void {
    this.#pace ??= setTimeout(() => {
      this.#pace = undefined;
      this.#pump();
    }, ms);
  }

  /** Opens more connections up to the maximum, a few at a time. */
  #grow(): void {
    const connections = this.#connections.length;
    const coming = connections - this.#idle.size - this.inFlight;
    if (connections < this.#context.job.maxConnections && coming <= connections / 8) this.#open();
  }

  #failWaiting(failure: FailureKind | 'unsent', before: number): void {
    const [late, rest] = [[] as Sending[], [] as Sending[]];
    for (const sending of this.#waiting) (sending.dueAt < before ? late : rest).push(sending);
    this.#waiting = rest;
    for (const { done, dueAt } of late) done({ status: 0, failure, sentAt: dueAt });
  }

  #sweep(): void {
    const now = performance.now();
    const { timeoutMs } = this.#context.job;
    for (const connection of this.#connections) {
      const since = connection.request ? connection.sentAt : connection.connectingSince;
      if (now - since >= timeoutMs) connection.abandon('timeout');
    }
    this.#failWaiting('unsent', now - timeoutMs);
    this.#pump();
  }
}
