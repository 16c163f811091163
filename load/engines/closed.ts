import autocannon from 'autocannon';
import type { Client, Instance } from 'autocannon';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FailureKind } from '../../spec/index.ts';
import { accepted, Lease } from './engine.ts';
import type { Engine, EngineContext, RunningEngine } from './engine.ts';
import { sampleOf } from './samples.ts';
import type { Sample } from './messages.ts';
import { Backoff, failureKind, probe, tlsOptions } from './socket.ts';
import type { ReadyRequest } from './traffic.ts';

/** Interval at which autocannon checks for `instance.stop()`. */
const SAMPLE_MS = 50;
const WATCH_MS = 5;
/** Failures in a row on one client after which autocannon is restarted, because it reconnects without a pause. */
const FAILURES_IN_A_ROW = 5;
/** autocannon accepts no shorter timeout. */
const SHORTEST_TIMEOUT_MS = 1000;
const TIMER_TOLERANCE_MS = 5;
const NOTHING = Buffer.alloc(0);
/** autocannon copies an object at the end of its list of requests, so a longer list makes requests cheaper. */
const REQUESTS = Array.from({ length: 16 }, () => ({}));
/** A request of at most this size is in the kernel's buffer when `write` returns, if the socket is idle. */
const WRITTEN_AT_ONCE = 16_384;

/** The argument of the `headers` event, for which the published types are wrong. */
interface ResponseHead {
  readonly statusCode: number;
  readonly statusMessage: string;
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  readonly shouldKeepAlive: boolean;
}

function headText({ statusCode, statusMessage, headers }: ResponseHead): string {
  let text = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
  for (let at = 0; at + 1 < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${text}\r\n`;
}

class ClosedClient {
  request: ReadyRequest | undefined;
  id = -1;
  sentAt = 0;
  head: ResponseHead | undefined;
  readonly #run: ClosedRun;
  /** Time of the response that autocannon follows with a request at once; 0 if there is none. */
  #answeredAt = 0;
  #lossesInRow = 0;
  #interim = false;

  constructor(client: Client, run: ClosedRun) {
    this.#run = run;
    Object.assign(client, { getRequestBuffer: () => this.#next() });
    client.on('headers', (head) => (this.head = head as unknown as ResponseHead));
    client.on('response', (status) => this.#answered(status));
    client.addListener('connError', (error: unknown) => this.#lost(failureKind(error)));
  }

  /** What autocannon writes next, after a response or a reconnect; an empty buffer sends nothing. */
  #next(): Buffer {
    if (this.#interim) {
      this.#interim = false;
      return NOTHING;
    }
    const answeredAt = this.#answeredAt;
    this.#answeredAt = 0;
    const now = answeredAt || performance.now();
    if (this.request) this.#lost(now - this.sentAt >= this.#run.timeoutMs - TIMER_TOLERANCE_MS ? 'timeout' : 'reset');
    if (this.head?.shouldKeepAlive === false) {
      this.head = undefined;
      return NOTHING;
    }
    const request = this.#run.nextRequest(now);
    if (!request) return NOTHING;
    this.request = request;
    this.id = this.#run.lastId;
    this.sentAt = now;
    const { bytes } = request;
    // A write that waits, for example for the connect, needs a copy: the shared request will be patched again.
    return answeredAt > 0 && bytes.length <= WRITTEN_AT_ONCE ? bytes : Buffer.from(bytes);
  }

  #answered(status: number): void {
    this.#interim = status < 200;
    if (this.#interim || !this.request) return;
    const now = performance.now();
    this.#answeredAt = this.#run.isPaced ? 0 : now;
    this.#lossesInRow = 0;
    this.#run.answered(this, this.request, status, now);
    this.request = undefined;
  }

  #lost(kind: FailureKind): void {
    this.head = undefined;
    this.#lossesInRow += 1;
    this.#run.failed(this, kind);
    this.request = undefined;
    if (this.#lossesInRow >= FAILURES_IN_A_ROW) this.#run.restart();
  }
}

/**
 * The closed model: on each connection, autocannon sends the next request when the last one is answered. This measures
 * throughput; its latencies do not belong to an offered rate.
 */
class ClosedRun implements RunningEngine {
  readonly ready: Promise<number>;
  readonly finished: Promise<void>;
  readonly timeoutMs: number;
  readonly #context: EngineContext;
  #isFinished: () => void = () => {};
  #clients: ClosedClient[] = [];
  #instance: Instance | undefined;
  /** A sampled response whose body autocannon passes to `verifyBody` next. */
  #pending: Omit<Sample, 'body'> | undefined;
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

  /** True if requests may wait for the next second. */
  get isPaced(): boolean {
    return this.#context.job.maxRate !== undefined;
  }

  get lastId(): number {
    return this.#context.picker.given - 1;
  }

  go(startAt: number): number {
    this.#startAt = startAt;
    this.#endAt = startAt + this.#context.job.durationMs;
    void this.#rounds(startAt);
    return this.#context.picker.given;
  }

  until(atMs: number): void {
    this.#endAt = Math.min(this.#endAt, this.#startAt + atMs);
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

  /** Undefined if nothing more may be sent. */
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

  /** Ends this instance of autocannon; another one follows when the target accepts connections. */
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
    const { endpoint, connections, maxRate, durationMs } = this.#context.job;
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
          setupClient: (client: Client) => {
            // autocannon copies its options, and a copied secure context is invalid.
            Object.assign((client as unknown as { opts: object }).opts, { tlsOptions: tlsOptions(endpoint) });
            this.#clients.push(new ClosedClient(client, this));
          },
          verifyBody: (body) => this.#received(String(body)),
          ...(secure && net.isIP(name) === 0 ? { servername: name } : {}),
          ...(maxRate === undefined ? {} : { overallRate: Math.max(1, Math.floor(maxRate)) }),
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
