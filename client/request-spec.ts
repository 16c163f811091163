import type { Credential } from './security.ts';
import type { Exchange, Form, Identity, Json, Method, Operation } from '../spec/index.ts';

/** A request body, ready to send. */
export interface Payload {
  /** Sent as Content-Type; undefined sends none. */
  readonly type?: string;
  readonly content: string | Uint8Array;
}

/** A request to be made. Everything left out is what the document recommends: full token, `Accept: application/json`. */
export interface RequestSpec {
  readonly operation: Operation;
  /** Chosen by name among the operation's forms; left out or unknown: its first form. */
  readonly form?: Form;
  /** Left out: `full`, or `none` where the operation needs no token. */
  readonly identity?: Identity;
  /** Values for the path template, serialised in the style that the description declares. */
  readonly path?: Readonly<Record<string, Json>>;
  /** Values for query parameters, serialised in the style that the description declares; undefined ones are left out. */
  readonly query?: Readonly<Record<string, Json | undefined>>;
  /** Appended to the query as it is, already encoded. */
  readonly rawQuery?: string;
  /** Values for declared cookies; they follow those of the headers. */
  readonly cookies?: Readonly<Record<string, Json>>;
  /** Added to, or (undefined) removed from, the headers that the client sets. Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The body as a value, written in the media type that the operation takes; goes before `body`. */
  readonly json?: Json;
  /** The body as bytes or text. */
  readonly body?: Payload;
  /** The Authorization header word for word, instead of the identity's; `$ASSAY_TOKEN` is replaced on the wire only. */
  readonly authorization?: string;
  /** Changes to what authenticates the request: a text after each secret, or one security scheme is left out. */
  readonly tampering?: { readonly suffix?: string; readonly without?: string };
  /** What authenticates the request; the pipeline sets it. */
  readonly credentials?: readonly Credential[];
  readonly accept?: string;
  /** Another method than the operation's. */
  readonly method?: Method;
  readonly timeoutMs?: number;
  /** What this step is for, in a few words; shown in the steps of a finding. */
  readonly label?: string;
}

/**
 * Sends one request. A failure is an {@link Exchange} without `response`, not an exception; only a request that the
 * options of the target forbid to send is a `SendError`.
 */
export type Send = (spec: RequestSpec) => Promise<Exchange>;

/** Adds behavior to a sender. */
export type Middleware = (next: Send) => Send;

/** The method that is sent. */
export function methodOf({ method, operation }: RequestSpec): Method {
  return method ?? operation.method;
}

/** The form that is sent. */
export function formOf({ form, operation }: RequestSpec): Form {
  const chosen = operation.forms.find(({ name }) => name === form?.name) ?? operation.forms[0];
  if (chosen === undefined) throw new Error(`${operation.id} has no form`);
  return chosen;
}
