import { Pool, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';
import type { BaseUrl } from '../base-url.ts';
import { proxyAuthorization, proxyOf } from '../connection.ts';
import type { Connection } from '../connection.ts';
import { readCredentials, secureContextOf } from '../tls.ts';

export interface DispatcherOptions {
  readonly connection: Connection;
  readonly timeoutMs: number;
  readonly connections: number;
}

/** Connections to the origins of a target, opened when they are first needed. */
export interface Dispatchers {
  /** Sends a request to a base URL; `options.path` is the part after it. `fresh`: on a connection of its own. */
  dispatch(
    base: BaseUrl,
    options: Dispatcher.DispatchOptions & { readonly fresh?: boolean },
    handler: Dispatcher.DispatchHandler,
  ): void;
  destroy(): Promise<void>;
}

interface Route {
  readonly dispatcher: Dispatcher;
  /** Prefix of each request's path: the origin, if a proxy expects absolute URLs. */
  readonly prefix: string;
  /** Further headers, names and values alternating. */
  readonly headers: readonly string[];
}

/** Less than servers keep idle connections: one that they are closing fails, and a change can't be sent again. */
const KEEP_ALIVE_MS = 150;

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 64 * 1024;

function poolOptions({ connection, connections, timeoutMs }: DispatcherOptions) {
  const secureContext = secureContextOf(readCredentials(connection));
  const connect = {
    timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    autoSelectFamilyAttemptTimeout: 1_000,
    rejectUnauthorized: connection.insecure !== true,
    ...(secureContext === undefined ? {} : { secureContext }),
  };
  return {
    connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect,
  };
}

/** Opens the connections of a target. Throws an AssayError for unusable certificate files or proxies. */
export function createDispatchers(options: DispatcherOptions): Dispatchers {
  const { connection } = options;
  const kept = poolOptions(options);
  const routes = new Map<string, Route>();
  let isClosed = false;

  function open(origin: string, fresh: boolean): Route {
    // Without pipelining, undici sends `connection: close` with each request.
    const shared = fresh ? { ...kept, pipelining: 0 } : kept;
    const proxy = proxyOf(origin, connection);
    if (proxy === undefined) return { dispatcher: new Pool(origin, shared), prefix: '', headers: [] };
    const authorization = proxyAuthorization(proxy);
    if (origin.startsWith('https:')) {
      const { connect, ...rest } = shared;
      const uri = proxy.origin;
      const token = authorization === undefined ? {} : { token: authorization };
      const agent = new ProxyAgent({ uri, ...token, ...rest, requestTls: connect, proxyTls: connect });
      return { dispatcher: agent, prefix: '', headers: [] };
    }
    const host = ['host', new URL(origin).host];
    const headers = authorization === undefined ? host : [...host, 'proxy-authorization', authorization];
    return { dispatcher: new Pool(proxy.origin, shared), prefix: origin, headers };
  }

  function routeTo(origin: string, fresh: boolean): Route {
    const key = `${fresh ? 'fresh ' : ''}${origin}`;
    const known = routes.get(key) ?? open(origin, fresh);
    routes.set(key, known);
    if (isClosed) void known.dispatcher.destroy();
    return known;
  }

  return {
    dispatch(base, { fresh = false, ...request }, handler) {
      const { dispatcher, prefix, headers } = routeTo(base.origin, fresh);
      const given = Array.isArray(request.headers) ? request.headers : [];
      dispatcher.dispatch(
        {
          ...request,
          origin: base.origin,
          path: prefix + base.path + request.path,
          headers: headers.length === 0 ? given : [...headers, ...given],
        },
        handler,
      );
    },
    async destroy() {
      isClosed = true;
      await Promise.all([...routes.values()].map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}
