import { loadSuites } from '../kit/load-suites.ts';
import { LISTS, OPERATIONS } from './suites.ts';

await loadSuites([OPERATIONS, LISTS], 'one-form');
