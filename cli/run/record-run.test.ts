import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { updateBaseline, viewOf } from '../../reports/index.ts';
import type { Summary } from '../../reports/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { sampleRun } from '../../reports/testing/sample-run.ts';
import { COMMAND } from '../command-name.ts';
import { recordRun } from './record-run.ts';
import type { Produced } from './record-run.ts';
import type { Sinks } from './sinks.ts';

let out = '';
let [stdout, stderr] = spies();

function spies() {
  return [process.stdout, process.stderr].map((each) => vi.spyOn(each, 'write').mockReturnValue(true));
}

beforeEach(() => {
  out = emptyDirectory();
  [stdout, stderr] = spies();
});
afterEach(() => vi.restoreAllMocks());

/** Records these, then ends as `end` does. */
function runOf(
  records: readonly RunRecord[],
  end: () => Produced = () => ({}),
  change: Partial<Sinks> = {},
  { signal } = new AbortController(),
): Promise<number> {
  const sinks = { out, formats: [], shows: 'quiet', opens: false, serves: false, ...change } as const;
  return recordRun(sinks, signal, async (recorder) => {
    for (const record of records) recorder.emit(record);
    return end();
  });
}

const failing =
  (message: string, exitCode: 2 | 3, hint = '') =>
  (): never => {
    throw new AssayError(message, { hint, exitCode });
  };

const START = sampleRun({ tests: 1 }).slice(0, 1);
const BEGUN = sampleRun({ tests: 1 }).slice(0, -1);

it('leaves the report of an earlier run as it is where an error of usage ends the run before its first result', async () => {
  const files = ['run.ndjson', 'summary.json'].map((name) => join(out, name));
  const read = (): string[] => files.map((file) => readFileSync(file, 'utf8'));
  for (const file of files) writeFileSync(file, 'earlier');
  expect(await runOf(START, failing('no', EXIT.usage))).toBe(2);
  expect(read()).toEqual(['earlier', 'earlier']);
  await runOf(BEGUN, failing('no', EXIT.usage));
  expect(read().join()).not.toContain('earlier');
  for (const file of files) writeFileSync(file, 'earlier');
  expect(await runOf(START, failing('no', EXIT.unreachable))).toBe(3);
  expect(read().join()).not.toContain('earlier');
});

it('prints the summary as JSON too where it ends before its first result, with commands as it was started', async () => {
  await runOf(START, failing('no', EXIT.unreachable, 'see assay list codes'), { shows: 'json' });
  const printed: unknown = JSON.parse(stdout?.mock.calls.map(([text]) => String(text)).join('') ?? '');
  expect(printed).toMatchObject({ verdict: 'error', errors: [{ message: 'no', hint: `see ${COMMAND} list codes` }] });
});

it('leaves the report of an earlier run as it is where the run is interrupted before its plan', async () => {
  writeFileSync(join(out, 'summary.json'), 'earlier');
  const interruptAfter = async (records: readonly RunRecord[]): Promise<string> => {
    const interrupt = new AbortController();
    const end = (): Produced => {
      interrupt.abort();
      return {};
    };
    expect(await runOf(records, end, {}, interrupt)).toBe(130);
    return readFileSync(join(out, 'summary.json'), 'utf8');
  };
  expect(await interruptAfter(START)).toBe('earlier');
  expect(await interruptAfter(BEGUN)).toContain('interrupted');
});

it('writes its reports where the baseline cannot be written, and says so', async () => {
  writeFileSync(join(out, 'no-folder'), '');
  const code = await runOf(BEGUN, undefined, { updateBaseline: join(out, 'no-folder', 'baseline.json') });
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
  expect(code).toBe(1);
  expect(summary.findings.length).toBeGreaterThan(0);
  expect(summary.errors?.map(({ message }) => message)).toEqual([expect.stringContaining('no-folder')]);
});

it('leaves the baseline as it was where the run did not test all', async () => {
  const updateBaseline = join(out, 'baseline.json');
  expect(await runOf(BEGUN, failing('lost', EXIT.unreachable), { updateBaseline })).toBe(3);
  expect(existsSync(updateBaseline)).toBe(false);
  expect(stderr?.mock.calls.join()).toContain('the baseline stays as it was: the verdict of the run is "error"');
  expect(await runOf(BEGUN, undefined, { updateBaseline })).toBe(0);
  expect(existsSync(updateBaseline)).toBe(true);
  expect(stderr?.mock.calls.join()).not.toContain('had no time to run');
});

it('warns of a baseline that lacks the findings of tests which had no time to run', async () => {
  const records = sampleRun({ findings: 0 }).slice(0, -1);
  const at = records.findIndex(({ type }) => type === 'test');
  const late = { ...records[at], verdict: 'skipped', reason: '', outOfTime: true } as RunRecord;
  await runOf(records.with(at, late), undefined, { updateBaseline: join(out, 'baseline.json') });
  expect(stderr?.mock.calls.join()).toContain('1 test had no time to run');
});

it('does not count findings whose entry has expired as added to the baseline', async () => {
  const records = sampleRun({ tests: 5 });
  const [first, ...others] = updateBaseline(undefined, viewOf(records).summary).entries;
  if (first === undefined) throw new Error('no finding');
  const baseline = { entries: [{ ...first, expires: '2020-01-01' }, ...others.slice(1)] };
  await runOf(records.slice(0, -1), undefined, { baseline, updateBaseline: join(out, 'baseline.json') });
  expect(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))).toMatchObject({ recorded: 1 });
});

it('keeps the verdict where another process holds the store', async () => {
  const store = join(out, 'runs.sqlite');
  mkdirSync(`${store}.lock`);
  const code = await runOf(BEGUN, undefined, { store });
  expect([code, stderr?.mock.calls.join()]).toEqual([1, expect.stringContaining('is locked: the run is not compared')]);
});
