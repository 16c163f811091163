import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { listen, serve } from './fixtures.ts';
import type { TestServer } from './fixtures.ts';

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function joined(a: Socket, b: Socket): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
  a.pipe(b).pipe(a);
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, port: number, path: string): void {
  const { method = 'GET', headers } = incoming;
  const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.writeHead(502).end());
  incoming.pipe(onward);
}

/** A server with only some of the paths of the one behind it. */
export interface TestGateway extends TestServer {
  /** Methods and paths that it received. */
  readonly seen: ReadonlySet<string>;
}

/** Forwards what it accepts, and returns 404 for the rest. */
export async function serveGateway(upstream: string, accepts: (path: string) => boolean): Promise<TestGateway> {
  const seen = new Set<string>();
  const server = await serve((incoming, outgoing) => {
    const path = incoming.url ?? '';
    seen.add(`${incoming.method} ${path.split('?', 1)[0]}`);
    if (accepts(path)) pass(incoming, outgoing, portOf(upstream), path);
    else outgoing.writeHead(404).end();
  });
  return { ...server, seen };
}

/** A TLS server in front of a plain HTTP server. */
export function serveTls(upstream: string, options: TlsOptions): Promise<TestServer> {
  const server = createTlsServer(options, (socket) => joined(socket, connect(portOf(upstream), '127.0.0.1')));
  server.on('tlsClientError', () => {});
  return listen(server, 'https');
}

/** A proxy for absolute URLs and tunnels that resolves host names known to it alone. */
export interface TestProxy extends TestServer {
  readonly seen: readonly string[];
}

/** An HTTP proxy. `hosts` are ports of 127.0.0.1 by host name; `password` is the required `user:password`. */
export async function serveProxy(hosts: Readonly<Record<string, string>> = {}, password?: string): Promise<TestProxy> {
  const seen: string[] = [];
  const wanted = password === undefined ? undefined : `Basic ${Buffer.from(password).toString('base64')}`;
  const portFor = (host: string, port: string): number => {
    const url = hosts[host];
    return url === undefined ? Number(port) : portOf(url);
  };
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    if (incoming.headers['proxy-authorization'] !== wanted) {
      outgoing.writeHead(407).end();
      return;
    }
    const url = new URL(incoming.url ?? '');
    delete incoming.headers['proxy-authorization'];
    pass(incoming, outgoing, portFor(url.hostname, url.port), url.pathname + url.search);
  });
  server.on('connect', (incoming, socket: Socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    if (incoming.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 No\r\n\r\n');
      return;
    }
    const [host = '', port = ''] = (incoming.url ?? '').split(':');
    const onward = connect(portFor(host, port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      joined(socket, onward);
    });
    onward.on('error', () => socket.destroy());
  });
  return { ...(await listen(server)), seen };
}
