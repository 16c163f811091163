import type { Identity } from '../../spec/index.ts';
import { dryRun, list, listActive, move, queue, read, remove, SUCCESS, write } from './item.ts';
import type { DryRun, Known, List, ListActive, Move, Queue, Read, Remove, Write } from './item.ts';
import { narrow } from './outcome.ts';
import type { Observed, Oracle, Outcome } from './outcome.ts';

/** A request about one item. */
export type Request = Read | List | ListActive | Write | Remove | Move | Queue | DryRun;
export type RequestKind = Request['kind'];

type Rules = { readonly [K in RequestKind]: Oracle<Known, Extract<Request, { readonly kind: K }>> };

const RULES: Rules = {
  read,
  list,
  'list-active': listActive,
  update: write,
  patch: write,
  delete: remove,
  activate: move,
  deactivate: move,
  queue,
  'dry-run': dryRun,
  preview: dryRun,
};

/** The outcomes that the document allows for a request about one item, sent with that identity. */
export function allowed(known: Known, request: Request, identity: Identity = 'full'): readonly Outcome<Known>[] {
  if (identity !== 'full') return [refusal(known, identity)];
  const rule = RULES[request.kind] as Oracle<Known, Request>;
  return rule(known, request);
}

/** Section 5: 401 without a valid token, 403 without the permission; 404 too for what does not exist, as the order is not shown. */
function refusal(known: Known, identity: Exclude<Identity, 'full'>): Outcome<Known> {
  const status = identity === 'limited' ? 403 : 401;
  return { status: known.exists ? [status] : [status, 404], after: known, source: `5 Authentication, ${status}` };
}

/**
 * The outcomes that are also allowed where calls overlap: section 7 has 409 for a conflict, which changes nothing, and
 * two overlapping deletions may both succeed, because the item existed when each began. Reads have neither.
 */
export function allowedOverlapping(known: Known, request: Request): readonly Outcome<Known>[] {
  const conflict: readonly Outcome<Known>[] = isReadRequest(request)
    ? []
    : [{ status: [409], after: known, source: '7 Errors, 409' }];
  const deletedTwice: readonly Outcome<Known>[] =
    request.kind === 'delete' && !known.exists ? [{ status: SUCCESS, after: known, source: '4, DELETE' }] : [];
  return [...allowed(known, request), ...conflict, ...deletedTwice, ...withNamedState(known, request)];
}

/** An overlapping update may also set the state that its body names. */
function withNamedState(known: Known, request: Request): readonly Outcome<Known>[] {
  if (!known.exists || request.kind !== 'update' || request.active === undefined || request.active === known.active)
    return [];
  const { active } = request;
  return allowed(known, request).map((outcome) => ({ ...outcome, after: { ...outcome.after, active } }));
}

/** The sequential specification of one item, for `linearize`. A call without a response may have been served or not. */
export const ITEM_SPECIFICATION = {
  step(known: Known, request: Request, observed: Observed | undefined): readonly Known[] {
    const outcomes = allowedOverlapping(known, request);
    return observed === undefined ? [known, ...outcomes.map(({ after }) => after)] : narrow(outcomes, observed);
  },
  reads: isReadRequest,
  key: ({ exists, content, active, runs, mayRun }: Known): string => `${exists} ${content} ${active} ${runs} ${mayRun}`,
};

/** True for requests that change nothing. */
export function isReadRequest({ kind }: Request): boolean {
  return kind === 'read' || kind === 'list' || kind === 'list-active';
}
