import { expect, it } from 'vitest';
import { sampleRun } from '../testing/sample-run.ts';
import { createConsole } from './console.ts';
import { loadLine, newProgress, progressLine, taskLine } from './progress.ts';

it('calls the time left a minimum where it is one', () => {
  const line = (isLeast: boolean): string => progressLine(newProgress(), { leftSeconds: 25, isLeast }, 10_000);
  expect(line(false)).toContain('· 25 s left ·');
  expect(line(true)).toContain('· at least 25 s left ·');
});

it('says what the rates of load are', () => {
  const load = { scenario: 's', offeredRate: 50, rate: 50, errors: 0, inFlight: 0, p50: 1, p99: 2 };
  expect(loadLine(load, {}, 4300)).toContain('50/s offered · 50/s succeeded · p50');
});

it('tells the time left of tasks once some of them have ended', () => {
  expect(taskLine({ tasks: 46, done: 1, lastMs: 4000 }, 5000)).toBe('5.0 s · 1 of 46 · 2%');
  expect(taskLine({ tasks: 40, done: 10, lastMs: 20_000 }, 25_000)).toBe('25.0 s · 10 of 40 · 25% · 55 s left');
});

it('marks findings of the baseline while the run goes on', () => {
  let text = '';
  const stream = { write: (part: string) => (text += part) };
  const view = createConsole({ stream, isTTY: false, colour: false, isKnown: () => true });
  for (const record of sampleRun({ tests: 1, findings: 1 })) view.record(record);
  view.stop();
  expect(text).toMatch(/^known \S/m);
  expect(text).not.toContain('✗');
  expect(text).toMatch(/ 0 failed · 1 known /);
});
