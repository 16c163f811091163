import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({ 'snapshot/behaviour': () => import('../snapshot/behaviour.suite.ts') });
