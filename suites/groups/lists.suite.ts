import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({
  'contract/paging': () => import('../contract/paging.suite.ts'),
  'contract/ordering': () => import('../contract/ordering.suite.ts'),
  'state/filters/policies': () => import('../state/filters/policies.suite.ts'),
  'state/filters/metadata': () => import('../state/filters/metadata.suite.ts'),
  'state/jobs/filters': () => import('../state/jobs/filters.suite.ts'),
});
