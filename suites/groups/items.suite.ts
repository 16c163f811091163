import { loadSuites } from '../kit/load-suites.ts';
import { ITEMS } from './suites.ts';

await loadSuites([ITEMS], 'one-form', 'not-awaited');
