import { expect, test } from 'vitest';
import type { RunRecord } from '../../spec/index.ts';
import { summarise } from '../summary/summarise.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { endingLines } from './ending.ts';
import { createPaint } from './paint.ts';

test('warnings are one line each where violations fail the run, and in full with --verbose', () => {
  const records = sampleRun().map((record) => {
    const [finding] = record.type === 'test' ? record.findings : [];
    if (finding === undefined || record.type !== 'test') return record;
    const warning = { ...finding, severity: 'warning', fingerprint: 'w', code: 'cors/not-allowed', message: 'warned' };
    return { ...record, findings: [warning, ...record.findings] };
  }) as RunRecord[];
  const text = (verbose: boolean): string =>
    endingLines(summarise(records), [], createPaint(false), { columns: 120, command: 'assay', verbose }).join('\n');
  expect(text(false)).toMatch(/▌ violation: [^]+\n {2}! .*warned.* \(w\)\n/);
  expect(text(false)).not.toContain('▌ warning');
  expect(text(true)).toContain('▌ warning: warned');
});
