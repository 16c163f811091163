import { loadSuites } from '../kit/load-suites.ts';
import { ALL } from './suites.ts';

await loadSuites(ALL, 'failed-before');
