import { setTimeout as sleep } from 'node:timers/promises';
import { newTraceParent } from '../../client/transport/trace-parent.ts';
import type { EngineContext } from '../engines/engine.ts';
import { isValidHead, withHeaders } from '../engines/request-head.ts';
import { LazyFlowResponse } from './response.ts';
import { IterationEnd } from './errors.ts';
import type { FlowRecorder } from './recorder.ts';
import type { Exchanger, FlowOutcome } from './exchanger.ts';
import type { FlowJob, FlowSecrets } from './job.ts';
import type { Matched } from './match-operation.ts';
import { sentSecrets } from './secrets.ts';
import type { GivenToken } from './secrets.ts';
import type { DataRow, FlowRequest, FlowResponse, Session } from './types.ts';

/** Data that all iterations of a worker share. */
export interface SessionContext {
  readonly engine: EngineContext;
  readonly flow: FlowJob;
  readonly exchanger: Exchanger;
  readonly counts: FlowRecorder;
  readonly match: (method: string, path: string) => Matched;
  readonly data: Readonly<Record<string, readonly DataRow[]>>;
  readonly random: () => number;
  /** The current token of the run. */
  token: string | undefined;
  isOver: boolean;
}

function accepts(expect: FlowRequest['expect'], status: number): boolean {
  if (status === 0) return false;
  if (expect === undefined) return status >= 200 && status < 300;
  if (expect === 'any') return true;
  return typeof expect === 'number' ? expect === status : expect.includes(status);
}

function notListed(operation: string, { effect, isUnknown }: Matched): string {
  const has = isUnknown ? 'is not in the description and counts as' : 'has the effect';
  return `${operation} ${has} "${effect}", which is not listed in "effects" of the scenario`;
}

function bodyOf({ json, body }: FlowRequest): { body: string | Uint8Array | undefined; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  return { body };
}

/** One iteration, due at `dueAt` by `performance.now()`. Its functions are properties, for `flow({ get, check })`. */
export class FlowSession implements Session {
  readonly vu: number;
  readonly iteration: number;
  readonly env = process.env;
  readonly #context: SessionContext;
  /** Due time of the next request; Infinity: when it is made. */
  #dueAt: number;
  /** Undefined: the token of the run. */
  #own: GivenToken | undefined;
  #groups: readonly string[] = [];
  #names = 0;

  constructor(context: SessionContext, vu: number, iteration: number, dueAt: number) {
    this.vu = vu;
    this.iteration = iteration;
    this.#context = context;
    this.#dueAt = dueAt;
  }

  get data(): SessionContext['data'] {
    return this.#context.data;
  }

  readonly row = (name: string): DataRow => {
    const rows = this.#context.data[name];
    const row = rows?.[this.iteration % rows.length];
    if (row === undefined) throw new Error(`the scenario has no data file "${name}"`);
    return row;
  };

  readonly unique = (label = 'item'): string => {
    this.#names += 1;
    return `${this.#context.flow.tag}-${label}-${this.iteration.toString(36)}-${this.#names}`;
  };

  readonly authorize = (token?: string): void => {
    this.#own = { token };
  };

  readonly get = (path: string, request?: FlowRequest): Promise<FlowResponse> => this.request('GET', path, request);
  readonly delete = (path: string, request?: FlowRequest): Promise<FlowResponse> =>
    this.request('DELETE', path, request);
  readonly post = (path: string, json?: unknown, request?: FlowRequest): Promise<FlowResponse> =>
    this.request('POST', path, { json, ...request });
  readonly put = (path: string, json?: unknown, request?: FlowRequest): Promise<FlowResponse> =>
    this.request('PUT', path, { json, ...request });
  readonly patch = (path: string, json?: unknown, request?: FlowRequest): Promise<FlowResponse> =>
    this.request('PATCH', path, { json, ...request });

  readonly check = (name: string, holds: boolean): boolean => {
    this.#context.counts.check(name, holds);
    return holds;
  };

  readonly group = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const outer = this.#groups;
    this.#groups = [...outer, name];
    try {
      return await work();
    } finally {
      this.#groups = outer;
    }
  };

  readonly think = async (ms: number, mostMs = ms): Promise<void> => {
    const until = performance.now() + ms + (mostMs - ms) * this.#context.random();
    await sleep(Math.max(0, until - performance.now()), undefined, { ref: false });
    if (this.#context.isOver) throw new IterationEnd('the run is over');
    this.#dueAt = until;
  };

  readonly request = async (method: string, path: string, request: FlowRequest = {}): Promise<FlowResponse> => {
    const { engine, match, exchanger, flow, isOver } = this.#context;
    if (isOver) throw new IterationEnd('the run is over');
    const verb = method.toUpperCase();
    const matched = match(verb, path);
    const operation = request.name ?? matched.operation;
    if (!path.startsWith('/')) throw new TypeError(`the path "${path}" does not begin with a slash`);
    if (!flow.effects.includes(matched.effect)) throw new Error(notListed(operation, matched));
    const named = request.name === undefined ? undefined : matched.operation;
    const series = engine.recorder.seriesOf(this.#groups.join(' > ') || operation, operation, named);
    const madeAt = Math.min(this.#dueAt, performance.now());
    const bytes = this.#encode(verb, path, request, matched.secrets);
    const outcome = await exchanger.send(bytes, madeAt);
    const now = performance.now();
    const latencyMs = Math.max(0, now - outcome.dueAt);
    this.#dueAt = Infinity;
    if (outcome.failure === 'ended') throw new IterationEnd('the run is over');
    const isAccepted = accepts(request.expect, outcome.status);
    this.#count(series, outcome, isAccepted, latencyMs);
    this.#sample({ ...matched, method: verb, path }, bytes, outcome, isAccepted, now);
    if (!isAccepted) throw new IterationEnd(`${operation}: ${outcome.failure ?? outcome.status}`);
    return new LazyFlowResponse(outcome, operation, latencyMs);
  };

  #count(series: number, { status, failure, sentAt }: FlowOutcome, isAccepted: boolean, latencyMs: number): void {
    const { recorder, refusals } = this.#context.engine;
    if (failure === 'unsent') recorder.unsent += 1;
    if (isAccepted) recorder.answer(series, latencyMs, status);
    else if (status === 401 && this.#own === undefined && refusals.take(series, -1, sentAt)) return;
    else {
      const waited = failure === 'timeout' || failure === 'unsent' ? latencyMs : undefined;
      recorder.failure(series, failure ?? String(status), -1, waited);
    }
  }

  #sample(
    made: { operation: string; form: string; method: string; path: string },
    sent: Buffer,
    { status, kept, sentAt }: FlowOutcome,
    isAccepted: boolean,
    now: number,
  ): void {
    const { samples, recorder } = this.#context.engine;
    if (kept === undefined || !samples.take(!isAccepted)) return;
    recorder.sample({
      request: -1,
      made,
      sent,
      status,
      ...kept,
      sentAt: performance.timeOrigin + sentAt,
      durationMs: now - sentAt,
    });
  }

  #encode(method: string, path: string, request: FlowRequest, secrets: FlowSecrets | undefined): Buffer {
    const { flow, token } = this.#context;
    const { body, type } = bodyOf(request);
    const sent = sentSecrets(secrets, token, this.#own);
    const query = sent.query === '' ? '' : `${path.includes('?') ? '&' : '?'}${sent.query}`;
    let lines = withHeaders(flow.head, sent.headers);
    if (type !== undefined) lines += `content-type: ${type}\r\n`;
    lines += `traceparent: ${newTraceParent()}\r\n`;
    lines = withHeaders(lines, request.headers);
    let head = `${method} ${flow.prefix}${path}${query} HTTP/1.1\r\n${lines}`;
    if (!isValidHead(head))
      throw new TypeError(`the path or a header of ${method} ${path} has characters that HTTP does not allow`);
    if (body === undefined && method !== 'POST' && method !== 'PUT' && method !== 'PATCH')
      return Buffer.from(`${head}\r\n`, 'latin1');
    const size = body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    head += `content-length: ${size}\r\n\r\n`;
    if (body === undefined || typeof body === 'string') return Buffer.from(head + (body ?? ''), 'utf8');
    return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  }
}
