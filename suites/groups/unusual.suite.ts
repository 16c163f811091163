import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({
  'contract/parameters': () => import('../contract/unusual.suite.ts'),
  'contract/bodies': () => import('../contract/unusual.suite.ts'),
  'contract/methods': () => import('../contract/methods.suite.ts'),
});
