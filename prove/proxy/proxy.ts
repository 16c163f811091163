import type { Tokens } from '../../service/start.ts';
import { once } from 'node:events';
import { parsedJson } from '../../spec/index.ts';
import { Agent, createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Call, Context, Make, Outgoing, Reply } from './message.ts';
import { callerOf } from './router.ts';
import type { Router } from './router.ts';
import { forward, readRequest, writeReply } from './wire.ts';

export interface Proxy {
  readonly baseUrl: string;
  /** For extra requests to the target, past the handler. */
  readonly context: Context;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Base URL of the target, what comes before `/api`. */
  readonly upstream: string;
  readonly tokens: Tokens;
  readonly router: Router;
  readonly make: Make;
  /** Default: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Closes a connection after this many requests. */
  readonly requestsPerSocket?: number;
  /** Closes a connection that was idle for this long, in milliseconds. */
  readonly idleMs?: number;
  /** A path before `/api`, as a gateway has it. */
  readonly prefix?: string;
}

/** The request with all that is known about it. */
export function callOf(request: Outgoing, { tokens, route }: Pick<Context, 'tokens' | 'route'>): Call {
  return {
    ...request,
    route: route(request.method, request.path),
    role: callerOf(request.headers['authorization'], tokens),
    search: new URLSearchParams(request.query),
    json: parsedJson(request.body),
  };
}

/** Closes idle connections without the warning that Node would send. */
function closeWhenIdle(server: Server, idleMs: number): void {
  const served = new WeakMap<Socket, number>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (served.get(socket) ?? 0) + 1;
    served.set(socket, count);
    const endIdle = (): void => {
      if (served.get(socket) === count) socket.destroy();
    };
    response.on('finish', () => setTimeout(endIdle, idleMs));
  });
}

async function close(server: Server, agent: Agent): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  await closed;
  agent.destroy();
}

const NOT_FOUND: Reply = { status: 404, headers: {}, body: Buffer.alloc(0) };

function badGateway(error: unknown): Reply {
  return { status: 502, headers: { 'content-type': 'text/plain' }, body: Buffer.from(`proxy: ${String(error)}`) };
}

function extraRequest(options: ProxyOptions, method: string, target: string, body: unknown): Outgoing {
  const [path = '', query = ''] = target.split('?');
  const authorization = `Bearer ${options.tokens.full}`;
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  return { method, path, query, headers: { authorization, accept: 'application/json', ...type }, body: bytes };
}

/** Starts a proxy in front of a target; the handler sees and can change every request and response. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const upstream = new URL(options.upstream);
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const context: Context = {
    tokens: options.tokens,
    route: options.router,
    send: (method, target, body) => forward(upstream, agent, extraRequest(options, method, target, body)),
  };
  const handler = options.make(context);
  const handle = async (sent: Outgoing): Promise<Reply> =>
    handler(callOf(sent, context), (changes) => forward(upstream, agent, { ...sent, ...changes }));
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    readRequest(incoming, options.prefix ?? '')
      .then((sent) => (sent === undefined ? NOT_FOUND : handle(sent)))
      .catch(badGateway)
      .then((reply) => writeReply(reply, response, incoming.method ?? 'GET'))
      .catch(() => response.destroy());
  });
  if (options.idleMs !== undefined) closeWhenIdle(server, options.idleMs);
  if (options.requestsPerSocket !== undefined) server.maxRequestsPerSocket = options.requestsPerSocket;
  const host = options.host ?? '127.0.0.1';
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { baseUrl: `http://${name}:${port}${options.prefix ?? ''}`, context, close: () => close(server, agent) };
}
