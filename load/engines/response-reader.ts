import { ChunkedReader } from './chunked.ts';
import { readHead } from './response-head.ts';
import type { ResponseHead } from './response-head.ts';

const HEAD_LIMIT = 65_536;
const KEEP_LIMIT = 1_048_576;

/** `more`: incomplete. `done`: the response is complete. `broken`: not HTTP/1.1. */
export type ReadState = 'more' | 'done' | 'broken';

export interface KeptAnswer {
  readonly head: Buffer;
  readonly body: Buffer;
  readonly truncated: boolean;
}

/** Parses responses on one connection, one at a time; keeps a body only if `wantsBody` returns true for its status. */
export class ResponseReader {
  readonly head: ResponseHead = { status: 0, length: -1, chunked: false, keepAlive: true };
  readonly #wantsBody: (status: number) => boolean;
  readonly #chunks = new ChunkedReader();
  #pending: Buffer | undefined;
  #isHead = false;
  #inBody = false;
  #left = 0;
  #kept: { head: Buffer; pieces: Buffer[]; size: number; truncated: boolean } | undefined;

  constructor(wantsBody: (status: number) => boolean) {
    this.#wantsBody = wantsBody;
  }

  /** Call before each request. @param isHead true if its method is HEAD */
  reset(isHead: boolean): void {
    this.#isHead = isHead;
    this.#pending = undefined;
    this.#inBody = false;
    this.#kept = undefined;
    this.head.status = 0;
  }

  /** The response, if its body was wanted. */
  kept(): KeptAnswer | undefined {
    const kept = this.#kept;
    return kept && { head: kept.head, body: Buffer.concat(kept.pieces), truncated: kept.truncated };
  }

  /** Reads the first `size` bytes of a chunk. */
  read(chunk: Buffer, size: number): ReadState {
    if (this.#inBody) return this.#body(chunk, 0, size);
    if (this.#pending === undefined) return this.#heads(chunk, size);
    const joined = Buffer.concat([this.#pending, chunk.subarray(0, size)]);
    this.#pending = undefined;
    return this.#heads(joined, joined.length);
  }

  /** The server closed the connection: the response is complete only if its body has no length. */
  ended(): ReadState {
    return this.#inBody && !this.head.chunked && this.head.length === -1 ? 'done' : 'broken';
  }

  #heads(bytes: Buffer, size: number): ReadState {
    let from = 0;
    for (;;) {
      const bodyAt = readHead(bytes, from, size, this.head);
      if (bodyAt === -2) return 'broken';
      if (bodyAt === -1) {
        this.#pending = Buffer.from(bytes.subarray(from, size));
        return size - from > HEAD_LIMIT ? 'broken' : 'more';
      }
      const { status } = this.head;
      if (status === 101) return 'broken';
      if (status >= 200) return this.#begin(bytes, from, bodyAt, size);
      from = bodyAt;
    }
  }

  #begin(bytes: Buffer, headAt: number, bodyAt: number, size: number): ReadState {
    const { head } = this;
    if (this.#wantsBody(head.status))
      this.#kept = { head: Buffer.from(bytes.subarray(headAt, bodyAt)), pieces: [], size: 0, truncated: false };
    this.#inBody = true;
    const isEmpty = head.status === 204 || head.status === 304;
    // Some servers send the last chunk of a body that such a response cannot have: it must not precede the next response.
    if (isEmpty && head.chunked && !this.#isHead) {
      head.keepAlive = false;
      return 'done';
    }
    if (isEmpty || this.#isHead || (head.length === 0 && !head.chunked)) return size > bodyAt ? 'broken' : 'done';
    if (head.chunked) this.#chunks.reset();
    else if (head.length === -1) head.keepAlive = false;
    this.#left = head.length;
    return this.#body(bytes, bodyAt, size);
  }

  #body(bytes: Buffer, from: number, to: number): ReadState {
    if (this.head.chunked) {
      const end = this.#chunks.read(bytes, from, to, this.#kept && ((start, stop) => this.#keep(bytes, start, stop)));
      if (end === -1) return 'more';
      return end === to ? 'done' : 'broken';
    }
    this.#keep(bytes, from, to);
    if (this.head.length === -1) return 'more';
    this.#left -= to - from;
    if (this.#left > 0) return 'more';
    return this.#left === 0 ? 'done' : 'broken';
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    const kept = this.#kept;
    if (kept === undefined || to <= from) return;
    const room = Math.min(to - from, KEEP_LIMIT - kept.size);
    if (room < to - from) kept.truncated = true;
    if (room <= 0) return;
    kept.pieces.push(Buffer.from(bytes.subarray(from, from + room)));
    kept.size += room;
  }
}
