import { AssayError, EXIT } from '../../spec/index.ts';

/** What is wrong with a target, in one sentence, and how to mend it. */
export interface Complaint {
  readonly sentence: string;
  readonly mend: string;
}

/** A complaint as the error that ends the command (exit code 3). */
export function toError({ sentence, mend }: Complaint, cause?: unknown): AssayError {
  return new AssayError(sentence, { hint: mend, exitCode: EXIT.unreachable, cause });
}
