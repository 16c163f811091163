import { loadSuites } from '../kit/load-suites.ts';
import { LISTS } from './suites.ts';

await loadSuites([LISTS], 'one-form', 'not-awaited');
