import type { Json } from './json.ts';
import type { Method } from './contract.ts';

/** Who sends: the tokens of the target, no token at all, or a made-up one. */
export type Identity = 'full' | 'limited' | 'expired' | 'none' | 'invalid';

/** What was sent. Secrets are already replaced: the Authorization header holds `Bearer $ASSAY_TOKEN` or its sibling. */
export interface SentRequest {
  readonly method: Method;
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** What came back, as bytes and parsed. */
export interface ReceivedResponse {
  readonly status: number;
  /** As they came, names in lower case, repeated names kept. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Media type without parameters, lower case; undefined where no Content-Type came. */
  readonly mediaType?: string;
  /** Decoded (content-encoding removed), at most the client's limit. */
  readonly body: Uint8Array;
  /** True where the body was longer than the limit and the rest was not read. */
  readonly truncated: boolean;
  /** No end of a truncated body was in sight, many times the limit on. One that is only long may well be right. */
  readonly endless?: true;
  /** Parsed where the media type says JSON and the text is JSON. */
  readonly json?: Json;
  /** Why the body is no JSON, where the media type says it is; also set for invalid UTF-8. */
  readonly jsonError?: string;
}

export type FailureKind = 'refused' | 'reset' | 'timeout' | 'dns' | 'tls' | 'protocol' | 'aborted' | 'other';

/** How far an exchange got before it failed: no connection, request sent, or response begun. */
export type FailureStage = 'connecting' | 'sent' | 'receiving';

/** One request and its answer. Plain data. */
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
  /** Set instead of `response` where none came. */
  readonly failure?: { readonly kind: FailureKind; readonly message: string; readonly stage?: FailureStage };
  /** Milliseconds since the epoch, at the moment the (last) attempt was sent. */
  readonly sentAt: number;
  /** Milliseconds from sending to the last byte of the answer, of the last attempt. */
  readonly durationMs: number;
  /** 1, or more where the client sent it again (client/middleware/retry.ts says when). */
  readonly attempts: number;
}
