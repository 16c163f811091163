import { loadSuites } from '../kit/load-suites.ts';
import { SEQUENCES, VALUES } from './suites.ts';

// Sequences wait for many responses in turn, while generated values are sent beside them.
await loadSuites([SEQUENCES, VALUES], 'not-isolated');
