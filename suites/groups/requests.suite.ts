import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({
  'contract/authentication': () => import('../contract/authentication.suite.ts'),
  'contract/permissions': () => import('../contract/permissions.suite.ts'),
  'contract/ids': () => import('../contract/ids.suite.ts'),
  'contract/parameters': () => import('../contract/parameters.suite.ts'),
  'contract/bodies': () => import('../contract/bodies.suite.ts'),
  'contract/media': () => import('../contract/media.suite.ts'),
});
