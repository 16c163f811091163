import { parseBaseUrl } from '../client/base-url.ts';
import { proxyOf } from '../client/connection.ts';
import type { Connection } from '../client/index.ts';
import { readCredentials } from '../client/tls.ts';
import { openTunnel } from './engines/tunnel.ts';
import type { Endpoint } from './engines/messages.ts';
import type { LoadAuthentication } from './authentication.ts';
import type { TokenRenewal } from './token-renewal.ts';

/** The deployment under load. */
export interface LoadTarget extends Connection {
  /** The part of the URL before `/api/…`; it may have a path. */
  readonly baseUrl: string;
  /** Never shown. */
  readonly token?: string | undefined;
  /** Default: the token in the Authorization header. */
  readonly authentication?: LoadAuthentication;
  /** Default: the token is not renewed. */
  readonly renewal?: TokenRenewal | undefined;
}

export function originOf({ baseUrl }: LoadTarget): string {
  return parseBaseUrl(baseUrl).origin;
}

/** The endpoint of the requests to one origin; `close` closes its tunnel. */
export interface OpenEndpoint {
  readonly endpoint: Endpoint;
  readonly close: () => Promise<void>;
}

function placeOf({ hostname, port, protocol }: URL): Pick<Endpoint, 'host' | 'port' | 'secure'> {
  const secure = protocol === 'https:';
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (secure ? 443 : 80), secure };
}

/** The endpoint of an origin: itself, a proxy for plain HTTP, or a local port with a tunnel through a proxy. */
export async function openEndpoint(origin: string, target: LoadTarget): Promise<OpenEndpoint> {
  const url = new URL(origin);
  const proxy = proxyOf(origin, target);
  const trust = { insecure: target.insecure === true, ...readCredentials(target) };
  const close = (): Promise<void> => Promise.resolve();
  if (proxy === undefined) return { endpoint: { ...placeOf(url), ...trust }, close };
  if (url.protocol === 'http:') return { endpoint: { ...placeOf(proxy), ...trust }, close };
  const { host: name, port } = placeOf(url);
  const tunnel = await openTunnel(proxy, { ...placeOf(proxy), ...trust }, `${url.hostname}:${port}`);
  return {
    endpoint: { host: '127.0.0.1', port: tunnel.port, secure: true, name, ...trust },
    close: () => tunnel.close(),
  };
}
