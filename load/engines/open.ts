import type { FailureKind } from '../../spec/index.ts';
import { EngineConnection } from './connection.ts';
import type { ConnectionOwner } from './connection.ts';
import { accepted, Lease } from './engine.ts';
import type { Engine, EngineContext, RunningEngine } from './engine.ts';
import { IdleList } from './idle-list.ts';
import { dueMoments, offeredUntil, scheduleDuration } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import { sampleOf } from './samples.ts';
import { PreciseTimer } from './precise-timer.ts';

/** Minimum pause between two wake-ups. */
const WAKE_GAP_MS = 0.15;
const READY_LIMIT_MS = 5000;
/** Time for requests that wait for a connection after the end of the schedule, at least. */
const DRAIN_MS = 5000;
/** The sweep runs at least every 100 ms: a lane of a fleet that was inactive for longer than this was suspended. */
const ASLEEP_MS = 250;

/**
 * The open model: requests are sent on a schedule, independent of responses, over raw connections. Latency counts from the
 * scheduled time. A request that finds every connection busy waits for one, and counts as `unsent` after the timeout.
 */
class OpenRun implements RunningEngine, ConnectionOwner {
  readonly ready: Promise<number>;
  readonly finished: Promise<void>;
  readonly #context: EngineContext;
  readonly #schedule: Schedule;
  readonly #nextDue: () => number;
  readonly #connections: EngineConnection[] = [];
  readonly #idle = new IdleList<EngineConnection>();
  readonly #timer = new PreciseTimer(() => this.#pump());
  readonly #lease: Lease;
  readonly #sweeper: NodeJS.Timeout;
  #isReady: (connected: number) => void = () => {};
  #isFinished: () => void = () => {};
  #startAt = Infinity;
  #due = Infinity;
  /** Requests that are due from this time of the schedule on belong to another owner. */
  #untilMs = Infinity;
  #awakeAt = performance.now();
  #inFlight = 0;
  #given = 0;
  #over = false;

  constructor(context: EngineContext) {
    const { job } = context;
    if (!job.schedule) throw new Error('the open model needs a schedule');
    this.#context = context;
    this.#schedule = job.schedule;
    this.#lease = new Lease(job.lease);
    this.#nextDue = dueMoments(job.schedule, job.share, job.seed);
    this.ready = new Promise((resolve) => (this.#isReady = resolve));
    this.finished = new Promise((resolve) => (this.#isFinished = resolve));
    setTimeout(() => this.#isReady(this.#idle.size), READY_LIMIT_MS).unref();
    for (let count = 0; count < job.connections; count += 1) this.#addConnection();
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(5, Math.min(100, job.timeoutMs / 20)));
  }

  go(startAt: number, fromMs: number): number {
    const { job, picker } = this.#context;
    this.#startAt = startAt;
    for (let next = this.#nextDue(); ; next = this.#nextDue()) {
      this.#due = startAt + (next < this.#untilMs ? next : Infinity);
      if (next >= fromMs) break;
      picker.skip();
      this.#given += 1;
    }
    const first = picker.given;
    if (job.lease !== undefined) this.#withhold(performance.now());
    this.#pump();
    return first;
  }

  until(atMs: number): void {
    this.#untilMs = Math.min(this.#untilMs, atMs);
    if (this.#due - this.#startAt >= this.#untilMs) this.#due = Infinity;
  }

  cut(): void {
    const now = performance.now();
    this.until(now - this.#startAt);
    while (this.#due <= now) this.#giveUp('unsent');
  }

  stop(): void {
    if (this.#over) return;
    for (const { request, id } of this.#connections) if (request) this.#context.recorder.unknown(id);
    this.#end();
  }

  gauges(): { inFlight: number; backlog: number; connections: number } {
    const now = performance.now();
    const offered = offeredUntil(this.#schedule, now - this.#startAt) / this.#context.job.share.count;
    const backlog = this.#due <= now ? Math.max(1, Math.floor(offered) - this.#given) : 0;
    return { inFlight: this.#inFlight, backlog, connections: this.#connections.length };
  }

  free(connection: EngineConnection): void {
    this.#idle.add(connection);
    if (this.#startAt !== Infinity) this.#pump();
    else if (this.#idle.size === this.#connections.length) this.#isReady(this.#idle.size);
  }

  answered(connection: EngineConnection, status: number): void {
    const { request, dueAt, id, sentAt } = connection;
    if (!request) return;
    this.#inFlight -= 1;
    const { recorder, refusals, job } = this.#context;
    const latency = performance.now() - dueAt;
    if (accepted(request.accepts, status)) recorder.answer(request.series, latency, status);
    else if (status === 401 && refusals.take(request.series, id, sentAt)) return;
    else recorder.failure(request.series, String(status), id);
    const kept = connection.reader.kept();
    if (kept) recorder.sample(sampleOf({ request, id, sentAt }, status, kept, job.traffic.fieldWidth));
  }

  failed(connection: EngineConnection, kind: FailureKind): void {
    this.#idle.remove(connection);
    const { request, dueAt, id } = connection;
    if (request) {
      this.#inFlight -= 1;
      this.#context.recorder.failure(
        request.series,
        kind,
        id,
        kind === 'timeout' ? performance.now() - dueAt : undefined,
      );
    } else if (this.#startAt === Infinity) this.#isReady(this.#idle.size);
    else if (this.#idle.size === 0 && this.#due <= performance.now()) this.#giveUp(kind);
  }

  gone(connection: EngineConnection): void {
    this.#idle.remove(connection);
  }

  wantsBody(connection: EngineConnection, status: number): boolean {
    const { request } = connection;
    return request !== undefined && this.#context.samples.take(!accepted(request.accepts, status));
  }

  #addConnection(): void {
    const connection = new EngineConnection(this.#context.job.endpoint, this);
    this.#connections.push(connection);
    connection.open();
  }

  /** Sends the requests that are due, and schedules the next call. */
  #pump(): void {
    let now = performance.now();
    this.#noticeSleep(now);
    while (this.#due <= now && !this.#over) {
      if (now > this.#lease.endsAt) {
        this.#withhold(now);
        break;
      }
      const connection = this.#idle.take();
      if (!connection) return this.#grow();
      this.#send(connection, now);
      now = performance.now();
    }
    if (this.#due !== Infinity && !this.#over) this.#timer.arm(Math.max(this.#due, now + WAKE_GAP_MS));
  }

  #send(connection: EngineConnection, now: number): void {
    const { recorder, picker } = this.#context;
    const due = this.#due;
    recorder.sends(due, connection.freeAt, now);
    this.#inFlight += 1;
    const request = picker.next();
    recorder.sentTo = picker.given;
    connection.send(request, picker.given - 1, due, now);
    this.#advance();
  }

  #advance(): void {
    const next = this.#nextDue();
    this.#given += 1;
    this.#due = this.#startAt + (next < this.#untilMs ? next : Infinity);
  }

  /** Skips the requests that are due: a lane never sends later what it missed. */
  #withhold(now: number): void {
    const { recorder, picker } = this.#context;
    for (; this.#due <= now; this.#advance()) {
      recorder.unknown(picker.given);
      picker.skip();
      recorder.withheld += 1;
    }
  }

  /** Withholds what a lane of a fleet missed while it was suspended: sent at once, it would exceed the planned rate. */
  #noticeSleep(now: number): void {
    const before = this.#awakeAt;
    this.#awakeAt = now;
    const wasBehind = this.#due <= before;
    if (this.#context.job.lease !== undefined && now - before > ASLEEP_MS && !wasBehind) this.#withhold(now);
  }

  /** Opens more connections up to the maximum, a few at a time. */
  #grow(): void {
    const connections = this.#connections.length;
    const coming = connections - this.#idle.size - this.#inFlight;
    if (connections < this.#context.job.maxConnections && coming <= connections / 8) this.#addConnection();
  }

  /** Counts the due request as failed without sending it. */
  #giveUp(kind: string): void {
    const { recorder, picker } = this.#context;
    recorder.unsent += 1;
    const { series } = picker.next();
    recorder.sentTo = picker.given;
    recorder.failure(series, kind, picker.given - 1, kind === 'unsent' ? performance.now() - this.#due : undefined);
    this.#advance();
  }

  /** Checks all time limits, instead of one timer per request. */
  #sweep(): void {
    const now = performance.now();
    this.#noticeSleep(now);
    const { timeoutMs } = this.#context.job;
    for (const connection of this.#connections) {
      const since = connection.request ? connection.sentAt : connection.connectingSince;
      if (now - since >= timeoutMs) connection.abandon('timeout');
    }
    if (this.#startAt === Infinity) return;
    const lasts = scheduleDuration(this.#schedule);
    const drained = now - this.#startAt > lasts + Math.min(timeoutMs, Math.max(DRAIN_MS, lasts / 10));
    if (now > this.#lease.endsAt) this.#withhold(now);
    const givenUpTo = drained ? now : now - timeoutMs;
    while (this.#due <= givenUpTo) this.#giveUp('unsent');
    if (this.#due === Infinity && this.#inFlight === 0) this.#end();
    else this.#pump();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#sweeper);
    for (const connection of this.#connections) connection.close();
    void this.#timer.close().then(this.#isFinished);
  }
}

export const openEngine: Engine = { start: (context) => new OpenRun(context) };
