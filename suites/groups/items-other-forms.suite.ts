import { loadParts } from '../kit/load-suites.ts';
import { ITEMS, LISTS, OPERATIONS } from './suites.ts';

// What is left of the first form waits for what appears late.
await loadParts([
  { files: [OPERATIONS, LISTS], limits: ['one-form'] },
  { files: [ITEMS], limits: [] },
]);
