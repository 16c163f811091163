import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { roleOf, routeOf } from './routes.ts';
import type { Ask, Call, Context, Make, Mutant, Reply, Tokens } from './types.ts';

/** A running proxy. */
export interface Proxy {
  readonly baseUrl: string;
  /** Requests whose answer, or whose way to the upstream, was changed. */
  hits(): number;
  /** All requests. */
  seen(): number;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Base URL of the healthy service, what comes before `/api`. */
  readonly upstream: string;
  readonly tokens: Tokens;
  readonly make: Make;
  /** Gets what a background actor may use. */
  readonly onContext?: (context: Context) => void;
  /** Closes a connection after so many requests. */
  readonly requestsPerSocket?: number;
  /** Closes a connection that was idle for so long, without a word of warning. */
  readonly idleMs?: number;
  /** A path before `/api`, as a gateway has it. */
  readonly prefix?: string;
}

const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect']);

async function collect(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function plainHeaders(message: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined && !HOP.has(name)) headers[name] = String(value);
  return headers;
}

function replyHeaders(message: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined && !HOP.has(name)) headers[name] = value;
  return headers;
}

/** Sends a request to the upstream and reads the answer whole. */
function forward(upstream: URL, agent: Agent, ask: Ask): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const path = upstream.pathname.replace(/\/$/, '') + ask.path + (ask.query === '' ? '' : `?${ask.query}`);
    const { 'accept-encoding': _, ...headers }: OutgoingHttpHeaders = ask.headers;
    if (ask.body.length > 0 || ['POST', 'PUT', 'PATCH'].includes(ask.method))
      headers['content-length'] = ask.body.length;
    const outgoing = request(
      { agent, host: upstream.hostname, port: upstream.port, method: ask.method, path, headers },
      (message) => {
        collect(message).then(
          (body) => resolve({ status: message.statusCode ?? 0, headers: replyHeaders(message), body }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(ask.body);
  });
}

function sameReply(a: Reply, b: Reply): boolean {
  return (
    a === b ||
    (a.status === b.status &&
      a.wire === b.wire &&
      a.body.equals(b.body) &&
      JSON.stringify(a.headers) === JSON.stringify(b.headers))
  );
}

function parse(body: Buffer): unknown {
  try {
    return body.length > 0 ? (JSON.parse(body.toString('utf8')) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** The request with all that is known about it. */
export function callOf(ask: Ask, tokens: Tokens): Call {
  return {
    ...ask,
    route: routeOf(ask.method, ask.path),
    role: roleOf(ask.headers['authorization'], tokens),
    search: new URLSearchParams(ask.query),
    json: parse(ask.body),
  };
}

/** Sends a body in a dozen parts, a little apart. */
function trickle(body: Buffer, response: ServerResponse): void {
  const size = Math.max(1, Math.ceil(body.length / 12));
  const next = (from: number): void => {
    if (from >= body.length) response.end();
    else response.write(body.subarray(from, from + size), () => setTimeout(next, 1, from + size));
  };
  next(0);
}

function write(reply: Reply, response: ServerResponse, method: string): void {
  if (reply.wire === 'reset') {
    response.socket?.destroy();
    return;
  }
  const headers: OutgoingHttpHeaders = { ...reply.headers };
  if (reply.wire === 'hinted') {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
  }
  if (reply.wire === 'until-close') {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
  }
  const bodiless = method === 'HEAD' || reply.status === 204 || reply.status === 304;
  if (reply.wire !== 'chunked' && reply.wire !== 'until-close' && !bodiless)
    headers['content-length'] = reply.body.length;
  response.writeHead(reply.status, headers);
  if (reply.wire === 'short')
    response.write(reply.body.subarray(0, reply.body.length >> 1), () => response.socket?.destroy());
  else if (bodiless) response.end();
  else if (reply.wire === 'trickle') trickle(reply.body, response);
  else response.end(reply.body);
}

async function askOf(incoming: IncomingMessage, prefix: string): Promise<Ask | undefined> {
  const url = incoming.url ?? '/';
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  const body = await collect(incoming);
  if (!path.startsWith(prefix)) return undefined;
  return {
    method: incoming.method ?? 'GET',
    path: path.slice(prefix.length),
    query: cut < 0 ? '' : url.slice(cut + 1),
    headers: plainHeaders(incoming),
    body,
  };
}

/** Whatever Node told the client of how long it keeps a connection. */
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
const BAD_GATEWAY: Reply = {
  status: 502,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from('the upstream of the proxy is gone'),
};

/** Stands between a client and a healthy service on a port of its own. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const upstream = new URL(options.upstream);
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const count = { hits: 0, seen: 0 };
  const context: Context = {
    tokens: options.tokens,
    ask: (method, target, body) => {
      if (method !== 'GET') count.hits += 1;
      const [path = '', query = ''] = target.split('?');
      const headers: Record<string, string> = {
        authorization: `Bearer ${options.tokens.full}`,
        accept: 'application/json',
      };
      if (body !== undefined) headers['content-type'] = 'application/json';
      return forward(upstream, agent, {
        method,
        path,
        query,
        headers,
        body: body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)),
      });
    },
  };
  const handler = options.make(context);
  options.onContext?.(context);

  async function handle(ask: Ask): Promise<Reply> {
    let plain: Reply | undefined;
    const reply = await handler(callOf(ask, options.tokens), async (changes) => {
      if (changes !== undefined && ask.method !== 'GET') count.hits += 1;
      const answered = await forward(upstream, agent, { ...ask, ...changes });
      if (changes === undefined) plain = answered;
      return answered;
    });
    count.seen += 1;
    if (plain === undefined || !sameReply(plain, reply)) count.hits += 1;
    return reply;
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    askOf(incoming, options.prefix ?? '')
      .then((ask) => (ask === undefined ? NOT_FOUND : handle(ask)))
      .catch((error: unknown) => ({ ...BAD_GATEWAY, body: Buffer.from(`proxy: ${String(error)}`) }))
      .then((reply) => write(reply, response, incoming.method ?? 'GET'))
      .catch(() => response.destroy());
  });
  if (options.idleMs !== undefined) closeWhenIdle(server, options.idleMs);
  if (options.requestsPerSocket !== undefined) server.maxRequestsPerSocket = options.requestsPerSocket;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${options.prefix ?? ''}`,
    hits: () => count.hits,
    seen: () => count.seen,
    close: () => close(server, agent),
  };
}

/** Stands between a client and a healthy service and breaks one promise. */
export function startMutant(options: { upstream: string; mutant: Mutant; tokens: Tokens }): Promise<Proxy> {
  return startProxy({ upstream: options.upstream, tokens: options.tokens, make: options.mutant.make });
}
