import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { proxyAuthorization } from '../../client/connection.ts';
import type { Endpoint } from './messages.ts';
import { connectSocket, readyEvent } from './socket.ts';

/** A local port that leads through a proxy to one host. */
export interface Tunnel {
  readonly port: number;
  close(): Promise<void>;
}

const LONGEST_HEAD = 16 * 1024;

/** Requests a tunnel from the proxy, then forwards the bytes of both sides. A response other than 2xx closes both. */
function join(local: Socket, upstream: Socket, ready: string, request: string): void {
  let head = '';
  const end = (): void => {
    local.destroy();
    upstream.destroy();
  };
  const receive = (bytes: Buffer): void => {
    head += bytes.toString('latin1');
    const length = head.indexOf('\r\n\r\n') + 4;
    if (length < 4 && head.length < LONGEST_HEAD) return;
    upstream.off('data', receive);
    if (length < 4 || !/^HTTP\/1\.[01] 2/.test(head)) return end();
    if (head.length > length) local.write(Buffer.from(head.slice(length), 'latin1'));
    local.pipe(upstream).pipe(local);
  };
  local.pause();
  local.setNoDelay(true);
  local.on('error', end).on('close', end);
  upstream.on('error', end).on('close', end);
  upstream.once(ready, () => upstream.write(request));
  upstream.on('data', receive);
}

/** Opens a local port that leads through a proxy to `authority` (`host:port`), for engines that open their own TLS connections. */
export async function openTunnel(proxy: URL, endpoint: Endpoint, authority: string): Promise<Tunnel> {
  const authorization = proxyAuthorization(proxy);
  const credentials = authorization === undefined ? '' : `proxy-authorization: ${authorization}\r\n`;
  const request = `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`;
  const sockets = new Set<Socket>();
  const server = createServer((local) => {
    sockets.add(local.once('close', () => sockets.delete(local)));
    join(local, connectSocket(endpoint), readyEvent(endpoint), request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
