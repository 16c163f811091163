import { missing } from './item.ts';
import type { Known } from './known.ts';
import { SUCCESS } from './known.ts';
import type { Oracle } from './outcome.ts';

export type JobRequest = { readonly kind: 'queue' | 'dry-run' | 'preview' };

/** Section 4, POST execution-queue: 200, and a run is queued now. The transitions of runs are not shown. */
export const queue: Oracle<Known, { readonly kind: 'queue' }> = (known) =>
  known.there
    ? [{ status: SUCCESS, after: { ...known, runs: (known.runs ?? 0) + 1 }, source: '4, POST execution-queue' }]
    : missing(known);

/** Section 4, POST dry-run and POST preview: 200; neither is said to store anything, so the job stays as it is. */
export const rehearse: Oracle<Known, { readonly kind: 'dry-run' | 'preview' }> = (known, { kind }) =>
  known.there ? [{ status: SUCCESS, after: known, source: `4, POST ${kind}` }] : missing(known);
