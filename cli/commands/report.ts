import { AssayError, EXIT } from '../../spec/index.ts';

/** Not wired yet. */
export function report(): Promise<number> {
  throw new AssayError('report is not wired yet', { hint: '', exitCode: EXIT.internal });
}
