import { loadSuites } from '../kit/load-suites.ts';
import { ORDER } from './suites.ts';

await loadSuites([ORDER], 'one-form');
