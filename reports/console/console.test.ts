import { describe, expect, it, vi } from 'vitest';
import type { RunRecord } from '../../spec/index.ts';
import { groupFindings, groupsOf } from '../summary/groups.ts';
import { summarise } from '../summary/summarise.ts';
import type { MergedFinding, OperationSummary } from '../summary/types.ts';
import { sampleLoad } from '../testing/sample-load.ts';
import { found } from '../testing/merged-finding.ts';
import { changed, sampleFinding, sampleRun, sampleStart, sampleTest } from '../testing/sample-run.ts';
import { width } from '../text/width.ts';
import { skipLines } from './coverage.ts';
import { findingLines } from './findings.ts';
import { createConsole } from './console.ts';
import { matrixLines } from './matrix.ts';
import { createJsonConsole, createQuietConsole } from './quiet.ts';
import { createPaint, wantsColour } from './paint.ts';

function shown(
  records: readonly RunRecord[],
  options: { isTTY?: boolean; columns?: number; colour?: boolean; verbose?: boolean } = {},
): string {
  let text = '';
  const stream = { write: (part: string) => (text += part) };
  const view = createConsole({ stream, isTTY: false, colour: false, ...options });
  for (const record of records) view.record(record);
  view.end(summarise(records), ['assay-report/report.html']);
  return text;
}

const grouped = (findings: readonly MergedFinding[]): string =>
  findingLines(groupsOf({ findings, groups: groupFindings(findings) }), createPaint(false), 120).join('\n');

describe('the console', () => {
  it('prints the verdict first, then findings, matrix, coverage, effects, skips and reports', () => {
    const text = shown(sampleRun());
    const order = [
      'FAILED 1 requirement violated in 2 operations (2 findings, probably 1 root cause).',
      'Findings',
      'expected',
      'curl',
      'replay',
      'Operations',
      'Requirements',
      'Resources created',
      'Skipped: 6 tests',
      'assay-report/report.html',
      'exit code 1',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('prints the first findings with a code as they come, and where the others are', () => {
    const findings = ['a', 'b', 'c', 'd', 'e'].map((fingerprint) => ({
      ...sampleFinding(),
      fingerprint,
      message: `finding ${fingerprint}`,
    }));
    const live = shown([sampleStart(), { ...sampleTest(0, true), findings }]).split('\n\n', 1)[0] ?? '';
    expect(live.match(/finding [a-e]/g)).toEqual(['finding a', 'finding b', 'finding c']);
    expect(live).toMatch(/… more violations with the code \S+, listed at the end/);
  });

  it('beats in a pipe without escapes, and draws over one line on a terminal', () => {
    expect(shown(sampleRun())).toContain(' passed · ');
    expect(shown(sampleRun())).not.toContain('\u001b');
    expect(shown(sampleRun(), { isTTY: true })).toContain('\r\u001b[2K');
  });

  it('prints verdict, findings and files apart with --quiet', () => {
    let text = '';
    createQuietConsole({ stream: { write: (part) => (text += part) }, isTTY: false, colour: false }).end(
      summarise(sampleRun()),
      ['a/report.html'],
    );
    const [verdict, findings, files] = text.split('\n\n');
    expect(verdict).toMatch(/^FAILED /);
    expect(findings).toMatch(/^✗ .* \([0-9a-f-]+\)$/m);
    expect(files).toBe('a/report.html\n');
  });

  it('prints warnings about the run with --quiet and --json too, on standard error', () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const stream = { write: () => true };
    for (const each of [createQuietConsole({ stream, isTTY: false }), createJsonConsole({ stream })]) {
      each.note('progress');
      each.warn('the baseline is missing');
    }
    const line = ['Warning: the baseline is missing\n'];
    expect(written.mock.calls).toEqual([line, line]);
    written.mockRestore();
  });

  it('lets nothing of the target act on the terminal', () => {
    const text = shown(sampleRun({ hostile: '\u001b]0;owned\u0007\u009b31m\u202e\r\u0000' }));
    expect(text).toContain('\\u001b]0;owned\\u0007\\u009b31m\\u202e\\u000d\\u0000');
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it('shows a passed run on one screen, and more with --verbose', () => {
    const passed = changed(sampleRun(), 'test', ({ verdict }) => ({
      findings: [],
      verdict: verdict === 'failed' ? 'passed' : verdict,
    }));
    const [, ending = ''] = shown(passed).split('\nPASSED', 2);
    expect(ending.split('\n').length).toBeLessThanOrEqual(35);
    expect(shown(passed, { verbose: true }).split('\n').length).toBeGreaterThan(shown(passed).split('\n').length);
  });

  it('only counts the operations that passed, and lists them with --verbose', () => {
    const form = { reached: true, statuses: { 200: 3 }, findings: 0 };
    const lines = (forms: readonly string[], verbose = false): string => {
      const operations = (['passed', 'failed', 'passed'] as const).map((verdict, index) => ({
        id: `GET /${verdict}/${index}`,
        section: '',
        effect: 'read' as const,
        forms: Object.fromEntries(forms.map((name) => [name, { ...form, verdict }])),
      }));
      return matrixLines({ operations, findings: [] }, createPaint(false), 80, verbose).join('\n');
    };
    const both = ['/api', '/api/v1'];
    expect(lines(both)).toMatch(/^ {2}\/api \/api\/v1\n.*GET \/failed\/1/u);
    expect(lines(both)).toContain('2 other operations passed in every form');
    expect(lines(both)).not.toContain('GET /passed');
    expect(lines(both, true).match(/GET \/passed/g)).toHaveLength(2);
    form.findings = 1;
    expect(lines(both)).toMatch(/^ {2}! {4}! .*GET \/passed\/0[^]*! warnings or known findings only/mu);
    expect(lines(both)).not.toContain('passed in every form');
    form.findings = 0;
    expect(lines([''])).toMatch(/^ {2}! .*GET \/failed\/1[^]*2 other operations passed$/u);
  });

  it('marks an operation that failed with known findings only as one that fails no run', () => {
    const summary = summarise(sampleRun());
    const known = { ...summary, findings: summary.findings.map((each) => ({ ...each, known: true, fails: false })) };
    const marks = (of: typeof summary): string => matrixLines(of, createPaint(false), 120, true).join('\n');
    expect(marks(summary)).toContain('✗');
    expect(marks(known)).not.toContain('✗');
    expect(marks(known)).toMatch(/^ {2}! /mu);
    expect(marks(known)).toContain('\n  ! warnings or known findings only, · not tested');
  });

  it('tells statuses apart for forms in which no valid request succeeded', () => {
    const cell = { verdict: 'untested', reached: false, statuses: {}, findings: 0 } as const;
    const seen = (forms: OperationSummary['forms']): string => {
      const operation = { id: 'GET /a', section: '', effect: 'read', forms };
      return matrixLines({ operations: [operation], findings: [] }, createPaint(false), 200, true)[1] ?? '';
    };
    const reached = { ...cell, reached: true, statuses: { 200: 30 } };
    expect(seen({ '/api': cell })).toMatch(/ no request$/u);
    expect(seen({ '/api': { ...cell, statuses: { 403: 1, 404: 2 }, refused: { 404: 2 } } })).toMatch(
      / no valid request succeeded: 404×2$/u,
    );
    expect(seen({ '/api': { ...cell, statuses: { 403: 1 } } })).toMatch(/ no valid request: 403×1$/u);
    expect(seen({ '/api': { ...cell, statuses: { 200: 1 } }, '/api/v1': reached })).toMatch(
      / no valid request in \/api: 200×1; in \/api\/v1: 200×30$/u,
    );
    expect(seen({ '/api': reached, '/api/v1': reached })).toMatch(/ {2}200×60$/u);
  });

  it('operations stay different on a narrow terminal', () => {
    const ids = ['a', 'b'].map(
      (name) => `GET /accounts/{accountId}/organizations/{organizationId}/users/{userId}/${name}`,
    );
    const form = { verdict: 'passed', reached: true, statuses: { 200: 3 }, findings: 0 } as const;
    const operations = ids.map((id) => ({ id, section: '', effect: 'read', forms: { '/api': form, '/api/v1': form } }));
    const rows = matrixLines({ operations, findings: [] }, createPaint(false), 60, true).slice(-2);
    expect(rows.every((row) => width(row) <= 60)).toBe(true);
    expect(new Set(rows).size).toBe(2);
  });

  it.each([40, 80])('keeps within %i columns, but for what is to be pasted', (columns) => {
    const lines = shown(sampleRun(), { columns })
      .split('\n')
      .filter((line) => !/^ {2}(curl|replay|id) |^[✗!] /.test(line));
    expect(lines.filter((line) => width(line) > columns)).toEqual([]);
  });

  it.each([50, 80])('keeps tables of a load run within %i columns', (columns) => {
    const lines = shown(sampleLoad(), { columns }).split('\n').slice(1);
    expect(lines.filter((line) => width(line) > columns && !line.includes(' in flight'))).toEqual([]);
    expect(lines.join(' ')).toMatch(
      /clue-ingestion +engine open, offered\/s 1,000, +succeeded\/s 981, +requests 60,000/,
    );
  });

  it('tells the iterations that a flow is offered from the requests that it achieves', () => {
    const latencyMs = { p50: 40, p90: 50, p95: 50, p99: 60, p99_9: 60, max: 60 };
    const counts = { completed: 12_000, failed: 0, dropped: 0, interrupted: 0, mostRunning: 9 };
    const flow = { executor: 'constant-arrival-rate', rate: 200, ...counts, latencyMs, checks: [], mistakes: [] };
    const records = sampleLoad().map((record): RunRecord => {
      if (record.type === 'tick') return { ...record, offers: 'iterations' };
      return record.type === 'scenario' && record.detail !== undefined
        ? { ...record, detail: { ...record.detail, flow } }
        : record;
    });
    const text = shown(records, { columns: 200 });
    expect(text).toMatch(/clue-ingestion +open +1,000 iterations +981 requests +60,000/);
    expect(text).toContain('1,000 iterations/s offered · 1,000 requests/s succeeded');
    expect(shown(sampleLoad(), { columns: 200 })).not.toMatch(/iterations|requests\/s ·/);
  });

  it('fits the live line into a terminal of any width', () => {
    const text = shown(sampleRun(), { isTTY: true, columns: 30 });
    const live = text.split('\r\u001b[2K').map((part) => part.split('\n')[0] ?? '');
    expect(live.filter((line) => line.includes(' · ') && /^\d/.test(line)).every((line) => width(line) < 30)).toBe(
      true,
    );
  });

  it('cuts what is too long', () => {
    expect(shown(sampleRun({ hostile: 'x'.repeat(1_000_000) })).length).toBeLessThan(60_000);
  });

  it('groups what creating and updating an item do wrong alike', () => {
    const text = grouped([
      found('dead', 'updated-reads-back/member: PUT /aiagent/{id}: /name', { requirement: 'agents.update-stores' }),
      found('f00d', 'created-reads-back/member: POST /aiagent: /name', { requirement: 'agents.create-stores' }),
      found('beef', 'created-reads-back/member: POST /aijob: /name', { requirement: 'agents.create-stores' }),
    ]);
    expect(text.match(/^▌/gm)).toHaveLength(2);
    expect(text).toContain('same on   1 more operation: POST /aiagent (f00d)');
  });

  it('groups symptoms of wrong pages with their cause, and nothing that pages do not explain', () => {
    const text = grouped([
      found('f00d', 'ordering/order-by: GET /aiagent'),
      found('beef', 'paging-partition/items-lost: GET /aiagent'),
      found('cafe', 'ordering/order-by: GET /aijob: there'),
      found('f00e', 'filters/not-found: GET /aiagent', { message: 'not found' }),
    ]);
    expect(text.match(/^▌/gm)).toHaveLength(3);
    expect(text).toContain('related   probably the same cause:\n            not found (f00e)');
  });

  it('shows the parts of a load scenario and how it was measured', () => {
    const text = shown(sampleLoad());
    expect(text).toMatch(/clue-ingestion\/post +490 +0 /);
    expect(text).toContain('throughput 4,500 requests/s, closed model (autocannon, 64 connections, 2.0 s)');
    expect(text).toContain('generator lag p99 2.0 ms, event loop 30% busy');
    expect(text).toContain('sampled 500 responses checked, 0 with violations');
  });

  it('shows what was repeated and waited for', () => {
    const text = shown(sampleRun());
    expect(text).toContain('requests repeated after 503 ×3');
    expect(text).toContain('GET /aijob: 503 ×3');
  });

  it('obeys NO_COLOR and FORCE_COLOR', () => {
    expect(wantsColour(true, {})).toBe(true);
    expect(wantsColour(false, {})).toBe(false);
    expect(wantsColour(true, { NO_COLOR: '1' })).toBe(false);
    expect(wantsColour(false, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(true);
    expect(wantsColour(true, { FORCE_COLOR: '0' })).toBe(false);
    expect(wantsColour(true, { TERM: 'dumb' })).toBe(false);
  });
});

it('reasons that differ in the operation only are one line', () => {
  const skips = ['POST /a', 'POST /b', 'POST /b'].map((id) => ({
    what: id,
    reason: `what ${id} created is not found`,
  }));
  const lines = skipLines([...skips, { what: 'GET /c', reason: 'not allowed' }], createPaint(false), 100);
  expect(lines).toEqual([
    ['      3  what POST /a created is not found (and 1 other operation)'],
    ['      1  not allowed'],
  ]);
});
