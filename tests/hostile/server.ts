import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { listen } from '../../client/testing/fixtures.ts';

/** A request as it came in: its head as text. */
export interface HostileRequest {
  readonly head: string;
  readonly path: string;
  /** What stands after `Bearer `; empty where nothing does. */
  readonly token: string;
}

/** What a hostile server does with a request; it writes bytes as it likes. */
export type Hostility = (socket: Socket, request: HostileRequest) => void;

export interface HostileServer {
  readonly baseUrl: string;
  /** Heads of all requests, in the order they came. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const HEALTHY = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]';
const REFUSED = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n';

/** Listens on 127.0.0.1; the first `normalResponses` requests are answered as a healthy service would, so that a run begins. */
export async function startHostile(behave: Hostility, normalResponses: number): Promise<HostileServer> {
  const requests: string[] = [];
  const tcp = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (;;) {
        const taken = take(text);
        if (taken === undefined) return;
        text = taken.rest;
        requests.push(taken.head);
        if (requests.length <= normalResponses)
          socket.write(/^authorization: Bearer (?!expired)/im.test(taken.head) ? HEALTHY : REFUSED);
        else behave(socket, described(taken.head));
      }
    });
  });
  const { url: baseUrl, close } = await listen(tcp);
  return { baseUrl, requests, close };
}

/** The first whole request of what has come so far. */
function take(text: string): { readonly head: string; readonly rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return text.length < end + 4 + length ? undefined : { head, rest: text.slice(end + 4 + length) };
}

function described(head: string): HostileRequest {
  return {
    head,
    path: head.split(' ', 2)[1] ?? '/',
    token: /^authorization: Bearer (.*)$/im.exec(head)?.[1]?.trim() ?? '',
  };
}
