import { createHash } from 'node:crypto';
import type { Grade } from './requirements.ts';

/** An exchange as a finding shows it: redacted, bodies as text and cut to a readable length. */
export interface ShownExchange {
  readonly id: string;
  /** What this step is for, in a few words, for example `create the policy`. */
  readonly label?: string;
  readonly operation: string;
  readonly form: string;
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
  readonly durationMs: number;
  readonly curl: string;
}

/** A promise that was not kept, with all that is needed to act on it. */
export interface Finding {
  /** Stays the same between runs: check, requirement, operation and {@link Finding.cause}. */
  readonly fingerprint: string;
  readonly check: string;
  readonly requirement: string;
  readonly grade: Grade;
  readonly operation: string;
  readonly form: string;
  readonly severity: 'violation' | 'warning';
  /** What tells two defects of one check on one operation apart, free of ids, times and seeds. */
  readonly cause: string;
  readonly message: string;
  readonly expected: string;
  /** Where the promise stands, for example `api.md section 8` and the pointer into the description. */
  readonly source: string;
  readonly received: string;
  /** Into the body that was received. */
  readonly instancePointer?: string;
  /** Into the description. */
  readonly schemaPointer?: string;
  readonly curl: string;
  readonly steps: readonly ShownExchange[];
  readonly seed?: number;
  /** Path of the counterexample, for `--path`. */
  readonly path?: string;
  /** The command that replays it. */
  readonly replay?: string;
}

/** Identity of a finding: sixteen hex digits over what does not change from run to run. */
export function fingerprint(parts: { check: string; requirement: string; operation: string; cause: string }): string {
  const text = [parts.check, parts.requirement, parts.operation, parts.cause].join('\u0000');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
