import { expect, it } from 'vitest';
import type { RunRecord } from '../../spec/index.ts';
import { junitXml } from '../formats/junit.ts';
import { markdownOf } from '../formats/markdown.ts';
import { loadSection } from '../formats/html/parts/load.ts';
import { summarise } from '../summary/summarise.ts';
import { sampleLoad } from '../testing/sample-load.ts';
import { changed, sampleRun } from '../testing/sample-run.ts';
import { viewOf } from '../view.ts';
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

/** A load run with sampled responses that violate the contract. */
function violating(held: boolean): RunRecord[] {
  const findings = sampleRun({ findings: 1 })
    .flatMap((record) => (record.type === 'test' ? record.findings : []))
    .map((each) => ({ ...each, message: 'GET /x answers with text/html', curl: 'curl -sS http://x' }))
    .slice(0, 1);
  const threshold = { expression: 'violations==0', value: 7, held, metric: 'violations' };
  return changed(sampleLoad(), 'scenario', () => ({ contractViolations: 7, findings, thresholds: [threshold] }));
}

it('names what sampled responses violated, with a command', () => {
  const text = loadLines(summarise(violating(false)), createPaint(false), 120).join('\n');
  expect(text).toMatch(
    /✗ clue-ingestion: 7 sampled responses violated the contract\n {4}GET \/x answers with text\/html; /,
  );
  expect(text).toContain('\n    curl -sS http://x\n');
  const view = viewOf(violating(false));
  for (const report of [markdownOf(view), loadSection(view).text, junitXml(view)])
    expect(report).toContain('GET /x answers with text/html');
});

it('does not mark violations as a failure where no threshold is about them', () => {
  const text = loadLines(summarise(violating(true)), createPaint(false), 120).join('\n');
  expect(text).toContain('! clue-ingestion: 7 sampled responses violated the contract');
});
