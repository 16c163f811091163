import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A TCP proxy in front of a server of this machine, whose connections can be slow or cut. */
export interface TcpProxy {
  readonly port: number;
  /** Delays what is sent from now on, in each direction. */
  delay(toServerMs: number, toClientMs: number): void;
  /** Drops everything from now on; connections stay open, as behind a black hole. */
  cut(): void;
  /** Ends a cut: open connections are reset, new ones work. */
  mend(): void;
  close(): void;
}

/** Listens on a port of its own. */
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
    mend: () => {
      isCut = false;
      reset();
    },
    close: () => {
      server.close();
      reset();
    },
  };
}
