import { AssayError, EXIT } from '../../spec/index.ts';

/** Not wired yet. */
export function specDiff(): Promise<number> {
  throw new AssayError('spec diff is not wired yet', { hint: '', exitCode: EXIT.internal });
}
