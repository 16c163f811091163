import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A TCP proxy in front of a local server that can delay or cut its connections. */
export interface TcpProxy {
  readonly port: number;
  /** Delays data sent from now on, per direction. */
  delay(toServerMs: number, toClientMs: number): void;
  /** Drops all data from now on; connections stay open. */
  cut(): void;
  /** Ends a cut: resets open connections and accepts new ones. */
  restore(): void;
  close(): void;
}

/** Opens a proxy on a free port. */
export async function openProxy(serverPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const delays = { toServer: 0, toClient: 0 };
  let isCut = false;
  const pass = (from: Socket, to: Socket, direction: keyof typeof delays): void => {
    sockets.add(from);
    from.setNoDelay(true).on('error', () => {});
    from.on('data', (bytes) => {
      if (isCut) return;
      const ms = delays[direction];
      if (ms === 0) to.write(bytes);
      else setTimeout(() => isCut || to.write(bytes), ms);
    });
    from.on('close', () => {
      sockets.delete(from);
      if (!isCut) to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    pass(client, upstream, 'toServer');
    pass(upstream, client, 'toClient');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    delay: (toServer, toClient) => Object.assign(delays, { toServer, toClient }),
    cut: () => {
      isCut = true;
    },
    restore: () => {
      isCut = false;
      reset();
    },
    close: () => {
      server.close();
      reset();
    },
  };
}
