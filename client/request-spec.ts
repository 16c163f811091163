import type { Credential } from './security.ts';
import type { Exchange, Form, Identity, Json, Method, Operation } from '../spec/index.ts';

/** A request body, ready to send. */
export interface Payload {
  /** Sent as Content-Type; undefined sends none. */
  readonly type?: string;
  readonly content: string | Uint8Array;
}

/** Values of parameters that an operation requires, by their names; headers in lower case. */
export interface RequiredParameters {
  readonly query?: Readonly<Record<string, Json>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, Json>>;
}

/** A request to send. Defaults are what the document recommends: full token, `Accept: application/json`. */
export interface RequestSpec {
  readonly operation: Operation;
  /** Name of one of the operation's forms; default, also for an unknown name: the first form. */
  readonly form?: Form;
  /** Default: `full`, or `none` if the operation needs no token. */
  readonly identity?: Identity;
  /** Values for the path template, serialised in the style that the description declares. */
  readonly path?: Readonly<Record<string, Json>>;
  /** Values for query parameters, serialised in the style that the description declares; undefined ones are left out. */
  readonly query?: Readonly<Record<string, Json | undefined>>;
  /** Appended to the query as it is, already encoded. */
  readonly rawQuery?: string;
  /** Values for declared cookies; they follow those of the headers; undefined ones are left out. */
  readonly cookies?: Readonly<Record<string, Json | undefined>>;
  /** Added to, or (undefined) removed from, the headers that the client sets. Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The body as a value, written in the media type of the operation; takes precedence over `body`. */
  readonly json?: Json;
  /** The body as bytes or text. */
  readonly body?: Payload;
  /** The exact Authorization header, instead of the identity's; `$ASSAY_TOKEN` is replaced only when it is sent. */
  readonly authorization?: string;
  /** Changes the credentials: appends a text to each secret, or leaves one security scheme out. */
  readonly tampering?: { readonly suffix?: string; readonly without?: string };
  /** The credentials of the request; the pipeline sets them. */
  readonly credentials?: readonly Credential[];
  readonly accept?: string;
  /** Another method than the operation's. */
  readonly method?: Method;
  readonly timeoutMs?: number;
  /** The page size is sent as it is, also where the deployment is known to refuse it. */
  readonly isExact?: boolean;
  /** Purpose of this step in a few words; shown in the steps of a finding. */
  readonly label?: string;
}

/** Sends one request. Only one that the options forbid throws (a `SendError`); other failures are exchanges without `response`. */
export type Send = (spec: RequestSpec) => Promise<Exchange>;

/** Adds behaviour to a sender. */
export type Middleware = (next: Send) => Send;

export function methodOf({ method, operation }: RequestSpec): Method {
  return method ?? operation.method;
}

const SAFE: ReadonlySet<Method> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True for methods that change nothing: such a request may be sent again. */
export function isSafe(method: Method): boolean {
  return SAFE.has(method);
}

export function formOf({ form, operation }: RequestSpec): Form {
  const chosen = operation.forms.find(({ name }) => name === form?.name) ?? operation.forms[0];
  if (chosen === undefined) throw new Error(`${operation.id} has no form`);
  return chosen;
}
