import { loadSuites } from '../kit/load-suites.ts';
import { SEQUENCES } from './suites.ts';

await loadSuites([SEQUENCES]);
