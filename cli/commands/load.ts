import { AssayError, EXIT } from '../../spec/index.ts';

/** Not wired yet. */
export function load(): Promise<number> {
  throw new AssayError('load is not wired yet', { hint: '', exitCode: EXIT.internal });
}
