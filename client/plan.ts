import type { Exchange, Form, Identity, Json, Method, Operation } from '../spec/index.ts';

/** A request body, ready to send. */
export interface PlannedBody {
  /** Sent as Content-Type; undefined sends none. */
  readonly type?: string;
  readonly content: string | Uint8Array;
}

/** What to send. Everything that is left out is what the document recommends: full token, `Accept: application/json`. */
export interface RequestPlan {
  readonly operation: Operation;
  readonly form: Form;
  readonly identity?: Identity;
  /** Values for the path template, serialised in the style that the description declares. */
  readonly path?: Readonly<Record<string, Json>>;
  /** Values for declared query parameters, serialised in the style that the description declares. */
  readonly query?: Readonly<Record<string, Json | undefined>>;
  /** Values for declared cookies; they follow those of the headers. */
  readonly cookies?: Readonly<Record<string, Json>>;
  /** Appended to the query as it is, already encoded, for what no description declares. */
  readonly rawQuery?: string;
  /** Added to, or (undefined) removed from, the headers that the client sets. Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** An Authorization header word for word, instead of the identity's; may hold `$ASSAY_TOKEN`, which is replaced on the wire only. */
  readonly authorization?: string;
  readonly accept?: string;
  readonly body?: PlannedBody;
  /** Another method than the operation's, for wrong-method probes. */
  readonly method?: Method;
  readonly timeoutMs?: number;
}

/** Sends one request; never throws for what a target does: a failure is an {@link Exchange} without `response`. */
export type Send = (plan: RequestPlan) => Promise<Exchange>;

/** Behaviour as a wrapper. */
export type Wrap = (next: Send) => Send;
