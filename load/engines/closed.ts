import autocannon from 'autocannon';
import type { Instance } from 'autocannon';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FailureKind } from '../../spec/index.ts';
import { ClosedClient, headText } from './closed-client.ts';
import type { ClientInternals, ClosedOwner } from './closed-client.ts';
import { accepted, Lease } from './engine.ts';
import type { Engine, EngineContext, RunningEngine } from './engine.ts';
import { sampleOf } from './samples.ts';
import type { Sample } from './messages.ts';
import { Backoff, probe, tlsOptions } from './socket.ts';
import type { ReadyRequest } from './traffic.ts';

/** Interval at which autocannon checks for `instance.stop()`. */
const SAMPLE_MS = 50;
const WATCH_MS = 5;
/** autocannon accepts no shorter timeout. */
const SHORTEST_TIMEOUT_MS = 1000;
const NOTHING = Buffer.alloc(0);
/** autocannon copies an object at the end of its list of requests, so a longer list makes requests cheaper. */
const REQUESTS = Array.from({ length: 16 }, () => ({}));

/** The closed model: on each connection, the next request follows the last response. Its latencies do not belong to an offered rate. */
class ClosedRun implements RunningEngine, ClosedOwner {
  readonly ready: Promise<number>;
  readonly finished: Promise<void>;
  readonly timeoutMs: number;
  readonly #context: EngineContext;
  #isFinished: () => void = () => {};
  #clients: ClosedClient[] = [];
  #instance: Instance | undefined;
  /** A sampled response whose body autocannon passes to `verifyBody` next. */
  #pending: Omit<Sample, 'body'> | undefined;
  #maxRate = Infinity;
  #startAt = Infinity;
  #endAt = Infinity;
  readonly #lease: Lease;
  #inFlight = 0;
  #restarting = false;
  #over = false;

  constructor(context: EngineContext) {
    const { endpoint, connections, timeoutMs } = context.job;
    this.#context = context;
    this.#lease = new Lease(context.job.lease);
    this.timeoutMs = Math.max(SHORTEST_TIMEOUT_MS, timeoutMs);
    this.ready = probe(endpoint, timeoutMs).then((problem) => (problem === undefined ? connections : 0));
    this.finished = new Promise((resolve) => (this.#isFinished = resolve));
  }

  get isPaced(): boolean {
    return this.#maxRate < Infinity;
  }

  get verifies(): boolean {
    const { secure, insecure } = this.#context.job.endpoint;
    return secure && !insecure;
  }

  get lastId(): number {
    return this.#context.picker.given - 1;
  }

  go(startAt: number, _fromMs: number, maxRate = Infinity): number {
    this.#maxRate = Math.min(this.#context.job.maxRate ?? Infinity, maxRate);
    this.#startAt = startAt;
    this.#endAt = startAt + this.#context.job.durationMs;
    void this.#rounds(startAt);
    return this.#context.picker.given;
  }

  until(atMs: number): void {
    this.#endAt = Math.min(this.#endAt, this.#startAt + atMs);
  }

  cut(): void {
    this.until(performance.now() - this.#startAt);
  }

  stop(): void {
    this.#over = true;
    this.#abandon();
    this.#instance?.stop();
    this.#isFinished();
  }

  gauges(): { inFlight: number; backlog: number; connections: number } {
    return { inFlight: this.#inFlight, backlog: 0, connections: this.#clients.length };
  }

  nextRequest(now: number): ReadyRequest | undefined {
    if (now > this.#lease.endsAt) this.#endAt = Math.min(this.#endAt, now);
    if (now >= this.#endAt || this.#restarting || this.#over) return undefined;
    this.#inFlight += 1;
    const { recorder, picker } = this.#context;
    recorder.sent += 1;
    recorder.sentTo = picker.given + 1;
    return picker.next();
  }

  answered(client: ClosedClient, request: ReadyRequest, status: number, now: number): void {
    const { recorder, refusals, samples, job } = this.#context;
    const isAccepted = accepted(request.accepts, status);
    this.#inFlight -= 1;
    if (isAccepted) recorder.answer(request.series, now - client.sentAt, status);
    else if (status === 401 && refusals.take(request.series, client.id, client.sentAt)) return;
    else recorder.failure(request.series, String(status), client.id);
    if (client.head && samples.take(!isAccepted)) {
      const kept = { head: Buffer.from(headText(client.head), 'latin1'), body: NOTHING, truncated: false };
      this.#pending = sampleOf({ request, id: client.id, sentAt: client.sentAt }, status, kept, job.traffic.fieldWidth);
    }
  }

  failed({ request, id, sentAt }: ClosedClient, kind: FailureKind): void {
    const { recorder } = this.#context;
    if (!request) return;
    this.#inFlight -= 1;
    const latency = kind === 'timeout' ? Math.max(this.timeoutMs, performance.now() - sentAt) : undefined;
    recorder.failure(request.series, kind, id, latency);
  }

  restart(): void {
    this.#restarting = true;
    this.#instance?.stop();
  }

  /** autocannon decodes each piece of a body separately, so that binary bodies cannot be checked. */
  #received(body: string): boolean {
    const sample = this.#pending;
    this.#pending = undefined;
    if (sample && !body.includes('\uFFFD')) this.#context.recorder.sample({ ...sample, body: Buffer.from(body) });
    return true;
  }

  async #rounds(startAt: number): Promise<void> {
    const { job, recorder } = this.#context;
    const backoff = new Backoff();
    await sleep(Math.max(0, startAt - performance.now()));
    let connects = (await this.ready) > 0;
    const isOver = (): boolean => this.#over || performance.now() >= this.#endAt;
    while (!isOver()) {
      if (connects) {
        await this.#autocannon();
        backoff.succeeded();
        if (isOver()) break;
      }
      const problem = await probe(job.endpoint, this.timeoutMs);
      connects = problem === undefined;
      if (problem === undefined || this.#over) continue;
      recorder.failure(0, problem, -1);
      await sleep(Math.min(backoff.wait(), Math.max(0, this.#endAt - performance.now())));
    }
    this.#isFinished();
  }

  /** Runs one instance of autocannon until the end of the run, or until a restart. */
  async #autocannon(): Promise<void> {
    const { endpoint, connections, durationMs } = this.#context.job;
    const { host, port, secure, name = host } = endpoint;
    this.#restarting = false;
    await new Promise<void>((resolve, reject) => {
      this.#instance = autocannon(
        {
          url: `${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
          connections,
          requests: REQUESTS,
          timeout: this.timeoutMs / 1000,
          // The run ends with stop().
          duration: (durationMs + this.timeoutMs) / 1000 + 60,
          sampleInt: SAMPLE_MS,
          setupClient: (client) => {
            const internals = client as ClientInternals;
            // autocannon copies its options, and a copied secure context is invalid.
            Object.assign(internals.opts, { tlsOptions: tlsOptions(endpoint) });
            this.#clients.push(new ClosedClient(internals, this));
          },
          verifyBody: (body) => this.#received(String(body)),
          ...(secure && net.isIP(name) === 0 ? { servername: name } : {}),
          ...(this.isPaced ? { overallRate: Math.max(1, Math.floor(this.#maxRate)) } : {}),
        },
        (error) => (error ? reject(error) : resolve()),
      );
      this.#watch();
    });
    this.#abandon();
  }

  #abandon(): void {
    for (const { request, id } of this.#clients) if (request) this.#context.recorder.unknown(id);
    this.#clients = [];
    this.#inFlight = 0;
  }

  #watch(): void {
    const watcher = setInterval(() => {
      if (this.#over || this.#restarting || (performance.now() >= this.#endAt && this.#inFlight === 0)) {
        clearInterval(watcher);
        this.#instance?.stop();
      }
    }, WATCH_MS);
  }
}

export const closedEngine: Engine = { start: (context) => new ClosedRun(context) };
