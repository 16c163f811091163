import type { Oracle, Outcome } from './outcome.ts';
import { SUCCESS } from './known.ts';

/** What is known of one result: the state that it was last seen in. Which states there are is not shown (section 3). */
export interface KnownResult {
  readonly state: string;
  /** The state that results have before anybody decided. */
  readonly initial: string;
  /** Left out: not decided as far as is known. */
  readonly decided?: boolean;
}

export type ApprovalRequest =
  | { readonly kind: 'approve'; readonly named: boolean }
  | { readonly kind: 'bulk-approve' }
  | { readonly kind: 'list-state'; readonly state: string };

/** Section 3: results have a state that can be filtered; section 4: an approval and a bulk approval request answer 200. */
export const approval: Oracle<KnownResult, ApprovalRequest> = (known, request) => {
  if (request.kind === 'list-state') return listed(known, request.state);
  const meant = request.kind === 'bulk-approve' || request.named;
  return [{ status: SUCCESS, after: meant ? { ...known, decided: true } : known, source: '4, approvals' }];
};

/** A decided result may have any state but the one before the decision, and move on by itself; an undecided one keeps its state. */
function listed(known: KnownResult, state: string): readonly Outcome<KnownResult>[] {
  const source = '3, state';
  if (known.decided !== true)
    return [{ status: [200], shows: { listed: known.state === state }, after: known, source }];
  const found: Outcome<KnownResult> = { status: [200], shows: { listed: true }, after: { ...known, state }, source };
  const absent: Outcome<KnownResult> = { status: [200], shows: { listed: false }, after: known, source };
  return state === known.initial ? [absent] : [found, absent];
}
