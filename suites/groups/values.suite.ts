import { loadSuites } from '../kit/load-suites.ts';
import { VALUES } from './suites.ts';

await loadSuites([VALUES]);
