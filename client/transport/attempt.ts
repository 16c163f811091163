import type { Dispatcher } from 'undici';
import type { FailureKind, FailureStage } from '../../spec/index.ts';

/** A response as received, before decoding. */
export interface RawResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly truncated: boolean;
  /** The body exceeded the limit many times without ending. */
  readonly endless?: boolean;
}

export interface AttemptEnd {
  readonly response?: RawResponse;
  readonly error?: Error;
  readonly stage: FailureStage;
  /** 0 before the head of the response. */
  readonly status: number;
  readonly bodyBytes: number;
  readonly sentAt: number;
  readonly durationMs: number;
}

const MOST_INTERIM_RESPONSES = 20;

/** Up to this size a declared length is trusted, and the rest of the body is not read. */
const LONGEST_DECLARED = 2 ** 30;

/** A body without a declared length is read up to this multiple of the limit, to see whether it ends. */
const READ_AHEAD = 8;

/** Media types of responses that need not end. */
const STREAMS =
  /^(?:text\/event-stream|application\/(?:x-ndjson|jsonl|json-seq|stream\+json)|multipart\/x-mixed-replace)\b/i;

/** A response that need not end is read for so long after its head, in milliseconds. */
const STREAM_MS = 1000;

export class LimitError extends Error {
  override readonly name = 'LimitError';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

function pairs(raw: unknown): (readonly [string, string])[] {
  const headers: [string, string][] = [];
  if (!Array.isArray(raw)) return headers;
  const texts = raw.map((part: unknown) =>
    part instanceof Uint8Array ? Buffer.prototype.latin1Slice.call(part) : String(part),
  );
  for (let i = 0; i + 1 < texts.length; i += 2) headers.push([(texts[i] ?? '').toLowerCase(), texts[i + 1] ?? '']);
  return headers;
}

/** Milliseconds by which a timer is late in a process that was busy. */
const LATE_MS = 100;

/** Receives one response, up to `maxBodyBytes` and for at most `timeoutMs`. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #done: (outcome: AttemptEnd) => void;
  readonly #maxBodyBytes: number;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #expired: LimitError | undefined;
  #begun = performance.now();
  #sent = false;
  #status = 0;
  #interim = 0;
  #headers: readonly (readonly [string, string])[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  #skipped = 0;
  #over = false;

  constructor(limits: { maxBodyBytes: number; timeoutMs: number }, done: (outcome: AttemptEnd) => void) {
    this.#done = done;
    this.#maxBodyBytes = limits.maxBodyBytes;
    this.#timer = this.#expireAfter(limits.timeoutMs, limits.timeoutMs);
  }

  /** A timer that fires late shows that this process was busy: then it first receives what has arrived meanwhile. */
  #expireAfter(ms: number, timeoutMs: number): NodeJS.Timeout {
    const due = performance.now() + ms;
    return setTimeout(() => {
      if (performance.now() - due <= LATE_MS) this.#expire(timeoutMs);
      else this.#timer = this.#expireAfter(LATE_MS, timeoutMs);
    }, ms);
  }

  #expire(timeoutMs: number): void {
    this.#expired = new LimitError('timeout', `no complete response within ${timeoutMs / 1000} s`);
    this.#controller?.abort(this.#expired);
    this.#end({ error: this.#expired });
  }

  #end(result: { response?: RawResponse; error?: Error }): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#done({
      ...result,
      stage: this.#status > 0 ? 'receiving' : this.#sent ? 'sent' : 'connecting',
      status: this.#status,
      bodyBytes: this.#size,
      sentAt: performance.timeOrigin + this.#begun,
      durationMs: performance.now() - this.#begun,
    });
  }

  #finish(truncated: boolean, endless = false): void {
    const [only] = this.#chunks;
    const body = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.#end({
      response: { status: this.#status, headers: this.#headers, body, truncated, ...(endless ? { endless } : {}) },
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#expired) controller.abort(this.#expired);
    this.#sent = true;
    this.#begun = performance.now();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) {
      this.#status = status;
      this.#headers = pairs(controller.rawHeaders);
      if (STREAMS.test(this.#header('content-type') ?? '')) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#leave(), STREAM_MS);
      }
      return;
    }
    this.#interim += 1;
    if (this.#interim > MOST_INTERIM_RESPONSES)
      controller.abort(new LimitError('protocol', `more than ${MOST_INTERIM_RESPONSES} interim responses`));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    const room = this.#maxBodyBytes - this.#size;
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#size += Math.min(chunk.length, room);
    if (chunk.length <= room) return;
    this.#skipped += chunk.length - room;
    const declared = this.#hasPlausibleLength();
    if (!declared && this.#skipped < this.#maxBodyBytes * (READ_AHEAD - 1)) return;
    this.#finish(true, !declared);
    controller.abort(new LimitError('protocol', 'the rest of the body was not read'));
  }

  /** Ends the attempt with what a stream has sent so far. */
  #leave(): void {
    this.#finish(true);
    this.#controller?.abort(new LimitError('protocol', 'the rest of the stream was not read'));
  }

  #header(name: string): string | undefined {
    return this.#headers.find(([key]) => key === name)?.[1];
  }

  #hasPlausibleLength(): boolean {
    const length = this.#header('content-length');
    return length !== undefined && Number(length) <= LONGEST_DECLARED;
  }

  onResponseEnd(): void {
    this.#finish(this.#skipped > 0);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end({ error });
  }
}
