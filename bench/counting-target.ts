import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** An id ends with the digits of the lane and of the number of the request in it. */
const LANE_DIGITS = 3;
const ORDINAL_DIGITS = 7;

/** A request as the target saw it. */
export interface Arrival {
  readonly lane: number;
  /** Number of the request in its lane. */
  readonly ordinal: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Runs in its own thread, so that other work of the bench does not delay responses. */
const SERVER = `
const http = require('node:http');
const { parentPort } = require('node:worker_threads');
let seen = [];
const server = http.createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  let body = '';
  request.on('data', (bytes) => body += bytes);
  request.on('end', () => {
    if (request.method === 'POST') seen.push([at, body]);
    const text = JSON.stringify({ path: request.url });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.end(text);
  });
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
parentPort.on('message', () => parentPort.postMessage(seen));
`;

export interface CountingTarget {
  readonly url: string;
  /** In order of arrival. */
  arrivals(): Promise<readonly Arrival[]>;
  close(): Promise<unknown>;
}

/** A server that records every id it receives. */
export async function openCountingTarget(): Promise<CountingTarget> {
  const worker = new Worker(SERVER, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    async arrivals() {
      worker.postMessage('arrivals');
      const [seen] = (await once(worker, 'message')) as [readonly (readonly [number, string])[]];
      return seen.flatMap(([at, body]) => arrivalOf(at, body));
    },
    close: () => worker.terminate(),
  };
}

function arrivalOf(at: number, body: string): readonly Arrival[] {
  const id = /"attribute-origin":"([^"]+)"/u.exec(body)?.[1];
  if (id === undefined) return [];
  const digits = id.slice(-(LANE_DIGITS + ORDINAL_DIGITS));
  const [lane, ordinal] = [digits.slice(0, LANE_DIGITS), digits.slice(LANE_DIGITS)];
  return [{ lane: Number.parseInt(lane, 36), ordinal: Number.parseInt(ordinal, 36), at }];
}
