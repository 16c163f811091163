import type net from 'node:net';
import type { FailureKind } from '../../spec/index.ts';
import type { Idler } from './idle-list.ts';
import type { Endpoint } from './messages.ts';
import { ResponseReader } from './response-reader.ts';
import { Backoff, failureKind, openSocket, readyEvent } from './socket.ts';
import { isHead } from './traffic.ts';
import type { ReadyRequest } from './traffic.ts';

/** Events of a connection, for the engine that owns it. */
export interface ConnectionOwner {
  free(connection: EngineConnection): void;
  /** Its request received a complete response. `free` follows, at once or after a reconnect. */
  answered(connection: EngineConnection, status: number): void;
  /** Its request failed, or, without a request, connecting failed. */
  failed(connection: EngineConnection, kind: FailureKind): void;
  /** No longer ready; no request was lost. */
  gone(connection: EngineConnection): void;
  wantsBody(connection: EngineConnection, status: number): boolean;
}

/** A raw HTTP/1.1 connection with at most one request in flight; reconnects by itself. */
export class EngineConnection implements Idler<EngineConnection> {
  idle = false;
  idleBefore: EngineConnection | undefined;
  idleAfter: EngineConnection | undefined;
  /** The request in flight, its id, and when it was due and sent (`performance.now()`). */
  request: ReadyRequest | undefined;
  id = -1;
  dueAt = 0;
  sentAt = 0;
  /** When it became ready for a request. */
  freeAt = 0;
  /** Start of the current attempt to connect; Infinity if there is none. */
  connectingSince = Infinity;
  readonly reader: ResponseReader;
  readonly #endpoint: Endpoint;
  readonly #owner: ConnectionOwner;
  readonly #backoff = new Backoff();
  #socket: net.Socket | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(endpoint: Endpoint, owner: ConnectionOwner) {
    this.#endpoint = endpoint;
    this.#owner = owner;
    this.reader = new ResponseReader((status) => owner.wantsBody(this, status));
  }

  /** Connects, after a pause if the last attempts failed. */
  open(): void {
    if (this.#closed || this.#retry) return;
    const wait = this.#backoff.wait();
    if (wait === 0) this.#connect();
    else {
      this.#retry = setTimeout(() => {
        this.#retry = undefined;
        this.#connect();
      }, wait);
    }
  }

  send(request: ReadyRequest, id: number, dueAt: number, now: number): void {
    this.request = request;
    this.id = id;
    this.dueAt = dueAt;
    this.sentAt = now;
    this.reader.reset(isHead(request));
    const socket = this.#socket as net.Socket;
    socket.write(request.bytes);
    // The shared bytes will be patched again: what is not written yet stays with this request.
    if (socket.writableLength > 0) request.bytes = Buffer.from(request.bytes);
  }

  /** Ends the request in flight as a failure of this kind, and reconnects. */
  abandon(kind: FailureKind): void {
    this.#drop();
    this.#owner.failed(this, kind);
    this.request = undefined;
    this.open();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#drop();
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.connectingSince = Infinity;
    socket?.removeAllListeners();
    socket?.on('error', () => {});
    socket?.destroy();
  }

  #connect(): void {
    this.connectingSince = performance.now();
    const socket = openSocket(this.#endpoint, (bytes, size) => this.#received(bytes, size));
    this.#socket = socket;
    let problem: unknown;
    socket.once(readyEvent(this.#endpoint), () => {
      this.connectingSince = Infinity;
      this.#becomeFree(performance.now());
    });
    socket.on('error', (error) => (problem = error));
    socket.on('end', () => this.#ended());
    socket.on('close', () => this.#lost(problem === undefined ? 'reset' : failureKind(problem)));
  }

  #becomeFree(now: number): void {
    this.freeAt = now;
    this.#owner.free(this);
  }

  #received(bytes: Buffer, size: number): void {
    const reading = this.request === undefined ? 'broken' : this.reader.read(bytes, size);
    if (reading === 'done') this.#done(this.reader.head.keepAlive);
    else if (reading === 'broken') this.#broken();
  }

  #broken(): void {
    if (this.request) this.abandon('protocol');
    else {
      this.#owner.gone(this);
      this.#drop();
      this.open();
    }
  }

  #done(keepAlive: boolean): void {
    this.#backoff.succeeded();
    this.#owner.answered(this, this.reader.head.status);
    this.request = undefined;
    if (this.#closed) return;
    if (keepAlive) this.#becomeFree(performance.now());
    else {
      this.#drop();
      this.open();
    }
  }

  #ended(): void {
    if (this.request && this.reader.ended() === 'done') this.#done(false);
  }

  #lost(kind: FailureKind): void {
    this.#socket = undefined;
    const failed = this.request !== undefined || this.connectingSince !== Infinity;
    this.connectingSince = Infinity;
    if (failed) this.#owner.failed(this, kind);
    else this.#owner.gone(this);
    this.request = undefined;
    this.open();
  }
}
