import { loadSuites } from '../kit/load-suites.ts';
import { RACES } from './suites.ts';

await loadSuites([RACES], 'not-isolated', 'not-awaited');
