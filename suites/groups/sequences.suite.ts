import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({ 'state/sequences': () => import('../state/sequences.suite.ts') });
