import { AssayError, EXIT } from '../spec/errors.ts';
import { redact } from './secrets.ts';

function sentence(error: unknown): string {
  if (error instanceof AssayError) return error.hint === '' ? error.message : `${error.message}\n  ${error.hint}`;
  const message = error instanceof Error ? error.message : String(error);
  return `the harness itself failed: ${message}\n  This is a defect of Assay, not of the target; --debug shows where.`;
}

/** Tells what went wrong on standard error, without a secret in it, and gives the exit code that it means. */
export function tellFailure(error: unknown, debug: boolean): number {
  const stack = debug && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  process.stderr.write(redact(`assay: ${sentence(error)}${stack}\n`));
  return error instanceof AssayError ? error.exitCode : EXIT.internal;
}
