import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Exchange, Redactor, SentRequest } from '../../spec/index.ts';
import type { RequestPlan, Send } from '../plan.ts';
import type { BaseUrl } from '../target/base-url.ts';
import type { Limits } from '../target/options.ts';
import { fillIn } from '../target/tokens.ts';
import type { Tokens } from '../target/tokens.ts';
import { Attempt } from './attempt.ts';
import type { Outcome } from './attempt.ts';
import { failureOf } from './failure.ts';
import { receive } from './receive.ts';
import { renderRequest } from './render-request.ts';
import type { RenderedRequest } from './render-request.ts';

/** What the wire needs to know of its target. */
export interface WireOptions {
  readonly base: BaseUrl;
  readonly tokens: Tokens;
  readonly redactor: Redactor;
  readonly limits: Limits;
  readonly tls: TlsOptions;
}

/** As node:tls knows them. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string | string[];
}

/** The lowest sender: one plan, one request, and an Exchange whatever happens. */
export interface Wire {
  readonly send: Send;
  /** Ends everything that is under way; it fails as `aborted`. */
  close(): Promise<void>;
}

/**
 * Idle connections are kept for less than any usual server keeps them, so that a request hardly ever meets
 * a connection that is being closed.
 */
const KEEP_ALIVE_MS = 2_000;

function createPool({ base, limits, tls }: WireOptions): Pool {
  return new Pool(base.origin, {
    connections: limits.mostConnections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: limits.maxHeaderBytes,
    connect: { timeout: limits.connectTimeoutMs, autoSelectFamilyAttemptTimeout: 1_000, ...tls },
  });
}

function transmit(
  pool: Pool,
  options: Dispatcher.DispatchOptions,
  limits: { maxBodyBytes: number; timeoutMs: number },
): Promise<Outcome> {
  return new Promise((resolve) => {
    pool.dispatch(options, new Attempt(limits, resolve));
  });
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

function metAClosingConnection(outcome: Outcome, method: string): boolean {
  const { error, progress } = outcome;
  if (!error || !SAFE.has(method) || !progress.sent || progress.status !== 0) return false;
  return failureOf(error, progress).kind === 'reset';
}

function shownRequest(options: WireOptions, rendered: RenderedRequest): SentRequest {
  const { redactor } = options;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(rendered.headers)) headers[name] = redactor.text(value);
  const shown = { method: rendered.method, url: redactor.text(options.base.href + rendered.target), headers };
  return rendered.body === undefined ? shown : { ...shown, body: redactor.bytes(rendered.body) };
}

function wireHeaders(headers: Readonly<Record<string, string>>, tokens: Tokens): string[] {
  const flat: string[] = [];
  for (const [name, value] of Object.entries(headers))
    flat.push(name, name === 'authorization' ? fillIn(value, tokens) : value);
  return flat;
}

/**
 * Opens a wire to a target. Redirects are answers like any other, so nothing is ever sent to another origin.
 * A safe request that meets a connection which the target is closing (reset before any byte of an answer) is sent
 * once more; for a request that may change something a reset is a failure, because it may have arrived.
 */
export function createWire(options: WireOptions): Wire {
  const pool = createPool(options);
  let count = 0;

  async function attempt(plan: RequestPlan, rendered: RenderedRequest): Promise<Outcome> {
    const { maxBodyBytes, timeoutMs } = options.limits;
    const limits = { maxBodyBytes, timeoutMs: plan.timeoutMs ?? timeoutMs };
    const request: Dispatcher.DispatchOptions = {
      path: options.base.path + rendered.target,
      method: rendered.method,
      headers: wireHeaders(rendered.headers, options.tokens),
      body: rendered.body ?? null,
    };
    const first = await transmit(pool, request, limits);
    return metAClosingConnection(first, rendered.method) ? transmit(pool, request, limits) : first;
  }

  async function send(plan: RequestPlan): Promise<Exchange> {
    count += 1;
    const id = `${options.limits.idPrefix}${count}`;
    const rendered = renderRequest(plan);
    const outcome = await attempt(plan, rendered);
    const common = {
      id,
      operation: plan.operation.id,
      form: plan.form.name,
      identity: plan.identity ?? 'full',
      request: shownRequest(options, rendered),
      sentAt: outcome.sentAt,
      durationMs: outcome.durationMs,
      attempts: 1,
    };
    const { answer, error, progress } = outcome;
    if (!answer) {
      const { kind, message } = failureOf(error ?? new Error('no answer'), progress);
      return { ...common, failure: { kind, message: options.redactor.text(message) } };
    }
    const { maxBodyBytes } = options.limits;
    return {
      ...common,
      response: await receive(answer, { redactor: options.redactor, maxBodyBytes, method: rendered.method }),
    };
  }

  return { send, close: () => pool.destroy() };
}
