import { request } from 'node:http';
import type { Agent, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Outgoing, Reply } from './message.ts';

/** Headers that belong to one connection (RFC 9110, 7.6.1), and those that the proxy computes itself. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect']);

async function collect(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function endToEnd(message: IncomingMessage): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(message.headers).flatMap(([name, value]) =>
      value === undefined || HOP.has(name) ? [] : [[name, value]],
    ),
  );
}

/** Reads a request; undefined where its path does not begin with the prefix. */
export async function readRequest(incoming: IncomingMessage, prefix: string): Promise<Outgoing | undefined> {
  const [path = '', ...query] = (incoming.url ?? '/').split('?');
  const body = await collect(incoming);
  if (!path.startsWith(prefix)) return undefined;
  return {
    method: incoming.method ?? 'GET',
    path: path.slice(prefix.length),
    query: query.join('?'),
    headers: Object.fromEntries(Object.entries(endToEnd(incoming)).map(([name, value]) => [name, String(value)])),
    body,
  };
}

/** Sends a request to the target and reads the whole response. */
export function forward(upstream: URL, agent: Agent, { method, path, query, headers, body }: Outgoing): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { 'accept-encoding': _, ...sent }: OutgoingHttpHeaders = headers;
    if (body.length > 0 || ['POST', 'PUT', 'PATCH'].includes(method)) sent['content-length'] = body.length;
    const target = upstream.pathname.replace(/\/$/, '') + path + (query === '' ? '' : `?${query}`);
    const outgoing = request(
      { agent, host: upstream.hostname, port: upstream.port, method, path: target, headers: sent },
      (message) => {
        collect(message).then(
          (read) => resolve({ status: message.statusCode ?? 0, headers: endToEnd(message), body: read }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Sends a body in a dozen parts, a millisecond apart. */
function trickle(body: Buffer, response: ServerResponse): void {
  const size = Math.max(1, Math.ceil(body.length / 12));
  const next = (from: number): void => {
    if (from >= body.length) response.end();
    else response.write(body.subarray(from, from + size), () => setTimeout(next, 1, from + size));
  };
  next(0);
}

function beginReply({ wire }: Reply, response: ServerResponse): void {
  if (wire === 'hinted') {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
  }
  if (wire === 'until-close') {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
  }
}

/** Sends a reply the way its `wire` says. */
export function writeReply(reply: Reply, response: ServerResponse, method: string): void {
  const { wire, status, body } = reply;
  if (wire === 'reset') return void response.socket?.destroy();
  const headers: OutgoingHttpHeaders = { ...reply.headers };
  const bodiless = method === 'HEAD' || status === 204 || status === 304;
  if (wire !== 'chunked' && wire !== 'until-close' && !bodiless) headers['content-length'] = body.length;
  beginReply(reply, response);
  response.writeHead(status, headers);
  if (wire === 'short') response.write(body.subarray(0, body.length >> 1), () => response.socket?.destroy());
  else if (bodiless) response.end();
  else if (wire === 'trickle') trickle(body, response);
  else response.end(body);
}
