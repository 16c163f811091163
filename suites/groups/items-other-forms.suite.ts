import { loadParts } from '../kit/load-suites.ts';
import { ITEMS, LISTS, OPERATIONS } from './suites.ts';

// Of the first form, only the tests that wait for what appears late are left.
await loadParts([
  { files: [OPERATIONS, LISTS], limits: ['one-form'] },
  { files: [ITEMS], limits: [] },
]);
