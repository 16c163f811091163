import { SUCCESS } from './item.ts';
import type { Oracle, Outcome } from './outcome.ts';

/** What is known of one result: the state that was last observed. Which states exist is not shown (section 3). */
export interface KnownResult {
  readonly state: string;
  /** The state of results before any decision. */
  readonly initial: string;
  /** Left out: not decided as far as is known. */
  readonly decided?: boolean;
}

export type ApprovalRequest =
  | { readonly kind: 'approve'; readonly named: boolean }
  | { readonly kind: 'bulk-approve' }
  | { readonly kind: 'list-state'; readonly state: string };

/** Section 3: results have a state that can be filtered; section 4: an approval, also in bulk, answers 200. */
export const approval: Oracle<KnownResult, ApprovalRequest> = (known, request) => {
  if (request.kind === 'list-state') return listed(known, request.state);
  const isDecided = request.kind === 'bulk-approve' || request.named;
  return [{ status: SUCCESS, after: isDecided ? { ...known, decided: true } : known, source: '4, approvals' }];
};

/** A decided result has any state but the initial one, and may change it; an undecided one keeps its state. */
function listed(known: KnownResult, state: string): readonly Outcome<KnownResult>[] {
  const outcome = { status: [200], source: '3, state' };
  if (known.decided !== true) return [{ ...outcome, shows: { listed: known.state === state }, after: known }];
  const absent = { ...outcome, shows: { listed: false }, after: known };
  if (state === known.initial) return [absent];
  return [{ ...outcome, shows: { listed: true }, after: { ...known, state } }, absent];
}
