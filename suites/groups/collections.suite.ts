import { loadSuites } from '../kit/load-suites.ts';
import { COLLECTIONS, RACES } from './suites.ts';

// The isolated races wait for many responses in turn, while long lists are read beside them.
await loadSuites([RACES, COLLECTIONS]);
