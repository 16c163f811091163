import type { Socket } from 'node:net';
import { serve } from '../../client/testing/fixtures.ts';

export interface HostileRequest {
  readonly path: string;
  readonly host: string;
  /** What stands after `Bearer `; empty where nothing does. */
  readonly token: string;
}

/** What a hostile server does with a request; it writes bytes as it likes. */
export type Hostility = (socket: Socket, request: HostileRequest) => void;

export interface HostileServer {
  readonly baseUrl: string;
  /** Method and path of all requests, in the order they came. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const HEALTHY = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]';
const REFUSED = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n';

/** Listens on 127.0.0.1; the first `normalResponses` requests are answered as a healthy service would, so that a run begins. */
export async function startHostile(behave: Hostility, normalResponses: number): Promise<HostileServer> {
  const requests: string[] = [];
  const { url: baseUrl, close } = await serve((request) => {
    const { method, url: path = '/', headers, socket } = request.resume();
    const { authorization = '', host = '' } = headers;
    requests.push(`${method} ${path}`);
    const token = /^Bearer (.*)$/i.exec(authorization)?.[1] ?? '';
    if (requests.length > normalResponses) behave(socket, { path, host, token });
    else socket.write(/^Bearer (?!expired)/i.test(authorization) ? HEALTHY : REFUSED);
  });
  return { baseUrl, requests, close };
}
