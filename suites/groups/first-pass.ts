/** Files of tests by the suite of their tests. */
type SuiteFiles = Readonly<Record<string, () => Promise<unknown>>>;

// The tests of these groups run through one form of their operation first, and later through the others: most defects show in
// both, and are found with half of the requests.

export const LISTS: SuiteFiles = {
  'contract/paging': () => import('../contract/paging.suite.ts'),
  'contract/ordering': () => import('../contract/ordering.suite.ts'),
  'state/filters/policies': () => import('../state/filters/policies.suite.ts'),
  'state/filters/metadata': () => import('../state/filters/metadata.suite.ts'),
  'state/jobs/filters': () => import('../state/jobs/filters.suite.ts'),
};

export const ITEMS: SuiteFiles = {
  'state/lifecycle': () => import('../state/lifecycle.suite.ts'),
  'state/activation': () => import('../state/activation.suite.ts'),
  'state/json-patch': () => import('../state/json-patch.suite.ts'),
  'state/clues': () => import('../state/clues.suite.ts'),
  'contract/shared-state': () => import('../contract/shared-state.suite.ts'),
  'contract/tenants': () => import('../contract/tenants.suite.ts'),
  'contract/forms': () => import('../contract/forms.suite.ts'),
  'state/approvals': () => import('../state/approvals.suite.ts'),
  'state/chat-stream': () => import('../state/chat-stream.suite.ts'),
  'state/audit': () => import('../state/audit.suite.ts'),
  'state/jobs/runs': () => import('../state/jobs/runs.suite.ts'),
  'state/jobs/ownership': () => import('../state/jobs/ownership.suite.ts'),
  'state/published': () => import('../state/published.suite.ts'),
  'state/jobs/summary': () => import('../state/jobs/summary.suite.ts'),
  'contract/authentication': () => import('../contract/authentication.suite.ts'),
  'contract/permissions': () => import('../contract/permissions.suite.ts'),
  'contract/ids': () => import('../contract/ids.suite.ts'),
  'contract/bodies': () => import('../contract/bodies.suite.ts'),
  'contract/parameters': () => import('../contract/parameters.suite.ts'),
  'contract/media': () => import('../contract/media.suite.ts'),
};
