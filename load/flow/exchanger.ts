import { EngineConnection } from '../engines/connection.ts';
import type { ConnectionOwner } from '../engines/connection.ts';
import type { EngineContext } from '../engines/engine.ts';
import { IdleList } from '../engines/idle-list.ts';
import type { KeptAnswer } from '../engines/response-reader.ts';
import type { ReadyRequest } from '../engines/traffic.ts';
import { PreciseTimer } from '../engines/precise-timer.ts';
import type { FailureKind } from '../../spec/index.ts';
import type { FlowRecorder } from './recorder.ts';

export interface FlowOutcome {
  readonly status: number;
  /** Undefined without a response. */
  readonly kept?: KeptAnswer;
  readonly failure?: FailureKind | 'unsent' | 'ended';
  /** From when on it had to wait for the target only. */
  readonly dueAt: number;
  readonly sentAt: number;
}

/** A request of a flow, until its outcome is known. */
interface Sending extends ReadyRequest {
  dueAt: number;
  readonly done: (outcome: Omit<FlowOutcome, 'dueAt'>) => void;
}

const FLOW_REQUEST = { index: -1, part: 0, series: 0, fields: [], accepts: [] };
const READY_LIMIT_MS = 5000;
/** A request that `--max-rate` delays longer is counted. */
const PACED_MS = 1;
/** The pace catches up with what wake-ups were late, up to this. */
const PACE_SLACK_MS = 10;

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
  readonly #counts: FlowRecorder;
  /** Undefined without a maximum rate. */
  readonly #pace: PreciseTimer | undefined;
  #over = false;

  /** @param maxRate maximum number of requests per second */
  constructor(context: EngineContext, maxRate: number | undefined, counts: FlowRecorder) {
    const { connections, timeoutMs } = context.job;
    this.#context = context;
    this.#counts = counts;
    this.#gapMs = maxRate === undefined ? 0 : 1000 / maxRate;
    if (maxRate !== undefined) this.#pace = new PreciseTimer(() => this.#pump());
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

  /** @param madeAt when the flow made it; it is due once the maximum rate permits it, after those that wait before it */
  send(bytes: Buffer, madeAt: number): Promise<FlowOutcome> {
    const permittedAt = this.#pace === undefined ? 0 : this.#nextAt + this.#waiting.length * this.#gapMs;
    const dueAt = Math.max(madeAt, permittedAt);
    if (dueAt - madeAt > PACED_MS) this.#counts.paced += 1;
    return new Promise((resolve) => {
      const done: Sending['done'] = (outcome) => resolve({ ...outcome, dueAt: sending.dueAt });
      const sending = { ...FLOW_REQUEST, bytes, dueAt, done };
      this.#waiting.push(sending);
      if (this.#over) this.#failWaiting('ended', Infinity);
      else this.#pump();
    });
  }

  /** Gives up what waits; what waits for the maximum rate has not failed. */
  giveUp(): void {
    this.#paceAgain(0);
    this.#failWaiting('unsent', performance.now());
    this.#failWaiting('ended', Infinity);
  }

  close(): void {
    this.#over = true;
    clearInterval(this.#sweeper);
    void this.#pace?.close();
    for (const connection of this.#connections) {
      const { request, sentAt } = connection;
      if (request) (request as Sending).done({ status: 0, failure: 'ended', sentAt });
      connection.close();
    }
    this.#failWaiting('ended', Infinity);
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
        this.#pace?.arm(this.#nextAt);
        break;
      }
      const connection = this.#idle.take();
      if (connection === undefined) {
        this.#grow();
        break;
      }
      const sending = this.#waiting[sent] as Sending;
      const isLate = now - Math.max(this.#nextAt, sending.dueAt, connection.freeAt) > PACE_SLACK_MS;
      this.#nextAt = Math.max(now - PACE_SLACK_MS, this.#nextAt + this.#gapMs);
      this.inFlight += 1;
      this.#context.recorder.sends(Math.min(sending.dueAt, now), connection.freeAt, now);
      connection.send(sending, -1, sending.dueAt, now);
      if (isLate) this.#paceAgain(sent + 1);
    }
    if (sent > 0) this.#waiting.splice(0, sent);
  }

  /** After a time in which this generator stood still, the rest of the requests is permitted later. */
  #paceAgain(from: number): void {
    if (this.#pace === undefined) return;
    for (let at = from; at < this.#waiting.length; at += 1) {
      const sending = this.#waiting[at] as Sending;
      sending.dueAt = Math.max(sending.dueAt, this.#nextAt + (at - from) * this.#gapMs);
    }
  }

  /** Opens more connections up to the maximum, a few at a time. */
  #grow(): void {
    const connections = this.#connections.length;
    const coming = connections - this.#idle.size - this.inFlight;
    if (connections < this.#context.job.maxConnections && coming <= connections / 8) this.#open();
  }

  #failWaiting(failure: FailureKind | 'unsent' | 'ended', before: number): void {
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
