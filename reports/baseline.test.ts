import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defined } from '../spec/defined.ts';
import { AssayError, fingerprint } from '../spec/index.ts';
import type { RunRecord } from '../spec/index.ts';
import { baselineText, readBaseline, updateBaseline, writeBaseline } from './baseline.ts';
import { summarise } from './summary/summarise.ts';
import { changed, sampleRun } from './testing/sample-run.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';

const dir = emptyDirectory();

describe('the baseline', () => {
  it('excuses what it was written from, and keeps what people wrote into it', () => {
    const path = join(dir, 'known.json');
    writeBaseline(path, updateBaseline(undefined, summarise(sampleRun({ findings: 2 }))));
    const [first, ...rest] = readBaseline(path).entries;
    if (first === undefined) throw new Error('no entry');
    writeBaseline(path, { entries: [{ ...first, reason: 'ticket 7', expires: '2027-01-01' }, ...rest] });
    const summary = summarise(sampleRun({ findings: 4, seed: 7 }), { baseline: readBaseline(path) });
    expect(summary.findings.map((finding) => finding.standing).toSorted()).toEqual(['known', 'known', 'new', 'new']);
    const updated = updateBaseline(readBaseline(path), summary);
    expect(updated.entries).toHaveLength(4);
    expect(updated.entries).toContainEqual(
      expect.objectContaining({ fingerprint: first.fingerprint, reason: 'ticket 7', expires: '2027-01-01' }),
    );
  });

  it('does not excuse a violation by the warning of a run before', () => {
    const run = sampleRun({ findings: 1 });
    const written = updateBaseline(undefined, summarise(run)).entries;
    const baseline = { entries: written.map((entry) => ({ ...entry, severity: 'warning' as const })) };
    const { findings } = summarise(run, { baseline });
    expect(findings.map(({ severity, standing, fails }) => [severity, standing, fails])).toEqual([
      ['violation', 'new', true],
    ]);
    expect(updateBaseline(baseline, summarise(run)).entries).toEqual(written);
  });

  it('excuses what only a known failure explains, and nothing else that follows from it', () => {
    const run = sampleRun({ findings: 1 });
    const [entry] = updateBaseline(undefined, summarise(run)).entries;
    const standingWith = (status: number, operation = entry?.operation ?? '', own: object = {}): unknown => {
      const entries = entry === undefined ? [] : [{ ...entry, check: 'no-server-error', ...own }];
      const records = run.map((record) => {
        if (record.type !== 'test' || record.findings.length === 0) return record;
        const [finding] = record.findings;
        const [step] = finding?.steps ?? [];
        if (entry === undefined || finding === undefined || step?.response === undefined) throw new Error('no steps');
        const response = { ...step.response, status };
        const symptom = { ...finding, cause: entry.fingerprint, steps: [{ ...step, operation, response }] };
        return { ...record, findings: [finding, { ...symptom, fingerprint: 'fedcba9876543210' }] };
      });
      const summary = summarise(records, { baseline: { entries } });
      const symptom = summary.findings.find(({ fingerprint }) => fingerprint !== entry?.fingerprint);
      expect(updateBaseline({ entries }, summary).entries).toHaveLength(symptom?.standing === 'new' ? 2 : 1);
      return symptom?.standing;
    };
    expect(standingWith(500)).toBe('known');
    expect(standingWith(200)).toBe('new');
    expect(standingWith(500, 'GET /other')).toBe('new');
    expect(standingWith(404, entry?.operation, { check: 'body-fits-schema' })).toBe('new');
    expect(standingWith(500, entry?.operation, { expires: '2026-11-20' })).toBe('expired');
  });

  it('excuses what only some requests show where it has what each shows, and does not call that fixed', () => {
    const run = sampleRun({ findings: 1 });
    const baseline = updateBaseline(undefined, summarise(run));
    const known = (code: string): unknown => {
      const records = run.map((record) => {
        if (record.type !== 'test') return record;
        const findings = record.findings.map((each) => {
          const subject = `${each.subject ?? ''} intermittent`.trim();
          const { requirement, operation } = each;
          return { ...each, code, subject, fingerprint: fingerprint({ code, subject, requirement, operation }) };
        });
        return { ...record, findings };
      });
      const { findings, fixed } = summarise(records, { baseline });
      return [findings.map((each) => each.known), fixed];
    };
    const code = summarise(run).findings[0]?.code ?? '';
    expect(known(code)).toEqual([[true], []]);
    expect(known('other/code')).toMatchObject([[false], expect.anything()]);
  });

  it('is written in the same order, whatever the order of its entries', () => {
    const { entries } = updateBaseline(undefined, summarise(sampleRun({ findings: 3 })));
    const alike = entries.map((entry) => ({ ...entry, operation: 'GET /x', check: 'paging' }));
    expect(baselineText({ entries: alike.toReversed() })).toBe(baselineText({ entries: alike }));
  });

  it('has fixed only what the suites that found it did not find again', () => {
    const [entry] = updateBaseline(undefined, summarise(sampleRun({ findings: 1 }))).entries;
    if (entry === undefined) throw new Error('no entry');
    const healthy = sampleRun({ findings: 0 });
    const fixedWith = (suites: readonly string[]): number =>
      summarise(healthy, { baseline: { entries: [{ ...entry, suites }] } }).fixed.length;
    expect(fixedWith(['never/run'])).toBe(0);
    expect(fixedWith(entry.suites ?? [])).toBe(1);
  });

  it('has fixed what a property found only after as many cases', () => {
    const withCases = (findings: number, runs?: number): RunRecord[] =>
      changed(
        changed(sampleRun({ findings }), 'run-start', ({ options }) => ({
          options: { ...options, ...defined({ runs }) },
        })),
        'test',
        ({ suite, name }) => ({ suite: `properties/${suite}`, name: `properties/${name}` }),
      );
    const path = join(dir, 'cases.json');
    writeBaseline(path, updateBaseline(undefined, summarise(withCases(1, 200))));
    const baseline = readBaseline(path);
    const [entry] = baseline.entries;
    const fixed = [50, 200, undefined].map((runs) => summarise(withCases(0, runs), { baseline }).fixed.length);
    expect([entry?.cases, ...fixed]).toEqual([200, 0, 1, 1]);
  });

  it('has fixed nothing where a test that may have found it did not run to its end', () => {
    const baseline = updateBaseline(undefined, summarise(sampleRun({ findings: 1 })));
    const healthy = sampleRun({ findings: 0 });
    const check = baseline.entries[0]?.check ?? '';
    const fixedWith = (change: object, options: object = {}): number =>
      summarise(
        healthy.flatMap((record): RunRecord[] => {
          if (record.type === 'run-start') return [{ ...record, options: { ...record.options, ...options } }];
          const isLike = record.type === 'test' && record.checks.includes(check);
          return isLike ? [record, { ...record, name: `${record.name} again`, ...change }] : [record];
        }),
        { baseline },
      ).fixed.length;
    expect(fixedWith({})).toBe(1);
    const skipped = { verdict: 'skipped', statuses: [] };
    expect(fixedWith({ ...skipped, reason: 'no case' })).toBe(1);
    expect(fixedWith({ ...skipped, reason: 'late', outOfTime: true })).toBe(0);
    expect(fixedWith({ ...skipped, reason: 'the effect is not allowed', lacks: 'irreversible' })).toBe(0);
    const refused = [{ operation: 'GET /aijob', form: '/api/v1', status: '403', count: 1, valid: 1 }];
    expect(fixedWith({ ...skipped, reason: 'every valid request was refused (403)', statuses: refused })).toBe(0);
    expect(fixedWith({ cutShort: 'late' })).toBe(0);
    expect(fixedWith({}, { shard: { index: 1, total: 2 } })).toBe(0);
  });

  it('names operations that the description does not have', () => {
    const run = sampleRun({ findings: 1 });
    const [entry] = updateBaseline(undefined, summarise(run)).entries;
    if (entry === undefined) throw new Error('no entry');
    const unknownWith = (...operations: readonly string[]): readonly string[] | undefined =>
      summarise(run, { baseline: { entries: operations.map((operation) => ({ ...entry, operation })) } })
        .unknownInBaseline;
    expect(unknownWith(entry.operation, '')).toBeUndefined();
    expect(unknownWith('GET /pets', entry.operation, 'GET /pets')).toEqual(['GET /pets']);
  });

  it.each([
    ['{', 'cannot use the baseline'],
    ['[]', 'assayBaseline'],
    ['{"assayBaseline":2,"entries":[{"fingerprint":"xyz","reason":""}]}', 'entry 1 has the fingerprint "xyz"'],
    ['{"assayBaseline":2,"entries":[{"fingerprint":"0123456789abcdef"}]}', 'entry 1 has no string "reason"'],
    [
      '{"assayBaseline":2,"entries":[{"fingerprint":"0123456789abcdef","reason":"","expires":"soon"}]}',
      'entry 1 expires on "soon"',
    ],
    [
      '{"assayBaseline":2,"entries":[{"fingerprint":"0123456789abcdef","reason":"","expire":"2026-12-31"}]}',
      'entry 1 has the unknown key "expire"',
    ],
    [
      '{"assayBaseline":2,"entries":[{"fingerprint":"0123456789abcdef","reason":""},{"fingerprint":"0123456789abcdef","reason":"x"}]}',
      'entries 1 and 2 have the fingerprint 0123456789abcdef',
    ],
  ])('that is wrong (%s) is a usage error', (text, message) => {
    const path = join(dir, 'known.json');
    writeFileSync(path, text);
    expect(() => readBaseline(path)).toThrow(message);
    expect(() => readBaseline(path)).toThrow(AssayError);
  });

  it('of version 1 is refused, and migrated by an update: reasons stay with their check and operation', () => {
    const path = join(dir, 'old.json');
    const summary = summarise(sampleRun({ findings: 2 }));
    const [finding] = summary.findings;
    if (finding === undefined) throw new Error('no finding');
    const { check, operation, message } = finding;
    const entry = {
      fingerprint: '0123456789abcdef',
      reason: 'ticket 7',
      expires: '2027-01-01',
      check,
      operation,
      message,
    };
    writeFileSync(path, JSON.stringify({ assayBaseline: 1, entries: [entry] }));
    expect(() => readBaseline(path)).toThrow('it has format 1');
    writeBaseline(path, updateBaseline(readBaseline(path, { migrate: true }), summary));
    const { entries } = readBaseline(path);
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(
      expect.objectContaining({ fingerprint: finding.fingerprint, reason: 'ticket 7', expires: '2027-01-01' }),
    );
  });

  it('that is missing is a usage error', () => {
    expect(() => readBaseline(join(dir, 'none.json'))).toThrow(expect.objectContaining({ exitCode: 2 }));
  });
});
