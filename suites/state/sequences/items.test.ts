import { expect, test } from 'vitest';
import { isShortened } from './items.ts';

test.each([
  ['Created by Assay (assay-1-seq-c2); safe to delete.', false],
  ['Created by Assay (assay-1-seq-c2); safe\u2026', false],
  ['Created by Assay (assay-1-seq-c', true],
  ['Created by Assay (ass...', true],
  ['Patched by\u2026', true],
  ['Something else', false],
  ['other', false],
  ['', false],
  [null, false],
])('%s ends before or within its content: %s', (description, isCut) => {
  expect(isShortened(description, 'assay-1-seq')).toBe(isCut);
});
