import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({
  'properties/lists': () => import('../properties/lists.suite.ts'),
  'properties/orders': () => import('../properties/orders.suite.ts'),
});
