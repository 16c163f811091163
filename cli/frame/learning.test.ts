import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { driftRecord, learn, readLearned, writeLearned } from './learning.ts';
import type { RunRecord } from '../../spec/index.ts';

const file = join(mkdtempSync(join(tmpdir(), 'assay-learning-')), 'behaviour.json');
const saw = (what: string, value: string, operation?: string): RunRecord => ({ type: 'observation', what, value, ...(operation === undefined ? {} : { operation }) });

it('what is written down is read back', () => {
  const learned = learn([saw('a new policy is', 'inactive', 'POST /a'), saw('a new policy is', 'active', 'POST /a'), saw('errors are', 'problem details')]);
  writeLearned(file, learned);
  expect(readLearned(file)).toEqual(learned);
});

it('tells what is otherwise now as a warning, and nothing else', () => {
  const known = learn([saw('a new policy is', 'inactive', 'POST /a'), saw('errors are', 'problem details')]);
  const record = driftRecord(known, learn([saw('a new policy is', 'active', 'POST /a'), saw('errors are', 'problem details'), saw('never watched', 'x')]), file);
  expect(record.verdict).toBe('failed');
  expect(record.findings).toMatchObject([{ severity: 'warning', operation: 'POST /a', expected: 'inactive', received: 'active' }]);
  expect(driftRecord(known, known, file)).toMatchObject({ verdict: 'passed', findings: [] });
  expect(driftRecord(known, learn([]), file).verdict).toBe('skipped');
});

it.each(['{', '[]', '{"assayBehaviour": 2, "behaviour": []}'])('refuses %s', (text) => {
  writeFileSync(file, text);
  expect(() => readLearned(file)).toThrow(/learned behaviour|can't be read/u);
});
