import type { Known } from './known.ts';
import { NOT_THERE, SUCCESS } from './known.ts';
import type { Oracle, Outcome } from './outcome.ts';

/** What can be asked of any item. */
export type ItemRequest =
  | { readonly kind: 'read' }
  | { readonly kind: 'list' }
  | { readonly kind: 'update' | 'patch'; readonly content: string }
  | { readonly kind: 'delete' };

/** Section 7: what does not exist is answered with 404, and does not come to be by being asked for. */
export function missing(known: Known): readonly Outcome<Known>[] {
  return [{ status: [404], after: known, source: NOT_THERE }];
}

/** Section 4, GET {id}: 200 and the item, as it was sent last. */
export const read: Oracle<Known, { readonly kind: 'read' }> = (known) =>
  known.there
    ? [{ status: [200], shows: { content: known.content }, after: known, source: '4, GET by id' }]
    : missing(known);

/** Section 4, GET of the collection: 200 and an array of the items that there are. */
export const list: Oracle<Known, { readonly kind: 'list' }> = (known) => [
  {
    status: [200],
    shows: known.there ? { listed: true, content: known.content } : { listed: false },
    after: known,
    source: '4, GET of the list',
  },
];

/** Section 4, PUT and PATCH {id}: 200, and the item is as it was sent. */
export const write: Oracle<Known, { readonly kind: 'update' | 'patch'; readonly content: string }> = (
  known,
  { kind, content },
) =>
  known.there
    ? [{ status: SUCCESS, after: { ...known, content }, source: `4, ${kind === 'update' ? 'PUT' : 'PATCH'}` }]
    : missing(known);

/** Section 4, DELETE {id}: 200, and the item is no longer there. */
export const remove: Oracle<Known, { readonly kind: 'delete' }> = (known) =>
  known.there ? [{ status: SUCCESS, after: { ...known, there: false }, source: '4, DELETE' }] : missing(known);
