import type { Client } from 'autocannon';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FailureKind } from '../../spec/index.ts';
import { failureKind } from './socket.ts';
import { isHead } from './traffic.ts';
import type { ReadyRequest } from './traffic.ts';

/** Failures in a row on one client after which autocannon is restarted, because it reconnects without a pause. */
const FAILURES_IN_A_ROW = 5;
const NOTHING = Buffer.alloc(0);
/** A request of at most this size is in the kernel's buffer when `write` returns, if the socket is idle. */
const WRITTEN_AT_ONCE = 16_384;

/** What autocannon's client has beside its published types. */
export interface ClientInternals extends Client {
  readonly opts: object;
  /** Undefined before the first connection. */
  readonly conn: Socket | undefined;
  /** Of http-parser-js. */
  readonly parser: {
    readonly type: string;
    isChunked: boolean;
    body_bytes: number | null;
    shouldKeepAlive(): boolean;
    finish(): unknown;
    reinitialize(type: string): void;
  };
  readonly _connect: () => void;
  readonly _destroyConnection: () => void;
}

/** The argument of the `headers` event, for which the published types are wrong. */
interface ResponseHead {
  readonly statusCode: number;
  readonly statusMessage: string;
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  shouldKeepAlive: boolean;
}

export function headText({ statusCode, statusMessage, headers }: ResponseHead): string {
  let text = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
  for (let at = 0; at + 1 < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${text}\r\n`;
}

/** The run that a client belongs to. */
export interface ClosedOwner {
  /** True if requests may wait for the next second. */
  readonly isPaced: boolean;
  /** True if the certificate of the target must be trusted. */
  readonly verifies: boolean;
  /** The id of the request that was given last. */
  readonly lastId: number;
  /** Undefined if nothing more may be sent. */
  nextRequest(now: number): ReadyRequest | undefined;
  answered(client: ClosedClient, request: ReadyRequest, status: number, now: number): void;
  failed(client: ClosedClient, kind: FailureKind): void;
  /** Ends this instance of autocannon; another one follows when the target accepts connections. */
  restart(): void;
}

/** A connection of the closed model, and what it changes in autocannon's client. */
export class ClosedClient {
  request: ReadyRequest | undefined;
  id = -1;
  sentAt = 0;
  head: ResponseHead | undefined;
  readonly #run: ClosedOwner;
  /** Time of the response that autocannon follows with a request at once; 0 if there is none. */
  #answeredAt = 0;
  #lossesInRow = 0;
  #interim = false;
  /** True until the certificate of a new connection is known to be trusted. */
  #isUntrusted = false;

  constructor(client: ClientInternals, run: ClosedOwner) {
    this.#run = run;
    const { _connect: connect } = client;
    Object.assign(client, {
      getRequestBuffer: () => (this.#isUntrusted ? NOTHING : this.#next()),
      _connect: () => {
        this.#leave(client);
        this.#isUntrusted = run.verifies;
        connect.call(client);
        if (run.verifies) this.#sendOnceTrusted(client.conn as TLSSocket);
      },
    });
    client.on('headers', (head) => this.#begun(client, head as unknown as ResponseHead));
    client.on('response', (status) => this.#answered(status));
    client.addListener('connError', (error: unknown) => this.#lost(failureKind(error)));
  }

  /** autocannon accepts every certificate: its first request waits until the connection is known to be to the target. */
  #sendOnceTrusted(socket: TLSSocket): void {
    socket.once('secureConnect', () => {
      this.#isUntrusted = !socket.authorized;
      if (socket.authorized) socket.write(this.#next());
      else socket.destroy(Object.assign(new Error('the certificate is not trusted'), { code: 'TLS' }));
    });
  }

  /** Ends the last connection, with the outcome of its request. */
  #leave(client: ClientInternals): void {
    const { conn, parser, _destroyConnection: disconnect } = client;
    if (conn === undefined) return;
    // autocannon destroys it after a timeout, before it connects again.
    const isTimeout = conn.destroyed;
    // A response without a length is complete when the connection ends.
    if (this.request && !isTimeout) parser.finish();
    if (this.request) this.#lost(isTimeout ? 'timeout' : 'reset');
    this.head = undefined;
    disconnect.call(client);
    parser.reinitialize(parser.type);
  }

  /** What autocannon writes next, after a response or a reconnect; an empty buffer sends nothing. */
  #next(): Buffer {
    if (this.#interim) {
      this.#interim = false;
      return NOTHING;
    }
    const answeredAt = this.#answeredAt;
    this.#answeredAt = 0;
    const now = answeredAt || performance.now();
    if (this.head?.shouldKeepAlive === false) {
      this.head = undefined;
      return NOTHING;
    }
    const request = this.#run.nextRequest(now);
    if (!request) return NOTHING;
    this.request = request;
    this.id = this.#run.lastId;
    this.sentAt = now;
    const { bytes } = request;
    // A write that waits, for example for the connect, needs a copy: the shared request will be patched again.
    return answeredAt > 0 && bytes.length <= WRITTEN_AT_ONCE ? bytes : Buffer.from(bytes);
  }

  /** The parser does not know the method, and takes the length of a body that is not sent as that of one that is. */
  #begun({ parser }: ClientInternals, head: ResponseHead): void {
    this.head = head;
    const { statusCode: status } = head;
    if (status !== 204 && status !== 304 && !(this.request && isHead(this.request))) return;
    parser.isChunked = false;
    parser.body_bytes = 0;
    head.shouldKeepAlive = parser.shouldKeepAlive();
  }

  #answered(status: number): void {
    this.#interim = status < 200;
    if (this.#interim || !this.request) return;
    const now = performance.now();
    this.#answeredAt = this.#run.isPaced ? 0 : now;
    this.#lossesInRow = 0;
    this.#run.answered(this, this.request, status, now);
    this.request = undefined;
  }

  #lost(kind: FailureKind): void {
    this.head = undefined;
    this.#lossesInRow += 1;
    this.#run.failed(this, kind);
    this.request = undefined;
    if (this.#lossesInRow >= FAILURES_IN_A_ROW) this.#run.restart();
  }
}
