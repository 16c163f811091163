import { loadSuites } from '../kit/load-suites.ts';
import { OPERATIONS } from './suites.ts';

await loadSuites([OPERATIONS], 'not-awaited');
