import type { Oracle, Outcome } from './outcome.ts';

/** What is known of an item that was created: a policy, an agent or a job. */
export interface Known {
  readonly exists: boolean;
  /** Which of the bodies that were sent it holds. */
  readonly content: string;
  /** Policies only. Undefined: section 3 does not show the initial state, and it was not observed yet. */
  readonly active?: boolean | undefined;
  /** Jobs only: number of queued runs. */
  readonly runs?: number;
  /** Jobs only: a run or a dry run was queued, and may go on. */
  readonly mayRun?: boolean;
}

export type Read = { readonly kind: 'read' };
export type List = { readonly kind: 'list' };
export type ListActive = { readonly kind: 'list-active'; readonly filterActive: boolean };
export type Write = {
  readonly kind: 'update' | 'patch';
  readonly content: string;
  /** Policies only: the state that the body names. Whether an update sets it is not shown. */
  readonly active?: boolean | undefined;
};
export type Remove = { readonly kind: 'delete' };
export type Move = { readonly kind: 'activate' | 'deactivate' };
export type Queue = { readonly kind: 'queue' };
export type DryRun = { readonly kind: 'dry-run' | 'preview' };

/** Section 4: every operation that is shown answers 200; section 7 adds 201 for creations. A null result is 204. */
export const SUCCESS = [200, 201, 204] as const;

/** Section 7, 404: the resource does not exist, and a request for it does not create it. */
function missing(known: Known): readonly Outcome<Known>[] {
  return [{ status: [404], after: known, source: '7 Errors, 404' }];
}

function success(after: Known, source: string): Outcome<Known> {
  return { status: SUCCESS, after, source };
}

/** Section 4, GET {id}: 200 and the item, as it was sent last. */
export const read: Oracle<Known, Read> = (known) =>
  known.exists
    ? [{ status: [200], shows: { content: known.content }, after: known, source: '4, GET by id' }]
    : missing(known);

/** Section 4, GET of the collection: 200 and an array of the existing items. */
export const list: Oracle<Known, List> = (known) => [
  {
    status: [200],
    shows: known.exists ? { listed: true, content: known.content } : { listed: false },
    after: known,
    source: '4, GET of the list',
  },
];

/** Section 3: a policy is active or inactive, and filterActive selects by it. The initial state is not shown. */
export const listActive: Oracle<Known, ListActive> = (known, { filterActive }) => {
  const outcome = { status: [200], source: '3, filterActive' };
  if (!known.exists) return [{ ...outcome, shows: { listed: false }, after: known }];
  const outcomes = [
    { ...outcome, shows: { listed: true, content: known.content }, after: { ...known, active: filterActive } },
    { ...outcome, shows: { listed: false }, after: { ...known, active: !filterActive } },
  ];
  return outcomes.filter(({ after }) => known.active === undefined || after.active === known.active);
};

/** Which states a change conflicts with is not shown. */
const mayConflict = ({ active, mayRun }: Known): boolean => active === true || mayRun === true;

function conflicting(known: Known): Outcome<Known> {
  return { status: [409], after: known, source: '7 Errors, 409' };
}

/** Section 4, PUT and PATCH {id}: 200, and the item is stored as sent. Section 7: 409, as of an active policy or a running job. */
export const write: Oracle<Known, Write> = (known, { kind, content }) => {
  if (!known.exists) return missing(known);
  const stored = success({ ...known, content }, `4, ${kind === 'update' ? 'PUT' : 'PATCH'}`);
  return mayConflict(known) ? [stored, conflicting(known)] : [stored];
};

/** Section 4, DELETE {id}: 200, and the item is gone. Section 7: 409 in conflict with its state, as of an active policy or a running job. */
export const remove: Oracle<Known, Remove> = (known) => {
  if (!known.exists) return missing(known);
  const removed = success({ ...known, exists: false }, '4, DELETE');
  return mayConflict(known) ? [removed, { status: [400, 409], after: known, source: '7 Errors, 409' }] : [removed];
};

/**
 * Section 3: activate moves an existing policy to active, deactivate to inactive. The response to moving it to the
 * state that it has is not shown: it keeps the state, and section 7 also has 409 for a conflict with the current state.
 */
export const move: Oracle<Known, Move> = (known, { kind }) => {
  if (!known.exists) return missing(known);
  const after = { ...known, active: kind === 'activate' };
  const moved = success(after, '3 States and transitions');
  return known.active === !after.active ? [moved] : [moved, { status: [409], after, source: '7 Errors, 409' }];
};

/** Section 4, POST execution-queue: 200, and a run is queued now; or 409, because the states of a job are not shown. */
export const queue: Oracle<Known, Queue> = (known) =>
  known.exists
    ? [success({ ...known, runs: (known.runs ?? 0) + 1, mayRun: true }, '4, POST execution-queue'), conflicting(known)]
    : missing(known);

/** Section 4, POST dry-run and POST preview: 200 or 409; neither is said to store anything, so the job stays as it is. */
export const dryRun: Oracle<Known, DryRun> = (known, { kind }) => {
  if (!known.exists) return missing(known);
  const after = kind === 'preview' ? known : { ...known, mayRun: true };
  return [success(after, `4, POST ${kind}`), conflicting(known)];
};
