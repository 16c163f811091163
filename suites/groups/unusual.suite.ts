import { loadSuites } from '../kit/load-suites.ts';
import { UNUSUAL } from './suites.ts';

await loadSuites([UNUSUAL]);
