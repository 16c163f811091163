import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a server of this machine that can be slow, or cut. */
export interface Way {
  readonly port: number;
  /** What is sent from now on arrives so much later: one way, and back. */
  delay(thereMs: number, backMs: number): void;
  /** Nothing arrives any more, and nobody is told; connections stay open. */
  cut(): void;
  /** Connections of before are reset, as after a long cut; new ones work. */
  mend(): void;
  close(): void;
}

/** A TCP proxy on a port of its own. */
export async function openWay(target: number): Promise<Way> {
  const sockets = new Set<Socket>();
  const delays = { there: 0, back: 0 };
  let isCut = false;
  const pass = (from: Socket, to: Socket, way: keyof typeof delays): void => {
    sockets.add(from);
    from.setNoDelay(true).on('error', () => {});
    from.on('data', (bytes) => {
      if (isCut) return;
      const ms = delays[way];
      if (ms === 0) to.write(bytes);
      else setTimeout(() => isCut || to.write(bytes), ms);
    });
    from.on('close', () => {
      sockets.delete(from);
      if (!isCut) to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    pass(client, upstream, 'there');
    pass(upstream, client, 'back');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    delay: (thereMs, backMs) => Object.assign(delays, { there: thereMs, back: backMs }),
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
