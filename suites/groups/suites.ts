import type { Group } from '../kit/groups.ts';
import type { SuiteFiles } from '../kit/load-suites.ts';
import { mayBeSelected } from '../kit/select.ts';

export const OPERATIONS: SuiteFiles = {
  'contract/description': () => import('../contract/description.suite.ts'),
  'contract/operations': () => import('../contract/operations.suite.ts'),
};

// The tests of LISTS and ITEMS run through one form of each operation first, and through the other forms later: most defects show
// in both forms, and are found early with half of the requests. Those that wait for what appears late run beside ITEMS in the other
// forms.

export const LISTS: SuiteFiles = {
  'contract/paging': () => import('../contract/paging.suite.ts'),
  'contract/ordering': () => import('../contract/ordering.suite.ts'),
  'state/filters/policies': () =>
    Promise.all([import('../state/filters/policies.suite.ts'), import('../state/filters/renamed.suite.ts')]),
  'state/filters/existing': () => import('../state/filters/existing.suite.ts'),
  'state/filters/metadata': () => import('../state/filters/metadata.suite.ts'),
  'state/jobs/filters': () => import('../state/jobs/filters.suite.ts'),
};

export const ITEMS: SuiteFiles = {
  'state/activation': () => import('../state/activation.suite.ts'),
  'state/lifecycle': () => import('../state/lifecycle.suite.ts'),
  'state/approvals': () => import('../state/approvals.suite.ts'),
  'state/json-patch': () => import('../state/json-patch.suite.ts'),
  'state/clues': () => import('../state/clues.suite.ts'),
  'contract/shared-state': () => import('../contract/shared-state.suite.ts'),
  'contract/tenants': () => import('../contract/tenants.suite.ts'),
  'contract/forms': () => import('../contract/forms.suite.ts'),
  'contract/authentication': () => import('../contract/authentication.suite.ts'),
  'state/chat-stream': () => import('../state/chat-stream.suite.ts'),
  'state/audit': () => import('../state/audit.suite.ts'),
  'state/jobs/runs': () => import('../state/jobs/runs.suite.ts'),
  'state/jobs/ownership': () => import('../state/jobs/ownership.suite.ts'),
  'state/published': () =>
    Promise.all([import('../state/published.suite.ts'), import('../state/published/policies.suite.ts')]),
  'state/jobs/summary': () => import('../state/jobs/summary.suite.ts'),
  'contract/ids': () => import('../contract/ids.suite.ts'),
  'contract/bodies': () => import('../contract/bodies.suite.ts'),
  'contract/parameters': () => import('../contract/parameters.suite.ts'),
  'state/order': () => import('../state/order.suite.ts'),
};

export const RACES: SuiteFiles = { 'state/overlap': () => import('../state/overlap.suite.ts') };

/** Tests that seldom find a defect that the groups before them miss. */
export const UNUSUAL: SuiteFiles = {
  // It has the most requests in turn, so that it starts first.
  'contract/long-lists': () => import('../contract/long-lists.suite.ts'),
  'contract/permissions': () => import('../contract/permissions.suite.ts'),
  'contract/paging': () => import('../contract/next-page.suite.ts'),
  'contract/filters': () => import('../contract/member-filters.suite.ts'),
  'contract/inner-lists': () => import('../contract/inner-lists.suite.ts'),
  'contract/media': () => import('../contract/media.suite.ts'),
  'contract/ids': () => import('../contract/malformed-ids.suite.ts'),
  'contract/parameters': () => import('../contract/unusual.suite.ts'),
  'contract/bodies': () => import('../contract/unusual.suite.ts'),
  'contract/methods': () => import('../contract/methods.suite.ts'),
};

export const SEQUENCES: SuiteFiles = { 'state/sequences': () => import('../state/sequences.suite.ts') };

export const VALUES: SuiteFiles = {
  'properties/valid-bodies': () => import('../properties/valid-bodies.suite.ts'),
  'properties/valid-parameters': () => import('../properties/valid-parameters.suite.ts'),
  'properties/patches': () => import('../properties/patches.suite.ts'),
  'properties/invalid': () => import('../properties/invalid.suite.ts'),
  'properties/equivalence': () => import('../properties/equivalence.suite.ts'),
};

export const COLLECTIONS: SuiteFiles = {
  'properties/lists': () => import('../properties/lists.suite.ts'),
  'properties/orders': () => import('../properties/orders.suite.ts'),
};

export const SNAPSHOT: SuiteFiles = { 'snapshot/behaviour': () => import('../snapshot/behaviour.suite.ts') };

export const ALL = [OPERATIONS, LISTS, ITEMS, RACES, UNUSUAL, SEQUENCES, VALUES, COLLECTIONS, SNAPSHOT] as const;

/** The suites of each group; `failed-before` may run tests of any suite. */
const BY_GROUP: Readonly<Partial<Record<Group, readonly SuiteFiles[]>>> = {
  operations: [OPERATIONS],
  lists: [LISTS],
  items: [ITEMS],
  races: [RACES],
  'items-other-forms': [OPERATIONS, LISTS, ITEMS],
  'lists-other-forms': [OPERATIONS, LISTS],
  unusual: [UNUSUAL],
  values: [SEQUENCES, VALUES],
  collections: [RACES, SEQUENCES, VALUES, COLLECTIONS],
};

/** The groups that may have a selected test. */
export function groupsWith(only: readonly string[], skip: readonly string[]): readonly Group[] {
  const mayRun = (files: SuiteFiles): boolean => Object.keys(files).some((suite) => mayBeSelected(suite, only, skip));
  return (Object.entries(BY_GROUP) as [Group, readonly SuiteFiles[]][]).flatMap(([group, files]) =>
    files.some(mayRun) ? group : [],
  );
}
