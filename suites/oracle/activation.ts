import { missing } from './item.ts';
import type { Known } from './known.ts';
import { SUCCESS } from './known.ts';
import type { Oracle, Outcome } from './outcome.ts';

export type ActivationRequest =
  | { readonly kind: 'activate' | 'deactivate' }
  | { readonly kind: 'list-active'; readonly filterActive: boolean };

/**
 * Section 3: activate moves an existing policy to active, deactivate to inactive. What comes of moving it where it
 * already is, is not shown: it stays there, and section 7 also has 409 for a conflict with the current state.
 */
export const move: Oracle<Known, { readonly kind: 'activate' | 'deactivate' }> = (known, { kind }) => {
  if (!known.there) return missing(known);
  const active = kind === 'activate';
  const moved: Outcome<Known> = { status: SUCCESS, after: { ...known, active }, source: '3 States and transitions' };
  const conflict: Outcome<Known> = { status: [409], after: { ...known, active }, source: '7 Errors, 409' };
  return known.active === !active ? [moved] : [moved, conflict];
};

/** Section 3: a policy has an active/inactive status, and filterActive filters by it. The initial one is not shown. */
export const listActive: Oracle<Known, { readonly kind: 'list-active'; readonly filterActive: boolean }> = (
  known,
  { filterActive },
) => {
  const source = '3, filterActive';
  if (!known.there) return [{ status: [200], shows: { listed: false }, after: known, source }];
  const found: Outcome<Known> = {
    status: [200],
    shows: { listed: true, content: known.content },
    after: { ...known, active: filterActive },
    source,
  };
  const absent: Outcome<Known> = {
    status: [200],
    shows: { listed: false },
    after: { ...known, active: !filterActive },
    source,
  };
  return [found, absent].filter((each) => known.active === undefined || each.after.active === known.active);
};
