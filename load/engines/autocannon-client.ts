import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type net from 'node:net';

/** The release whose internals are overridden here; `autocannon-client.test.ts` fails when they change. */
export const AUTOCANNON_VERSION = '9.0.0';

/** What autocannon's parser tells of a response's head. */
export interface ParsedHead {
  readonly statusCode: number;
  readonly statusMessage: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly shouldKeepAlive: boolean;
}

/** The queue of requests under way; ours holds one and joins no bodies. */
export interface RequestQueue {
  insertRequest(request: unknown): void;
  addByteCount(count: number): void;
  addBody(data: Buffer): void;
  setHeaders(head: ParsedHead): void;
  terminateRequest(): {
    readonly req: unknown;
    readonly headers: ParsedHead;
    readonly body: string;
    readonly bytes: number;
    readonly duration: number;
  };
  clear(): void;
}

/** What is used and overridden of autocannon's client. */
export interface AutocannonClient extends EventEmitter {
  conn: net.Socket;
  pipelinedRequests: RequestQueue;
  readonly timeoutTicker: { reschedule(ms: number): void; clear(): void };
  readonly parser: { execute(chunk: Buffer): number | Error; finish(): unknown; reinitialize(type: 'RESPONSE'): void };
  readonly requestIterator: { nextRequest(): void };
  _connect: () => void;
  _doRequest: () => void;
  readonly _destroyConnection: () => void;
  getRequestBuffer: () => Buffer;
  destroy(): void;
}

type Overrides = Pick<AutocannonClient, '_connect' | '_doRequest' | 'getRequestBuffer' | 'pipelinedRequests'>;
type ClientConstructor = new (options: Readonly<Record<string, unknown>>) => AutocannonClient;

const Client = createRequire(import.meta.url)('autocannon/lib/httpClient.js') as ClientConstructor;

/** Writes the next request, as autocannon does it. */
export function writeRequest(client: AutocannonClient): void {
  const { _doRequest: write } = Client.prototype as AutocannonClient;
  write.call(client);
}

/** Ends the connection without counting anything. */
export function dropConnection(client: AutocannonClient): void {
  const { _destroyConnection: drop } = client;
  drop.call(client);
}

/** A client of autocannon whose connecting, pacing and request bytes are ours. `overrides` is called before it connects. */
export function createClient(timeoutMs: number, overrides: (client: AutocannonClient) => Overrides): AutocannonClient {
  const setupClient = (client: AutocannonClient): void => {
    Object.assign(client, overrides(client));
    client.requestIterator.nextRequest = () => {};
  };
  return new Client({ hostname: 'localhost', timeout: timeoutMs / 1000, setupClient });
}
