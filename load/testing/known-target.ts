import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How a target behaves. Default: it answers at once. */
export interface Behaviour {
  /** `servers` serve one request each, in order of arrival, `serviceMs` long. */
  readonly queue?: { readonly servers: number; readonly serviceMs: number };
  /** The service time of the queue grows linearly by this factor over this time. */
  readonly tires?: { readonly times: number; readonly overMs: number };
  /** The whole process freezes at the end of each period. */
  readonly freezes?: { readonly everyMs: number; readonly forMs: number };
  /** One of every `each` requests takes this long. */
  readonly slow?: { readonly each: number; readonly ms: number };
  /** Closes the connection after this many responses, with or without `Connection: close`. */
  readonly closes?: { readonly after: number; readonly tells: boolean };
  /** The connection is reset at one of every `each` requests. */
  readonly resets?: { readonly each: number };
  /** One of every `each` requests is answered with this status. */
  readonly fails?: { readonly each: number; readonly status: number };
  /** Bodies are wrong while more requests are in flight. */
  readonly wrongAbove?: { readonly inFlight: number };
  /** Closes its port and all connections at this request, and returns later. */
  readonly away?: { readonly after: number; readonly forMs: number };
  readonly chunked?: boolean;
  /** Bodies have no length: they end with the connection. */
  readonly untilEnd?: boolean;
  /** The certificate of connections after the first so many. */
  readonly laterTls?: { readonly after: number; readonly key: string; readonly cert: string };
  /** Responses are compressed. */
  readonly gzip?: boolean;
  /** Never answers. */
  readonly silent?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Runs in its own thread. */
const SERVER = `
const http = require('node:http');
const https = require('node:https');
const { gzipSync } = require('node:zlib');
const { parentPort, workerData: b } = require('node:worker_threads');
const began = performance.now();
const free = Array.from({ length: b.queue ? b.queue.servers : 0 }, () => 0);
const ids = new Map();
let count = 0, inFlight = 0, connections = 0, most = 0, timer, due = [];
function tick() {
  clearTimeout(timer);
  const now = performance.now();
  while (due.length > 0 && due[0].at <= now) due.shift().run();
  if (due.length > 0) due[0].at - now > 2 ? timer = setTimeout(tick, due[0].at - now - 1.5) : setImmediate(tick);
}
function at(when, run) {
  let index = due.length;
  while (index > 0 && due[index - 1].at > when) index -= 1;
  due.splice(index, 0, { at: when, run });
  if (due.length === 1 || index === 0) tick();
}
function serviceMs(now) {
  const { times, overMs } = b.tires || { times: 1, overMs: 1 };
  return b.queue.serviceMs * (1 + (times - 1) * Math.min(1, (now - began) / overMs));
}
function readyAt(now, number) {
  if (b.queue) {
    const server = free.indexOf(Math.min(...free));
    return free[server] = Math.max(now, free[server]) + serviceMs(now);
  }
  return b.slow && number % b.slow.each === 0 ? now + b.slow.ms : now;
}
function answer(request, response, body, number) {
  inFlight -= 1;
  const socket = response.socket;
  if (!socket || b.silent) return;
  if (b.resets && number % b.resets.each === 0) return socket.resetAndDestroy();
  const failed = b.fails && number % b.fails.each === 0;
  const closing = b.closes && (socket.answers = (socket.answers || 0) + 1) >= b.closes.after;
  const wrong = b.wrongAbove && inFlight > b.wrongAbove.inFlight;
  const plain = wrong ? '{"ok":"no"' : '{"ok":true}';
  const text = b.gzip ? gzipSync(plain) : plain;
  if (b.untilEnd) return socket.end('HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\n\\r\\n' + plain);
  response.writeHead(failed ? b.fails.status : 200, { 'content-type': 'application/json', 'x-accept': request.headers.accept || '', ...(b.gzip ? { 'content-encoding': 'gzip' } : {}), ...(closing && b.closes.tells ? { connection: 'close' } : {}), ...(b.chunked ? {} : { 'content-length': text.length }) });
  if (b.chunked) response.write(text.slice(0, 4));
  response.end(b.chunked ? text.slice(4) : text, () => { if (closing && !b.closes.tells) socket.end(); });
}
function leave() {
  const { port } = server.address();
  server.close();
  server.closeAllConnections();
  setTimeout(() => server.listen(port, '127.0.0.1'), b.away.forMs);
}
const server = (b.tls ? https : http).createServer(b.tls || {}, (request, response) => {
  let body = '';
  request.on('data', (bytes) => body += bytes);
  request.on('end', () => {
    const number = count += 1;
    inFlight += 1;
    most = Math.max(most, inFlight);
    if (b.away && number === b.away.after) leave();
    const id = /"id":"([^"]*)"/.exec(body);
    if (id) ids.set(id[1], (ids.get(id[1]) || 0) + 1);
    const now = performance.now();
    const when = readyAt(now, number);
    if (when <= now) answer(request, response, body, number);
    else at(when, () => answer(request, response, body, number));
  });
  request.on('error', () => {});
});
server.keepAliveTimeout = 60000;
server.on('connection', (socket) => {
  connections += 1;
  if (b.laterTls && connections >= b.laterTls.after) server.setSecureContext(b.laterTls);
});
server.on('clientError', (error, socket) => socket.destroy());
// A process that stands still serves nothing: what is being served takes that much longer.
function freeze() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, b.freezes.forMs);
  const now = performance.now();
  for (const [index, at] of free.entries()) if (at > now - b.freezes.forMs) free[index] = at + b.freezes.forMs;
  due = due.map((one) => ({ ...one, at: one.at + b.freezes.forMs }));
  tick();
}
if (b.freezes) setInterval(freeze, b.freezes.everyMs);
server.listen(0, '127.0.0.1');
server.once('listening', () => parentPort.postMessage(server.address().port));
parentPort.on('message', () => parentPort.postMessage({ count, connections, most, unique: ids.size, repeated: [...ids.values()].filter((times) => times > 1).length }));`;

/** Requests that a target received. */
export interface Seen {
  readonly count: number;
  readonly connections: number;
  readonly most: number;
  readonly unique: number;
  readonly repeated: number;
}

/** A real server of known behaviour, on a free port of the loopback interface. */
export interface KnownTarget {
  readonly baseUrl: string;
  readonly port: number;
  seen(): Promise<Seen>;
  close(): Promise<void>;
}

export async function startKnownTarget(behaviour: Behaviour = {}): Promise<KnownTarget> {
  const thread = new Worker(SERVER, { eval: true, execArgv: [], workerData: behaviour });
  const [port] = (await once(thread, 'message')) as [number];
  return {
    port,
    baseUrl: `${behaviour.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen: async () => {
      const told = once(thread, 'message');
      thread.postMessage('seen');
      return (await told)[0] as Seen;
    },
    close: async () => void (await thread.terminate()),
  };
}
