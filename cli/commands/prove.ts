import { AssayError, EXIT } from '../../spec/index.ts';

/** Not wired yet. */
export function prove(): Promise<number> {
  throw new AssayError('prove is not wired yet', { hint: '', exitCode: EXIT.internal });
}
