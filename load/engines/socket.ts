import net from 'node:net';
import tls from 'node:tls';
import { secureContextOf } from '../../client/tls.ts';
import type { FailureKind } from '../../spec/index.ts';
import type { Endpoint } from './messages.ts';

/** One buffer for all reads of a thread: each read is parsed before the next one. */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536);

const contexts = new WeakMap<Endpoint, tls.SecureContext>();

/** One context for all connections of a thread, because reading all authorities takes long. */
function contextOf(endpoint: Endpoint): tls.SecureContext | undefined {
  const { ca, cert, key } = endpoint;
  const context =
    contexts.get(endpoint) ?? secureContextOf({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) });
  if (context !== undefined) contexts.set(endpoint, context);
  return context;
}

/** TLS options of an endpoint, including those that autocannon does not pass on. */
export function tlsOptions(endpoint: Endpoint): tls.ConnectionOptions {
  const { host, name = host } = endpoint;
  const secureContext = contextOf(endpoint);
  return {
    rejectUnauthorized: !endpoint.insecure,
    ALPNProtocols: ['http/1.1'],
    checkServerIdentity: (_host, certificate) => tls.checkServerIdentity(name, certificate),
    ...(secureContext === undefined ? {} : { secureContext }),
    ...(net.isIP(name) ? {} : { servername: name }),
  };
}

/** Opens a socket, with TLS if the endpoint uses it. */
export function connectSocket(endpoint: Endpoint): net.Socket {
  const { host, port, secure } = endpoint;
  return (secure ? tls.connect({ host, port, ...tlsOptions(endpoint) }) : net.connect({ host, port })).setNoDelay(true);
}

/** Opens a socket that passes its bytes to `received`, which must not keep them. */
export function openSocket(endpoint: Endpoint, received: (bytes: Buffer, size: number) => void): net.Socket {
  if (endpoint.secure) return connectSocket(endpoint).on('data', (bytes: Buffer) => received(bytes, bytes.length));
  const callback = (size: number): boolean => {
    received(READ_BUFFER, size);
    return true;
  };
  return net.connect({
    host: endpoint.host,
    port: endpoint.port,
    noDelay: true,
    onread: { buffer: READ_BUFFER, callback },
  });
}

/** The event after which a socket can be written to. */
export function readyEvent(endpoint: Endpoint): 'connect' | 'secureConnect' {
  return endpoint.secure ? 'secureConnect' : 'connect';
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ETIMEDOUT: 'timeout',
};

export function failureKind(error: unknown): FailureKind {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = KINDS[code];
  if (known) return known;
  return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code) ? 'tls' : 'other';
}

const FIRST_MS = 10;
const HIGHEST_MS = 1000;

/** Pause before an attempt to connect: none after a response, then doubling up to a second. */
export class Backoff {
  #next = 0;

  succeeded(): void {
    this.#next = 0;
  }

  /** The pause before the next attempt, in milliseconds. */
  wait(): number {
    const now = this.#next;
    this.#next = now === 0 ? FIRST_MS : Math.min(HIGHEST_MS, now * 2);
    return now;
  }
}

/** Opens and closes one connection; resolves to the failure, or undefined on success. */
export function probe(endpoint: Endpoint, timeoutMs: number): Promise<FailureKind | undefined> {
  return new Promise((resolve) => {
    const socket = openSocket(endpoint, () => {});
    const settle = (problem: FailureKind | undefined): void => {
      resolve(problem);
      socket.destroy();
    };
    socket.setTimeout(timeoutMs, () => settle('timeout'));
    socket.on('error', (error) => settle(failureKind(error)));
    socket.once(readyEvent(endpoint), () => settle(undefined));
  });
}
