import { expect, it } from 'vitest';
import type { RunRecord } from '../../spec/index.ts';
import { summarise } from '../summary/summarise.ts';
import { sampleLoad } from '../testing/sample-load.ts';
import { loadLines } from './load.ts';
import { createPaint } from './paint.ts';

it('does not call a threshold met that held until an interruption only', () => {
  const records = sampleLoad().map((record): RunRecord =>
    record.type === 'scenario' && record.detail !== undefined
      ? { ...record, detail: { ...record.detail, stopped: 'interrupted' } }
      : record,
  );
  const text = loadLines(summarise(records), createPaint(false), 120).join('\n');
  expect(text).toMatch(/– clue-ingestion: .* measured .* before the interruption/);
  expect(text).not.toContain('✓ clue-ingestion');
});

it('says which rate is the highest one, and no lag where nothing is due at a time', () => {
  const none = { p50: 0, p90: 0, p95: 0, p99: 0, p99_9: 0, max: 0 };
  const records = sampleLoad().map((record): RunRecord =>
    record.type === 'scenario' && record.detail !== undefined
      ? { ...record, detail: { ...record.detail, varies: true, lagMs: none } }
      : record,
  );
  const text = loadLines(summarise(records), createPaint(false), 120).join('\n');
  expect(text).toMatch(/ up to 1,000 /);
  expect(text).toContain('generator event loop 30% busy');
});
