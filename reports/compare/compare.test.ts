import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../spec/index.ts';
import { sampleLoad } from '../testing/sample-load.ts';
import { changed, sampleRun } from '../testing/sample-run.ts';
import { viewOf } from '../view.ts';
import { compareRuns, isSame, isWorse } from './compare.ts';
import { comparisonSentence, printComparison } from './console.ts';
import { writeComparison } from './write.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

describe('a comparison', () => {
  it('of a run with itself is the same', () => {
    const comparison = compareRuns(viewOf(sampleRun()), viewOf(sampleRun()));
    expect(isSame(comparison)).toBe(true);
    expect(comparisonSentence(comparison)).toBe('No changes; 3 unchanged findings.');
  });

  it('names the one difference', () => {
    const changed = sampleRun({ findings: 0 }).map((record) =>
      record.type === 'test' && record.operation === 'PUT /aijob/{id}'
        ? {
            ...record,
            statuses: record.statuses.map((status) => ({
              ...status,
              status: status.status === '404' ? '410' : status.status,
            })),
          }
        : record,
    );
    const comparison = compareRuns(viewOf(sampleRun({ findings: 0 })), viewOf(changed));
    expect(comparison.operations).toEqual([
      {
        operation: 'PUT /aijob/{id}',
        form: '/api',
        before: { verdict: 'passed', statuses: ['200', '404'] },
        after: { verdict: 'passed', statuses: ['200', '410'] },
      },
    ]);
    expect(comparisonSentence(comparison)).toBe('1 changed operation.');
    expect(isWorse(comparison)).toBe(false);
  });

  it('with a run that ended early leaves out what only the other run tested', () => {
    const records = sampleRun({ findings: 0 });
    const untested = records.filter(({ type }) => type !== 'test');
    const ended = (end: object): RunRecord[] => changed(untested, 'run-end', () => end);
    const all = compareRuns(viewOf(records), viewOf(ended({})));
    expect(all.operations.length).toBeGreaterThan(0);
    const lost = { type: 'error', message: 'the token ended', exitCode: 6 } as const;
    const cut = compareRuns(viewOf(records), viewOf([...ended({}), lost]));
    expect([cut.requirements, cut.operations]).toEqual([[], []]);
    expect(cut.notes).toEqual([expect.stringContaining('is incomplete (the token ended): what only the other run')]);
    for (const [end, note] of [
      [{ bailed: 1 }, 'was ended early by --bail: what only the other run tested is left out.'],
      [{ interrupted: true }, 'was interrupted: what only the other run tested is left out.'],
    ] as const) {
      const { requirements, operations, notes } = compareRuns(viewOf(records), viewOf(ended(end)));
      expect([requirements, operations]).toEqual([[], []]);
      expect(notes).toEqual([expect.stringContaining(note)]);
    }
  });

  it('with a run that ended early names an operation that fails now, and none that passed so far', () => {
    const bailed = (findings: number): RunRecord[] =>
      changed(sampleRun({ findings }), 'run-end', () => ({ bailed: 1 }));
    const verdicts = (before: number, after: number): unknown =>
      compareRuns(viewOf(sampleRun({ findings: before })), viewOf(bailed(after))).operations.map((change) => [
        change.before?.verdict,
        change.after?.verdict,
      ]);
    expect(verdicts(0, 1)).toEqual([['passed', 'failed']]);
    expect(verdicts(1, 0)).toEqual([]);
  });

  it('with a run that lacked time leaves out what it did not test for that reason, and no other change', () => {
    const records = sampleRun({ findings: 1 });
    const without = (change: object): RunRecord[] =>
      records.map((record) =>
        record.type === 'test' && record.verdict === 'passed'
          ? { ...record, verdict: 'skipped', statuses: [], findings: [], ...change }
          : record,
      );
    const late = compareRuns(viewOf(records), viewOf(without({ outOfTime: true })));
    expect([late.requirements, late.operations, late.observations]).toEqual([[], [], []]);
    expect(late.notes).toEqual([expect.stringContaining('ran out of time')]);
    expect([isSame(late), comparisonSentence(late)]).toEqual([true, 'No changes; 1 unchanged finding.']);
    const skipped = compareRuns(viewOf(records), viewOf(without({})));
    expect(skipped.requirements.length).toBeGreaterThan(0);
    expect(skipped.notes).toEqual([]);
  });

  it('calls it no change where findings were only not tested again', () => {
    const comparison = compareRuns(viewOf(sampleRun()), viewOf(sampleRun()));
    const untested = comparison.findings.same.slice(0, 1);
    const findings = { ...comparison.findings, same: [], untested };
    expect(comparisonSentence({ ...comparison, findings })).toBe('No changes; 1 finding not tested again.');
  });

  it('distinguishes new, fixed and common findings', () => {
    const [few, many] = [viewOf(sampleRun({ findings: 1 })), viewOf(sampleRun({ findings: 2 }))];
    const worse = compareRuns(few, many);
    expect([worse.findings.new.length, worse.findings.same.length, isWorse(worse)]).toEqual([1, 1, true]);
    const better = compareRuns(many, few);
    expect([better.findings.fixed.length, better.findings.new.length, isWorse(better)]).toEqual([1, 0, false]);
  });

  it('is worse where a finding fails the later run only', () => {
    const warned = changed(sampleRun({ findings: 1 }), 'test', ({ findings }) => ({
      findings: findings.map((each) => ({ ...each, severity: 'warning' })),
    }));
    const none = viewOf(sampleRun({ findings: 0 }));
    expect(isWorse(compareRuns(none, viewOf(warned)))).toBe(false);
    expect(isWorse(compareRuns(none, viewOf(warned, { strict: true })))).toBe(true);
    const graver = compareRuns(viewOf(warned), viewOf(sampleRun({ findings: 1 })));
    expect([isWorse(graver), isSame(graver)]).toEqual([true, false]);
    expect(comparisonSentence(graver)).toBe('1 finding that fails the run now, 1 changed operation.');
    expect(isWorse(compareRuns(viewOf(sampleRun({ findings: 1 })), viewOf(warned)))).toBe(false);
  });

  it('tells how many changes it leaves out on the console', () => {
    const operations = Array.from({ length: 45 }, (_, index) => ({
      operation: `GET /x/${index}`,
      form: '/api',
      before: undefined,
      after: { verdict: 'passed' as const, statuses: ['200'] },
    }));
    let text = '';
    printComparison(
      { ...compareRuns(viewOf(sampleRun()), viewOf(sampleRun())), operations },
      { stream: { write: (part: string) => (text += part) }, isTTY: false, colour: false },
      [],
    );
    expect(text.match(/GET \/x/g)).toHaveLength(40);
    expect(text).toContain('… and 5 more in the reports');
  });

  it('is printed and written, of load runs too', async () => {
    const [page = '', data = ''] = await writeComparison(viewOf(sampleLoad()), viewOf(sampleLoad(2)), emptyDirectory());
    expect(readFileSync(page, 'utf8')).toContain('Changes since the run of');
    expect(JSON.parse(readFileSync(data, 'utf8'))).toMatchObject({
      load: expect.arrayContaining([{ scenario: 'clue-ingestion', measure: 'p50 ms', before: 1.3, after: 2.6 }]),
    });
    let text = '';
    printComparison(
      compareRuns(viewOf(sampleLoad()), viewOf(sampleLoad(2))),
      { stream: { write: (part: string) => (text += part) }, isTTY: false, colour: false },
      [page],
    );
    expect(text).toMatch(/clue-ingestion p50 ms {2}1\.3 → 2\.6 {2}\+100%/);
  });
});
