import { loadSuites } from '../kit/load-suites.ts';

await loadSuites({ 'state/order': () => import('../state/order.suite.ts') });
