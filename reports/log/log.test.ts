import { appendFileSync, existsSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { ownerOf } from '../../spec/owner.ts';
import { summarise } from '../summary/summarise.ts';
import { exitCodeOf } from '../summary/verdict.ts';
import { changed, sampleRun } from '../testing/sample-run.ts';
import { headline } from '../text/headline.ts';
import { mergeLogs } from './merge.ts';
import { readLog } from './read.ts';
import { logPath, openLog } from './write.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

function logged(records: readonly RunRecord[]): string {
  const dir = emptyDirectory();
  const log = openLog(dir);
  for (const record of records) log.write(record);
  log.close();
  return dir;
}

describe('the run log', () => {
  it('gives back what was written', () => {
    const records = sampleRun({ tests: 50, hostile: '\u0000\u001b[31m ]]> </script> \u{1f600}' });
    expect(readLog(logged(records))).toEqual(records);
  });

  it('is readable while it is written', () => {
    const dir = emptyDirectory();
    const log = openLog(dir);
    const [first] = sampleRun();
    if (first !== undefined) log.write(first);
    expect(readLog(dir)).toEqual([first]);
    log.close();
  });

  it('is refused in a directory that another process is using', () => {
    const dir = emptyDirectory();
    const log = openLog(dir);
    expect(() => openLog(dir)).toThrow('is in use by another run');
    log.close();
    const lock = `${logPath(dir)}.claim`;
    expect(existsSync(lock)).toBe(false);
    writeFileSync(lock, JSON.stringify({ ...ownerOf(process.ppid), started: 'earlier' }));
    openLog(dir).close();
  });

  it('reads records longer than its buffer', () => {
    const record: RunRecord = { type: 'error', message: 'é'.repeat(3_000_000) };
    expect(readLog(logged([record, record]))).toEqual([record, record]);
  });

  it('leaves out a torn last line, wherever it is torn', () => {
    const records = sampleRun({ tests: 3 });
    const dir = logged(records);
    const path = join(dir, 'run.ndjson');
    const size = readFileSync(path).length;
    for (const cut of [2, 10, 30]) {
      truncateSync(path, size - cut);
      expect(readLog(dir).length).toBeGreaterThanOrEqual(records.length - 1);
      expect(summarise(readLog(dir)).verdict).toBe('interrupted');
    }
  });

  it('reports a line in the middle that is not a record', () => {
    const dir = logged(sampleRun({ tests: 3, findings: 0 }).slice(0, -1));
    appendFileSync(join(dir, 'run.ndjson'), '{"oops":\n[]\n{"type":"run-end","durationMs":1,"interrupted":false}\n');
    const summary = summarise(readLog(dir));
    expect(summary.errors.map((error) => error.message)).toEqual([
      expect.stringMatching(/^line \d+ of/),
      expect.stringMatching(/^line \d+ of/),
    ]);
    expect(summary.verdict).toBe('error');
  });

  it('removes the log and the reports of an earlier run with its first record, and nothing from other folders', () => {
    const dir = emptyDirectory();
    const reports = ['summary.json', 'timeseries.csv', 'allure-report.html'];
    for (const name of reports) writeFileSync(join(dir, name), 'not ours');
    openLog(dir).close();
    expect(existsSync(join(dir, 'run.ndjson'))).toBe(false);
    const write = (message: string): void => {
      const log = openLog(dir);
      log.write({ type: 'error', message });
      log.close();
    };
    write('first');
    openLog(dir).close();
    expect(reports.every((name) => existsSync(join(dir, name)))).toBe(true);
    expect(readLog(dir)).toMatchObject([{ message: 'first' }]);
    write('second');
    expect(reports.some((name) => existsSync(join(dir, name)))).toBe(false);
    expect(readLog(dir)).toMatchObject([{ message: 'second' }]);
  });

  it('fails with a hint where there is no log', () => {
    expect(() => readLog(emptyDirectory())).toThrow('no run log at');
  });

  it('refuses a log with a line that is no record, and without an end', () => {
    const dir = logged(sampleRun({ tests: 3 }).slice(0, -1));
    appendFileSync(join(dir, 'run.ndjson'), 'garbage\n');
    expect(() => readLog(dir)).toThrow(/run\.ndjson:\d+ is not a valid record, and the log has no end$/u);
  });

  it.each([
    '',
    'garbage',
    'garbage\n',
    '{"type":"foo"}\n{"type":"bar"}\n',
    '{"type":"run-start"}',
    '{"type":"error"}\n',
  ])('refuses a file without a record: %j', (content) => {
    const dir = emptyDirectory();
    writeFileSync(logPath(dir), content);
    expect(() => readLog(dir)).toThrow('is not the log of a run');
  });

  it('reports a record without what it needs', () => {
    const records = changed(sampleRun({ tests: 3 }), 'test', () => ({ findings: null as never }));
    const summary = summarise(readLog(logged(records)));
    expect(summary.errors).toHaveLength(3);
    expect(summary.verdict).toBe('error');
  });

  it('tells a log that cannot be read from a missing one', () => {
    const dir = emptyDirectory();
    symlinkSync(logPath(dir), logPath(dir));
    expect(() => readLog(dir)).toThrow(/^cannot read .*run\.ndjson \(ELOOP\)$/u);
  });
});

describe('merged shards', () => {
  const whole = sampleRun({ tests: 90, findings: 4 });
  const shard = (index: number, total: number): RunRecord[] => {
    let number = 0;
    return whole.flatMap((record): RunRecord[] => {
      if (record.type === 'run-start') return [{ ...record, options: { ...record.options, shard: { index, total } } }];
      if (record.type === 'effects') return [{ ...record, created: 4, removed: 4, left: [] }];
      if (record.type !== 'test') return [record];
      number += 1;
      return number % total === index - 1 ? [record] : [];
    });
  };

  const passed = (index: number): RunRecord[] =>
    shard(index, 2).filter((record) => record.type !== 'test' || record.verdict === 'passed');

  it('have the totals of the whole run', () => {
    const merged = summarise(mergeLogs([shard(1, 3), shard(2, 3), shard(3, 3)]));
    const direct = summarise(whole);
    expect(merged.totals).toEqual(direct.totals);
    expect(merged.operations).toEqual(direct.operations);
    expect(merged.requirements).toEqual(direct.requirements);
    expect(merged.findings.map((finding) => finding.fingerprint).toSorted()).toEqual(
      direct.findings.map((finding) => finding.fingerprint).toSorted(),
    );
    expect(merged.effects).toMatchObject({ created: 12, removed: 12 });
    expect(merged.verdict).toBe('failed');
  });

  it('count a folder that is named twice once', () => {
    expect(summarise(mergeLogs([whole, whole])).totals).toEqual(summarise(whole).totals);
  });

  it('say which shard is missing', () => {
    const summary = summarise(mergeLogs([shard(1, 3), shard(3, 3)]));
    expect([summary.verdict, summary.options['missingShards']]).toEqual(['failed', '2/3']);
    expect(headline(summary).details.join()).toContain('Without shard 2/3');
  });

  it('are inconclusive where one is missing and the others passed, also a single one', () => {
    for (const logs of [[passed(1)], [passed(1), passed(1)]]) {
      const summary = summarise(mergeLogs(logs));
      expect([summary.verdict, exitCodeOf(summary)]).toEqual(['inconclusive', EXIT.inconclusive]);
      expect(summary.reason).toBe('shard 2/2 of this run is missing');
    }
    expect(summarise(passed(1)).verdict).toBe('passed');
    expect(summarise(mergeLogs([passed(1), passed(2)])).verdict).toBe('passed');
  });

  it('are interrupted where one was', () => {
    const torn = shard(2, 2).slice(0, -1);
    expect(summarise(mergeLogs([shard(1, 2), torn])).verdict).toBe('interrupted');
  });

  it('are inconclusive where the target answered one with nothing but 429', () => {
    const refused = (index: number): RunRecord[] => changed(passed(index), 'statistics', () => ({ refusedShare: 0.9 }));
    expect(summarise(refused(1)).verdict).toBe('inconclusive');
    for (const logs of [
      [refused(1), passed(2)],
      [passed(1), refused(2)],
    ]) {
      const { verdict, statistics } = summarise(mergeLogs(logs));
      expect([verdict, statistics?.refusedShare]).toEqual(['inconclusive', 0.9]);
    }
  });

  it('are refused where they are of different targets', () => {
    const at = (index: number, baseUrl: string, embedded = false): RunRecord[] =>
      changed(shard(index, 2), 'run-start', () => ({ target: { baseUrl, embedded } }));
    expect(() => mergeLogs([at(1, 'https://a'), at(2, 'https://b')])).toThrow(
      'different targets: https://a and https://b',
    );
    expect(mergeLogs([at(1, 'http://127.0.0.1:1', true), at(2, 'http://127.0.0.1:2', true)])).not.toEqual([]);
  });

  it('are refused where they are of different runs', () => {
    expect(() => mergeLogs([whole, changed(whole, 'run-start', () => ({ command: 'load' }))])).toThrow(
      'from different runs',
    );
  });
});
