import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({
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
});
