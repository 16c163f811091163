import type net from 'node:net';
import type { FailureKind } from '../../spec/index.ts';
import { createClient, dropConnection, writeRequest } from './autocannon-client.ts';
import type { AutocannonClient, ParsedHead, RequestQueue } from './autocannon-client.ts';
import { Backoff } from './backoff.ts';
import { failureKind } from './failure-kind.ts';
import type { Endpoint } from './messages.ts';
import type { KeptAnswer } from './response-reader.ts';
import { openSocket, readyEvent } from './socket.ts';
import type { ReadyRequest } from './traffic.ts';

/** What a connection tells the engine that owns it. */
export interface ClosedOwner {
  /** Connected, or the last request is answered: the next may be sent. */
  free(connection: ClosedConnection): void;
  answered(connection: ClosedConnection, status: number): void;
  /** Without a request on it, connecting failed. */
  failed(connection: ClosedConnection, kind: FailureKind): void;
  gone(connection: ClosedConnection): void;
  wantsBody(connection: ClosedConnection, status: number): boolean;
}

/** Copied before the parser's buffer is used again. */
function keptHead(head: ParsedHead): Buffer {
  let text = `HTTP/1.1 ${head.statusCode} ${head.statusMessage}\r\n`;
  for (let at = 0; at + 1 < head.headers.length; at += 2) text += `${head.headers[at]}: ${head.headers[at + 1]}\r\n`;
  return Buffer.from(`${text}\r\n`, 'latin1');
}

/** One of autocannon's clients, kept from its habits: it reconnects with a pause, heeds `Connection: close`, and every end counts. */
export class ClosedConnection {
  request: ReadyRequest | undefined;
  id = -1;
  sentAt = 0;
  readonly #endpoint: Endpoint;
  readonly #owner: ClosedOwner;
  readonly #backoff = new Backoff();
  readonly #client: AutocannonClient;
  #socket: net.Socket | undefined;
  #retry: NodeJS.Timeout | undefined;
  #connecting = false;
  #head: ParsedHead | undefined;
  #kept: { head: Buffer; pieces: Buffer[] } | undefined;

  constructor(endpoint: Endpoint, timeoutMs: number, owner: ClosedOwner) {
    this.#endpoint = endpoint;
    this.#owner = owner;
    this.#client = createClient(timeoutMs, (client) => ({
      _connect: () => this.#open(client),
      _doRequest: () => this.#next(client),
      getRequestBuffer: () => (this.request as ReadyRequest).bytes,
      pipelinedRequests: this.#queue(),
    }));
    this.#client.on('response', (status: number) => this.#answered(status));
    this.#client.on('timeout', () => this.#fail('timeout'));
  }

  send(request: ReadyRequest, id: number, now: number): void {
    this.request = request;
    this.id = id;
    this.sentAt = now;
    writeRequest(this.#client);
    if (this.#client.conn.writableLength > 0) request.bytes = Buffer.from(request.bytes);
  }

  kept(): KeptAnswer | undefined {
    const kept = this.#kept;
    return kept && { head: kept.head, body: Buffer.concat(kept.pieces), truncated: false };
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#socket = undefined;
    this.#client.destroy();
  }

  #queue(): RequestQueue {
    return {
      insertRequest: () => (this.#kept = undefined),
      addByteCount: () => {},
      addBody: (data) => void this.#kept?.pieces.push(Buffer.from(data)),
      setHeaders: (head) => {
        this.#head = head;
        if (head.statusCode >= 200 && this.#owner.wantsBody(this, head.statusCode))
          this.#kept = { head: keptHead(head), pieces: [] };
      },
      terminateRequest: () => ({ req: undefined, headers: this.#head as ParsedHead, body: '', bytes: 0, duration: 0 }),
      clear: () => {},
    };
  }

  #open(client: AutocannonClient): void {
    this.#socket = undefined;
    if (this.#retry) return;
    const wait = this.#backoff.wait();
    if (wait === 0) return this.#connect(client);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#connect(client);
    }, wait);
  }

  #connect(client: AutocannonClient): void {
    client.parser.reinitialize('RESPONSE');
    const socket = openSocket(this.#endpoint, (bytes, size) => this.#received(client, bytes, size));
    this.#socket = client.conn = socket;
    this.#connecting = true;
    let problem: unknown;
    socket.once(readyEvent(this.#endpoint), () => {
      this.#connecting = false;
      this.#owner.free(this);
    });
    socket.on('error', (error) => (problem = error));
    socket.on('end', () => {
      if (this.request && this.#socket === socket) client.parser.finish();
    });
    socket.on('close', () => {
      if (this.#socket === socket) this.#lost(client, problem === undefined ? 'reset' : failureKind(problem));
    });
  }

  #received(client: AutocannonClient, bytes: Buffer, size: number): void {
    const outcome = client.parser.execute(bytes.subarray(0, size));
    if (outcome instanceof Error) {
      this.#fail('protocol');
      this.#reconnect(client);
    }
  }

  #answered(status: number): void {
    if (status < 200 || !this.request) return;
    this.#backoff.succeeded();
    this.#owner.answered(this, status);
    this.request = undefined;
  }

  /** Where autocannon would send the next request: after an answer, also after an interim one. */
  #next(client: AutocannonClient): void {
    if (this.request) return;
    if (this.#head?.shouldKeepAlive === false) this.#reconnect(client);
    else this.#owner.free(this);
  }

  #reconnect(client: AutocannonClient): void {
    this.#head = undefined;
    dropConnection(client);
    this.#open(client);
  }

  #lost(client: AutocannonClient, kind: FailureKind): void {
    if (this.#connecting || this.request) this.#fail(kind);
    else this.#owner.gone(this);
    this.#open(client);
  }

  /** Counts what was under way; nothing where nothing was. */
  #fail(kind: FailureKind): void {
    if (this.#connecting || this.request) this.#owner.failed(this, kind);
    else this.#owner.gone(this);
    this.#connecting = false;
    this.request = undefined;
  }
}
