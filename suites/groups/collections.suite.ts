import { loadSuites } from '../kit/load-suites.ts';
import { COLLECTIONS, RACES, SEQUENCES, VALUES } from './suites.ts';

// Isolated tests wait for many responses in turn, while long lists are read beside them.
await loadSuites([RACES, SEQUENCES, VALUES, COLLECTIONS]);
