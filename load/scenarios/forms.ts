import { policyReads } from './policies.ts';
import { randomPage } from './paging-random.ts';

const VARIANTS = 250;

/** The same pages through `/api` and `/api/v1`, alternating; the results compare the two. */
export const forms = policyReads(
  { name: 'forms', title: 'Compares the same reads through both forms.', compares: true },
  ({ count, tag }, random) => Array.from({ length: VARIANTS }, () => randomPage(random, count, tag)),
  ['/api', '/api/v1'],
);
