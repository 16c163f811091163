import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { updateBaseline, viewOf } from '../../reports/index.ts';
import type { Summary } from '../../reports/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { sampleRun } from '../../reports/testing/sample-run.ts';
import { COMMAND } from '../command-name.ts';
import { recordRun } from './record-run.ts';

afterEach(() => vi.restoreAllMocks());

function runThatFails(out: string, exitCode: 2 | 3, records = sampleRun({ tests: 1 }).slice(0, 1)): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true);
  const sinks = { out, formats: [], shows: 'quiet', opens: false, serves: false } as const;
  return recordRun(sinks, new AbortController().signal, async (recorder) => {
    for (const record of records) recorder.emit(record);
    throw new AssayError('no', { hint: '', exitCode });
  });
}

it('leaves the report of an earlier run as it is where an error of usage ends the run before its first result', async () => {
  const out = emptyDirectory();
  const read = (): string[] => ['run.ndjson', 'summary.json'].map((name) => readFileSync(join(out, name), 'utf8'));
  for (const name of ['run.ndjson', 'summary.json']) writeFileSync(join(out, name), 'earlier');
  expect(await runThatFails(out, EXIT.usage)).toBe(2);
  expect(read()).toEqual(['earlier', 'earlier']);
  await runThatFails(out, EXIT.usage, sampleRun({ tests: 1 }).slice(0, -1));
  expect(read().join()).not.toContain('earlier');
  for (const name of ['run.ndjson', 'summary.json']) writeFileSync(join(out, name), 'earlier');
  expect(await runThatFails(out, EXIT.unreachable)).toBe(3);
  expect(read().join()).not.toContain('earlier');
});

it('prints the summary as JSON too where it ends before its first result, with commands as it was started', async () => {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const sinks = { out: emptyDirectory(), formats: [], shows: 'json', opens: false, serves: false } as const;
  await recordRun(sinks, new AbortController().signal, async (recorder) => {
    for (const record of sampleRun({ tests: 1 }).slice(0, 1)) recorder.emit(record);
    throw new AssayError('no', { hint: 'see assay list codes', exitCode: EXIT.unreachable });
  });
  const printed: unknown = JSON.parse(stdout.mock.calls.map(([text]) => String(text)).join(''));
  expect(printed).toMatchObject({ verdict: 'error', errors: [{ message: 'no', hint: `see ${COMMAND} list codes` }] });
});

it('leaves the report of an earlier run as it is where the run is interrupted before its plan', async () => {
  const out = emptyDirectory();
  writeFileSync(join(out, 'summary.json'), 'earlier');
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true);
  const sinks = { out, formats: [], shows: 'quiet', opens: false, serves: false } as const;
  const interruptAfter = async (records: readonly RunRecord[]): Promise<string> => {
    const interrupt = new AbortController();
    const code = await recordRun(sinks, interrupt.signal, async (recorder) => {
      for (const record of records) recorder.emit(record);
      interrupt.abort();
      return {};
    });
    expect(code).toBe(130);
    return readFileSync(join(out, 'summary.json'), 'utf8');
  };
  const run = sampleRun({ tests: 1 });
  expect(await interruptAfter(run.slice(0, 1))).toBe('earlier');
  expect(await interruptAfter(run.slice(0, -1))).toContain('interrupted');
});

it('writes its reports where the baseline cannot be written, and says so', async () => {
  const out = emptyDirectory();
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true);
  writeFileSync(join(out, 'no-folder'), '');
  const file = join(out, 'no-folder', 'baseline.json');
  const sinks = { out, formats: [], shows: 'quiet', opens: false, serves: false, updateBaseline: file } as const;
  const code = await recordRun(sinks, new AbortController().signal, async (recorder) => {
    for (const record of sampleRun({ tests: 1 }).slice(0, -1)) recorder.emit(record);
    return {};
  });
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
  expect(code).toBe(1);
  expect(summary.findings.length).toBeGreaterThan(0);
  expect(summary.errors?.map(({ message }) => message)).toEqual([expect.stringContaining('no-folder')]);
});

it('leaves the baseline as it was where the run did not test all', async () => {
  const out = emptyDirectory();
  const [, stderr] = [process.stdout, process.stderr].map((each) => vi.spyOn(each, 'write').mockReturnValue(true));
  const file = join(out, 'baseline.json');
  const sinks = { out, formats: [], shows: 'quiet', opens: false, serves: false, updateBaseline: file } as const;
  const runThat = (ends: () => void): Promise<number> =>
    recordRun(sinks, new AbortController().signal, async (recorder) => {
      for (const record of sampleRun({ tests: 5 }).slice(0, -1)) recorder.emit(record);
      ends();
      return {};
    });
  const lose = (): never => {
    throw new AssayError('lost', { hint: '', exitCode: EXIT.unreachable });
  };
  expect(await runThat(lose)).toBe(3);
  expect(existsSync(file)).toBe(false);
  expect(stderr?.mock.calls.join()).toContain('the baseline stays as it was: the verdict of the run is "error"');
  expect(await runThat(() => undefined)).toBe(0);
  expect(existsSync(file)).toBe(true);
  expect(stderr?.mock.calls.join()).not.toContain('had no time to run');
});

it('warns of a baseline that lacks the findings of tests which had no time to run', async () => {
  const [, stderr] = [process.stdout, process.stderr].map((each) => vi.spyOn(each, 'write').mockReturnValue(true));
  const out = emptyDirectory();
  const file = join(out, 'baseline.json');
  const sinks = { out, formats: [], shows: 'quiet', opens: false, serves: false, updateBaseline: file } as const;
  await recordRun(sinks, new AbortController().signal, async (recorder) => {
    const records = sampleRun({ findings: 0 }).slice(0, -1);
    const unrun = records.find(({ type }) => type === 'test');
    const late = { verdict: 'skipped', reason: '', outOfTime: true } as const;
    for (const record of records)
      recorder.emit(record.type === 'test' && record === unrun ? { ...record, ...late } : record);
    return {};
  });
  expect(stderr?.mock.calls.join()).toContain('1 test had no time to run');
});

it('does not count findings whose entry has expired as added to the baseline', async () => {
  const out = emptyDirectory();
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true);
  const records = sampleRun({ tests: 5 });
  const [first, ...others] = updateBaseline(undefined, viewOf(records).summary).entries;
  if (first === undefined) throw new Error('no finding');
  const baseline = { entries: [{ ...first, expires: '2020-01-01' }, ...others.slice(1)] };
  const file = join(out, 'baseline.json');
  const sinks = {
    out,
    formats: [],
    shows: 'quiet',
    opens: false,
    serves: false,
    baseline,
    updateBaseline: file,
  } as const;
  await recordRun(sinks, new AbortController().signal, async (recorder) => {
    for (const record of records.slice(0, -1)) recorder.emit(record);
    return {};
  });
  expect(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))).toMatchObject({ recorded: 1 });
});

it('keeps the verdict where another process holds the store', async () => {
  const [, stderr] = [process.stdout, process.stderr].map((each) => vi.spyOn(each, 'write').mockReturnValue(true));
  const out = emptyDirectory();
  const store = join(out, 'runs.sqlite');
  mkdirSync(`${store}.lock`);
  const sinks = { out, formats: [], shows: 'quiet', opens: false, serves: false, store } as const;
  const code = await recordRun(sinks, new AbortController().signal, async (recorder) => {
    for (const record of sampleRun({ tests: 5 }).slice(0, -1)) recorder.emit(record);
    return {};
  });
  expect([code, stderr?.mock.calls.join()]).toEqual([1, expect.stringContaining('is locked: the run is not compared')]);
});
