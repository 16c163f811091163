import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleRun } from '../testing/sample-run.ts';
import { viewOf } from '../view.ts';
import { historyPage } from './page.ts';
import { openStore } from './store.ts';
import { storedRun } from './stored-run.ts';
import type { StoredRun } from './stored-run.ts';
import { runChangeLines, historyLines } from './text.ts';
import { changesBetween, flakyFindings, previousRun } from './trends.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

const dir = emptyDirectory();

const runOn = (day: number, findings: number): StoredRun => {
  const { summary } = viewOf(sampleRun({ findings }));
  return storedRun({ ...summary, startedAt: `2026-11-0${day}T08:00:00.000Z` });
};

it('keeps each run once, in one file', async () => {
  const file = join(dir, 'runs.sqlite');
  const first = await openStore(file);
  expect(first.add(runOn(2, 1))).toBe(true);
  expect(first.add(runOn(1, 3))).toBe(true);
  expect(first.add(runOn(2, 1))).toBe(false);
  first.close();
  const again = await openStore(file);
  expect(again.all().map(({ startedAt }) => startedAt.slice(0, 10))).toEqual(['2026-11-01', '2026-11-02']);
  again.close();
});

it('says where a capacity is a lower limit', () => {
  const summary = { ...viewOf(sampleRun()).summary, command: 'capacity' as const };
  const capacity = { scenario: 's', rate: 354, low: 354, high: 354, limitedBy: 'time', steps: [] };
  const run = storedRun({ ...summary, capacity });
  expect(historyLines([run]).join()).toContain('s at least 354 requests/s');
});

it('shows the target of each run, on two lines where the terminal is narrow', () => {
  const runs = [runOn(1, 3), runOn(2, 1)].map((run, at) => ({ ...run, target: `https://number-${at}.example` }));
  const wide = historyLines(runs, 200);
  expect(wide).toHaveLength(3);
  expect(wide[2]).toContain('https://number-1.example');
  for (const columns of [60, 80]) {
    const lines = historyLines(runs, columns);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines[1]).toContain('https://');
    expect(lines.join(' ')).toContain('Findings 1');
  }
});

it('refuses a file that is no store', async () => {
  writeFileSync(
    join(dir, 'no.sqlite'),
    'this is text, and long enough to be read as a header of a database'.repeat(20),
  );
  await expect(openStore(join(dir, 'no.sqlite'))).rejects.toThrow('cannot use the run store');
});

it('refuses a database of another program', async () => {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const other = join(dir, 'other.sqlite');
  const database = new sqlite.Database(other);
  database.exec('create table runs (name text)');
  database.close();
  await expect(openStore(other)).rejects.toThrow(`cannot use the run store ${other}: no such column`);
});

it('names what changed since the run before', () => {
  const [before, after] = [runOn(1, 1), runOn(2, 3)];
  expect(previousRun([before, after], after)).toBe(before);
  const change = changesBetween(before, after);
  expect(change.fresh.length).toBeGreaterThan(0);
  expect(change.gone).toEqual([]);
  expect(runChangeLines(change, before).join('\n')).toContain('new finding');
  expect(runChangeLines(changesBetween(after, after), after)).toEqual([
    'Since the run of 2026-11-02 08:00 UTC: no changes.',
  ]);
});

it('compares with complete runs only, and shards with the same shard', () => {
  const { summary } = viewOf(sampleRun({ findings: 0 }));
  const at = (day: number, change: object): StoredRun =>
    storedRun({ ...summary, startedAt: `2026-11-0${day}T08:00:00.000Z`, ...change });
  const lost = { errors: [{ message: 'the token is no longer accepted', exitCode: 6 }], verdict: 'inconclusive' };
  for (const cut of [{ verdict: 'interrupted' }, { bailed: 1 }, lost]) {
    const runs = [runOn(1, 3), at(2, cut), runOn(3, 3), at(4, cut)];
    expect(previousRun(runs, runOn(3, 3))).toBe(runs[0]);
    expect(flakyFindings(runs)).toEqual([]);
    expect(changesBetween(runOn(3, 3), at(4, cut)).gone).toEqual([]);
  }
  const [first, second, again] = [1, 2, 1].map((index, day) =>
    at(day + 1, { options: { shard: { index, total: 2 } } }),
  );
  if (first === undefined || second === undefined || again === undefined) throw new Error('no runs');
  expect(previousRun([first, second, again], again)).toBe(first);
  const [reads, changes] = [['read'], ['read', 'reversible']].map((allow, day) => at(day + 1, { options: { allow } }));
  if (reads === undefined || changes === undefined) throw new Error('no runs');
  expect(previousRun([reads, changes], changes)).toBeUndefined();
});

it('counts a finding as neither new nor flaky because of a run that did not test its requirement', () => {
  const untested = (day: number): StoredRun => {
    const run = runOn(day, 0);
    const requirements = Object.fromEntries(Object.keys(run.requirements).map((id) => [id, 'untested']));
    return { ...run, requirements };
  };
  const runs = [runOn(1, 3), untested(2), runOn(3, 3)];
  expect(changesBetween(untested(2), runOn(3, 3)).fresh).toEqual([]);
  expect(flakyFindings(runs)).toEqual([]);
  const [flaky] = flakyFindings([...runs, runOn(4, 0), runOn(5, 3)]);
  expect(flaky).toMatchObject({ seenIn: 3, of: 4 });
});

it('finds what comes and goes, and shows it in the table and on the page', () => {
  const runs = [runOn(1, 3), runOn(2, 1), runOn(3, 3)];
  expect(flakyFindings(runs).length).toBeGreaterThan(0);
  expect(flakyFindings(runs.slice(0, 2))).toEqual([]);
  expect(historyLines(runs).join('\n')).toContain('Findings that come and go');
  expect(historyPage(runs)).toContain('<polyline');
  const elsewhere = runs.map((run, index) => ({ ...run, target: `https://${index}.example` }));
  expect(historyPage(elsewhere)).not.toContain('<polyline');
});
