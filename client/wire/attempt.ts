import type { Dispatcher } from 'undici';

/** What one attempt brought, as it came from the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly truncated: boolean;
  /** No end of the body was in sight. */
  readonly endless?: boolean;
}

/** An attempt that has ended, well or not. */
export interface Outcome {
  readonly answer?: RawAnswer;
  readonly error?: Error;
  /** How far it got, for the message of a failure. */
  readonly progress: { readonly sent: boolean; readonly status: number; readonly bodyBytes: number };
  readonly sentAt: number;
  readonly durationMs: number;
}

const MOST_INTERIM_ANSWERS = 20;

/** A body that says it is no longer than this has an end, and need not be read to it. */
const LONGEST_DECLARED = 2 ** 30;

/** So many times what is kept is read of a body that does not say how long it is, to see whether it ends. */
const LOOKED_FOR_END = 8;

/** Says why the client itself ended an attempt. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
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

/** Receives one answer, up to `maxBodyBytes` and for at most `timeoutMs`. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #done: (outcome: Outcome) => void;
  readonly #maxBodyBytes: number;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #expired: LimitError | undefined;
  #begun = performance.now();
  #sentAt = Date.now();
  #sent = false;
  #status = 0;
  #interim = 0;
  #headers: readonly (readonly [string, string])[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  #passedOver = 0;
  #over = false;

  constructor(limits: { maxBodyBytes: number; timeoutMs: number }, done: (outcome: Outcome) => void) {
    this.#done = done;
    this.#maxBodyBytes = limits.maxBodyBytes;
    this.#timer = setTimeout(() => this.#expire(limits.timeoutMs), limits.timeoutMs);
  }

  #expire(timeoutMs: number): void {
    this.#expired = new LimitError(`no complete answer within ${timeoutMs} ms`);
    this.#controller?.abort(this.#expired);
    this.#end({ error: this.#expired });
  }

  #end(result: { answer?: RawAnswer; error?: Error }): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#done({
      ...result,
      progress: { sent: this.#sent, status: this.#status, bodyBytes: this.#size },
      sentAt: this.#sentAt,
      durationMs: performance.now() - this.#begun,
    });
  }

  #finish(truncated: boolean, endless = false): void {
    const [only] = this.#chunks;
    const body = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.#end({
      answer: { status: this.#status, headers: this.#headers, body, truncated, ...(endless ? { endless } : {}) },
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#expired) controller.abort(this.#expired);
    this.#sent = true;
    this.#begun = performance.now();
    this.#sentAt = Date.now();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) {
      this.#status = status;
      this.#headers = pairs(controller.rawHeaders);
      return;
    }
    this.#interim += 1;
    if (this.#interim > MOST_INTERIM_ANSWERS)
      controller.abort(new LimitError(`more than ${MOST_INTERIM_ANSWERS} interim answers`));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    const room = this.#maxBodyBytes - this.#size;
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#size += Math.min(chunk.length, room);
    if (chunk.length <= room) return;
    this.#passedOver += chunk.length - room;
    const declared = this.#declared();
    if (!declared && this.#passedOver < this.#maxBodyBytes * (LOOKED_FOR_END - 1)) return;
    this.#finish(true, !declared);
    controller.abort(new LimitError('the rest of the body was not wanted'));
  }

  /** Whether the answer says how long it is, and can be believed. */
  #declared(): boolean {
    const length = this.#headers.find(([name]) => name === 'content-length')?.[1];
    return length !== undefined && Number(length) <= LONGEST_DECLARED;
  }

  onResponseEnd(): void {
    this.#finish(this.#passedOver > 0);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end({ error });
  }
}
