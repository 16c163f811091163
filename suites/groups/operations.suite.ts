import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({
  'contract/description': () => import('../contract/description.suite.ts'),
  'contract/operations': () => import('../contract/operations.suite.ts'),
});
