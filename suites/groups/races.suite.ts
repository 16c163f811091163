import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({ 'state/overlap': () => import('../state/overlap.suite.ts') });
