import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Exchange, Redactor, SentRequest } from '../../spec/index.ts';
import type { BaseUrl } from '../base-url.ts';
import { formOf } from '../request-spec.ts';
import type { RequestSpec, Send } from '../request-spec.ts';
import type { KeyRing } from '../tokens.ts';
import { Attempt } from './attempt.ts';
import type { Outcome } from './attempt.ts';
import { failureOf } from './failure.ts';
import { receive } from './receive.ts';
import { renderRequest } from './render-request.ts';
import type { BodyTypeOf, RenderedRequest } from './render-request.ts';

/** What the transport needs to know of its target. */
export interface TransportOptions {
  readonly base: BaseUrl;
  readonly keys: KeyRing;
  readonly redactor: Redactor;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly connections: number;
  /** Accept certificates that can't be verified. */
  readonly insecure: boolean;
  readonly bodyTypeOf: BodyTypeOf;
}

/** The lowest sender: one spec, one request on the wire, and always an Exchange. */
export interface Transport {
  readonly send: Send;
  /** Ends everything that is under way; it fails as `aborted`. */
  close(): Promise<void>;
}

/**
 * How long an idle connection is kept: less than servers keep them, because a request that meets a connection which
 * the server is closing fails, and one that may change something can't be sent again.
 */
const KEEP_ALIVE_MS = 150;

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 64 * 1024;

function createPool({ base, connections, timeoutMs, insecure }: TransportOptions): Pool {
  return new Pool(base.origin, {
    connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: {
      timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      autoSelectFamilyAttemptTimeout: 1_000,
      rejectUnauthorized: !insecure,
    },
  });
}

function shownRequest({ redactor, base }: TransportOptions, rendered: RenderedRequest): SentRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(rendered.headers)) headers[name] = redactor.text(value);
  const shown = { method: rendered.method, url: redactor.text(base.href + rendered.target), headers };
  return rendered.body === undefined ? shown : { ...shown, body: redactor.bytes(rendered.body) };
}

function wireHeaders(headers: Readonly<Record<string, string>>, keys: KeyRing): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [
    name,
    name === 'authorization' ? keys.fillIn(value) : value,
  ]);
}

/** Opens the connections to a target. Redirects are responses like any other: nothing is ever sent to another origin. */
export function createTransport(options: TransportOptions): Transport {
  const { base, keys, redactor, timeoutMs, maxBodyBytes } = options;
  const pool = createPool(options);
  let count = 0;

  function dispatch(spec: RequestSpec, rendered: RenderedRequest): Promise<Outcome> {
    const request: Dispatcher.DispatchOptions = {
      path: base.path + rendered.target,
      method: rendered.method,
      headers: wireHeaders(rendered.headers, keys),
      body: rendered.body ?? null,
    };
    return new Promise((resolve) => {
      pool.dispatch(request, new Attempt({ maxBodyBytes, timeoutMs: spec.timeoutMs ?? timeoutMs }, resolve));
    });
  }

  async function send(spec: RequestSpec): Promise<Exchange> {
    count += 1;
    const id = `x${count}`;
    const rendered = renderRequest(spec, options.bodyTypeOf);
    const outcome = await dispatch(spec, rendered);
    const common = {
      id,
      operation: spec.operation.id,
      form: formOf(spec).name,
      identity: spec.identity ?? 'full',
      request: shownRequest(options, rendered),
      sentAt: outcome.sentAt,
      durationMs: outcome.durationMs,
      attempts: 1,
    };
    if (outcome.response === undefined) {
      const failure = failureOf(outcome);
      return { ...common, failure: { ...failure, message: redactor.text(failure.message) } };
    }
    const context = { redactor, maxBodyBytes, method: rendered.method };
    return { ...common, response: await receive(outcome.response, context) };
  }

  return { send, close: () => pool.destroy() };
}
