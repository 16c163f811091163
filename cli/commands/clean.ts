import { AssayError, EXIT } from '../../spec/index.ts';

/** Not wired yet. */
export function clean(): Promise<number> {
  throw new AssayError('clean is not wired yet', { hint: '', exitCode: EXIT.internal });
}
