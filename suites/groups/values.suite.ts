import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({
  'properties/valid-bodies': () => import('../properties/valid-bodies.suite.ts'),
  'properties/valid-parameters': () => import('../properties/valid-parameters.suite.ts'),
  'properties/patches': () => import('../properties/patches.suite.ts'),
  'properties/invalid': () => import('../properties/invalid.suite.ts'),
  'properties/equivalence': () => import('../properties/equivalence.suite.ts'),
});
