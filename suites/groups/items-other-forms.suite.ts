import { loadSuites } from '../kit/load-suites.ts';
import { ITEMS, ORDER } from './suites.ts';

await loadSuites([ITEMS, ORDER]);
