import type { Json } from './json.ts';
import type { Method } from './contract.ts';

/** The token of a request: one of the target's tokens (`RACI:…`: that permission only), none, or an invalid one. */
export type Identity = TokenName | 'none' | 'invalid';

export type TokenName = 'full' | 'limited' | 'expired' | 'otherTenant' | `RACI:${string}`;

/** The request as sent. Secrets are already replaced: the Authorization header is `Bearer $ASSAY_TOKEN` or similar. */
export interface SentRequest {
  readonly method: Method;
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** The response, as bytes and parsed. */
export interface ReceivedResponse {
  readonly status: number;
  /** In the order received, names in lower case, repeated names kept. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Media type without parameters, in lower case; undefined without Content-Type. */
  readonly mediaType?: string;
  /** Decoded (content-encoding removed), at most the client's limit. */
  readonly body: Uint8Array;
  /** True if the body was longer than the limit and the rest was not read. */
  readonly truncated: boolean;
  /** The body had not ended after many times the limit; a body that is only long may be correct. */
  readonly endless?: true;
  /** Set if the media type is JSON and the body is valid JSON. */
  readonly json?: Json;
  /** Why the body is not valid JSON or UTF-8 although its media type is JSON. */
  readonly jsonError?: string;
}

export type FailureKind = 'refused' | 'reset' | 'timeout' | 'dns' | 'tls' | 'protocol' | 'aborted' | 'other';

/** How far an exchange got before it failed: no connection, request sent, or response begun. */
export type FailureStage = 'connecting' | 'sent' | 'receiving';

/** Why there is no response. */
export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly stage?: FailureStage;
  /**
   * Set where the connection was kept open since another request: the target may have closed it before this request came (RFC 9112,
   * 9.5), so the failure says nothing about the operation.
   */
  readonly isUnclear?: true;
}

/** Where a created item was found whose creation did not return an id. */
export interface Listed {
  /** URL of the page of the list. */
  readonly url: string;
  /** The name of the item, as sent. */
  readonly name: string;
}

/** One request and its response. Plain data. */
export interface Exchange {
  /** Unique within the run, for example `x17`. */
  readonly id: string;
  /** Operation id. */
  readonly operation: string;
  /** Form name. */
  readonly form: string;
  readonly identity: Identity;
  readonly request: SentRequest;
  readonly response?: ReceivedResponse;
  /** Set instead of `response` if there was none. */
  readonly failure?: Failure;
  /** Milliseconds since the epoch, with fractions, at the moment the (last) attempt was sent. */
  readonly sentAt: number;
  /** Milliseconds from sending to the last byte of the response, of the last attempt. */
  readonly durationMs: number;
  /** 1, or more if the client retried (see client/middleware/retry.ts). */
  readonly attempts: number;
  /** Only for a creation whose response does not contain the id. */
  readonly listed?: Listed;
  /** True for a 404 that any path gets: nothing serves the operation. */
  readonly isUnrouted?: boolean;
}
