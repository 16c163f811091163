import { AssayError, EXIT } from '../../spec/index.ts';

function soon(): Promise<number> {
  throw new AssayError('spec is not wired yet', { hint: '', exitCode: EXIT.internal });
}
export const specList = soon;
export const specLint = soon;
export const specDiff = soon;
