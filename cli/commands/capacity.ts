import { AssayError, EXIT } from '../../spec/index.ts';

/** Not wired yet. */
export function capacity(): Promise<number> {
  throw new AssayError('capacity is not wired yet', { hint: '', exitCode: EXIT.internal });
}
