import { createHash } from 'node:crypto';
import type { Exchange } from './exchange.ts';
import type { FindingScript } from './finding-script.ts';
import type { Grade } from './requirements.ts';

/** An exchange as a finding shows it: redacted, bodies as text and cut to a readable length. */
export interface ShownExchange extends Pick<Exchange, 'id' | 'operation' | 'form' | 'durationMs'> {
  /** What this step is for, in a few words, for example `create the policy`. */
  readonly label?: string;
  readonly identity: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
    readonly truncated: boolean;
  };
  readonly failure?: { readonly kind: string; readonly message: string };
  /** Milliseconds since the epoch; absent in older logs. */
  readonly sentAt?: number;
  /** Ids of this exchange in the deployment's logs and traces, by name. */
  readonly trace?: Readonly<Record<string, string>>;
  readonly curl: string;
}

/** A violation with everything needed to act on it: collected, redacted and reproducible. */
export interface Finding {
  /** Stays the same between runs: hash of code, subject, requirement and operation. */
  readonly fingerprint: string;
  /** A `FindingCode`; a plain string, since logs of other versions are read too. */
  readonly code: string;
  /** The part of the code before the slash. */
  readonly check: string;
  /** See {@link Violation.subject}. */
  readonly subject?: string;
  readonly requirement: string;
  readonly grade: Grade;
  readonly operation: string;
  readonly form: string;
  readonly severity: 'violation' | 'warning';
  readonly message: string;
  readonly expected: string;
  /** Where the requirement is stated, for example `api.md section 8` and the pointer into the description. */
  readonly source: string;
  readonly received: string;
  /** Pointer into the received body. */
  readonly instancePointer?: string;
  /** Pointer into the description. */
  readonly schemaPointer?: string;
  /** Hint, if something other than the deployment may be the cause. */
  readonly hint?: string;
  readonly curl: string;
  /**
   * Why the curl line may not reproduce it: it sends one of several calls, depends on timing, lacks a long body, sends no other calls
   * at the same time, shows what was otherwise at other times or may come from other calls of the run, begins with the read of which a
   * cache may have kept the answer, sends shorter lists, waits because it showed only some time after a change, or reads what others filled.
   */
  readonly curlShows?:
    | 'part'
    | 'overlap'
    | 'body'
    | 'alone'
    | 'sometimes'
    | 'others'
    | 'cached'
    | 'short'
    | 'later'
    | 'list';
  /** Seconds between the last change and the read that shows it, where it shows only some time after the change. */
  readonly pauseSeconds?: number;
  readonly steps: readonly ShownExchange[];
  /** Requests that reproduce it; absent if there are too many. */
  readonly script?: FindingScript;
  readonly seed?: number;
  /** Path of the counterexample, for `--path`. */
  readonly path?: string;
  /** Number of exchanges of the run before it was found. */
  readonly afterExchanges?: number;
  /** The command that replays it. */
  readonly replay?: string;
  /** Fingerprint of the finding that explains this one. */
  readonly cause?: string;
  /** Set where two creations returned the id of an item in its steps: tests that use one item share it then. */
  readonly sharedId?: true;
}

/** Identity of a finding: 16 hex digits over the parts that do not change between runs. */
export function fingerprint(parts: {
  readonly code: string;
  readonly subject?: string | undefined;
  readonly requirement: string;
  /** Operation id; empty if the same violation on other operations is the same finding. */
  readonly operation: string;
}): string {
  const text = [parts.code, parts.subject ?? '', parts.requirement, parts.operation].join('\u0000');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
