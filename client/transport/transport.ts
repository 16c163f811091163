import type { Dispatcher } from 'undici';
import type { Exchange, Failure, Redactor, SentRequest } from '../../spec/index.ts';
import type { BaseUrl } from '../base-url.ts';
import { baseFinder } from '../connection.ts';
import type { Connection } from '../connection.ts';
import { shownHeaders } from '../extra-headers.ts';
import type { TargetOptions } from '../options.ts';
import { formOf, isSafe } from '../request-spec.ts';
import type { RequestSpec, Send } from '../request-spec.ts';
import type { KeyRing } from '../tokens.ts';
import { Attempt } from './attempt.ts';
import type { AttemptEnd } from './attempt.ts';
import { createDispatchers } from './dispatchers.ts';
import { failureOf } from './failure.ts';
import { receive } from './receive.ts';
import { renderRequest } from './render-request.ts';
import type { BodyTypeOf, RenderedRequest } from './render-request.ts';
import { newTraceParent } from './trace-parent.ts';

export interface TransportOptions extends Required<
  Pick<TargetOptions, 'baseUrl' | 'timeoutMs' | 'maxBodyBytes' | 'connections'>
> {
  readonly connection: Connection;
  readonly keys: KeyRing;
  readonly redactor: Redactor;
  readonly bodyTypeOf: BodyTypeOf;
}

/** The innermost sender: sends one request per spec and always returns an Exchange. */
export interface Transport {
  readonly send: Send;
  /** Aborts all requests in flight; they fail as `aborted`. */
  close(): Promise<void>;
}

function shownRequest(redactor: Redactor, base: string, rendered: RenderedRequest): SentRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(rendered.headers)) headers[name] = redactor.text(value);
  const shown = { method: rendered.method, url: redactor.text(base + rendered.target), headers };
  return rendered.body === undefined ? shown : { ...shown, body: redactor.bytes(rendered.body) };
}

/** Writes headers for the wire: secrets in the rendered request are represented by variables. */
function headerWriter(
  keys: KeyRing,
  extra: Readonly<Record<string, string>>,
): (headers: Readonly<Record<string, string>>) => string[] {
  const shown = shownHeaders(extra);
  const real = new Map(Object.entries(extra).map(([name, value]) => [name.toLowerCase(), value]));
  return (headers) =>
    Object.entries(headers).flatMap(([name, value]) => {
      if (name === 'authorization') return [name, keys.fillIn(value)];
      const own = shown[name];
      const isOwn = own !== undefined && (value === own || (name === 'cookie' && value.startsWith(`${own}; `)));
      return [name, isOwn ? `${real.get(name) ?? own}${value.slice(own.length)}` : value];
    });
}

/** True where a target may have closed a kept connection without having received the request. */
function isUnclear({ kind, stage }: Failure): boolean {
  return kind === 'reset' && stage === 'sent';
}

/** How long after a server error the server may be closing the connection: some say so in no header. */
const AFTER_ERROR_MS = 100;

/**
 * Opens the connections to a target. Redirects are not followed: nothing is ever sent to another origin. Once an origin has closed a
 * kept connection instead of responding to a request that may change something, each such request gets a connection of its own; so do
 * those that follow a server error closely.
 */
export function createTransport(options: TransportOptions): Transport {
  const { connection, keys, redactor, timeoutMs, maxBodyBytes } = options;
  const baseOf = baseFinder(options.baseUrl, connection.bases);
  const dispatchers = createDispatchers(options);
  const shown = shownHeaders(connection.headers ?? {});
  const wireHeaders = headerWriter(keys, connection.headers ?? {});
  const closing = new Set<string>();
  const failedAt = new Map<string, number>();
  let count = 0;

  function dispatch(spec: RequestSpec, base: BaseUrl, rendered: RenderedRequest, fresh: boolean): Promise<AttemptEnd> {
    const request: Dispatcher.DispatchOptions & { readonly fresh: boolean } = {
      fresh,
      path: rendered.wire.target,
      method: rendered.method,
      headers: wireHeaders(rendered.wire.headers),
      body: rendered.body ?? null,
    };
    return new Promise((resolve) => {
      const attempt = new Attempt({ maxBodyBytes, timeoutMs: spec.timeoutMs ?? timeoutMs }, resolve);
      dispatchers.dispatch(base, request, attempt);
    });
  }

  async function send(spec: RequestSpec): Promise<Exchange> {
    count += 1;
    const id = `x${count}`;
    const base = baseOf(spec.operation);
    const rendered = renderRequest(spec, {
      bodyTypeOf: options.bodyTypeOf,
      extra: { traceparent: newTraceParent(), ...shown },
      fill: (text) => keys.fillIn(text),
    });
    const mayChange = !isSafe(rendered.method);
    const sinceError = performance.now() - (failedAt.get(base.origin) ?? -Infinity);
    const fresh = mayChange && (closing.has(base.origin) || sinceError < AFTER_ERROR_MS);
    const outcome = await dispatch(spec, base, rendered, fresh);
    const common = {
      id,
      operation: spec.operation.id,
      form: formOf(spec).name,
      identity: spec.identity ?? 'full',
      request: shownRequest(redactor, base.href, rendered),
      sentAt: outcome.sentAt,
      durationMs: outcome.durationMs,
      attempts: 1,
    };
    if (outcome.response === undefined) {
      const told = failureOf(outcome);
      const failure = { ...told, message: redactor.text(told.message) };
      if (!mayChange || fresh || !isUnclear(failure)) return { ...common, failure };
      closing.add(base.origin);
      return { ...common, failure: { ...failure, isUnclear: true } };
    }
    if (outcome.response.status === 500) failedAt.set(base.origin, performance.now());
    const context = { redactor, maxBodyBytes, method: rendered.method };
    return { ...common, response: await receive(outcome.response, context) };
  }

  return { send, close: () => dispatchers.destroy() };
}
