/** Exit codes of the command, as documented. */
export const EXIT = {
  passed: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  threshold: 4,
  internal: 5,
  inconclusive: 6,
  interrupted: 130,
} as const;

/** An error for the user: what is wrong, how to fix it, and the exit code. */
export class AssayError extends Error {
  readonly hint: string;
  readonly exitCode: number;

  constructor(message: string, options: { hint: string; exitCode: number; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'AssayError';
    this.hint = options.hint;
    this.exitCode = options.exitCode;
  }
}

/** The error for a mistake in the command, its configuration or a file that it names (exit code 2). */
export function usageError(message: string, hint: string, cause?: unknown): AssayError {
  return new AssayError(message, { hint, exitCode: EXIT.usage, cause });
}
