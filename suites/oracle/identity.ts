import type { Identity } from '../../spec/index.ts';
import type { Outcome } from './outcome.ts';

/**
 * Section 5: without a valid token 401, without the permission 403, and nothing changes. Which refusal comes first is not
 * shown, so what is not there may be 404 for them too.
 */
export function refusal<K extends { readonly there: boolean }>(
  known: K,
  identity: Exclude<Identity, 'full'>,
): Outcome<K> {
  const status = identity === 'limited' ? 403 : 401;
  return { status: known.there ? [status] : [status, 404], after: known, source: `5 Authentication, ${status}` };
}
