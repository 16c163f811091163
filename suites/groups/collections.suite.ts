import { loadSuites } from '../kit/load-suites.ts';
import { COLLECTIONS } from './suites.ts';

await loadSuites([COLLECTIONS]);
