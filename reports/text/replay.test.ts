import { expect, it } from 'vitest';
import { markdownOf } from '../formats/markdown.ts';
import { reportPage } from '../formats/html/page.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { viewOf } from '../view.ts';
import { replayIn } from './replay.ts';

it.each([
  ['assay-report', 'assay replay 1234'],
  ['', 'assay replay 1234 .'],
  ['nightly/a', 'assay replay 1234 nightly/a'],
  ["it's here", String.raw`assay replay 1234 'it'\''s here'`],
])('a finding of the report in %j', (dir, command) => {
  expect(replayIn(dir, 'assay')('1234')).toBe(command);
});

it.each([
  ['markdown', markdownOf],
  ['html', reportPage],
])('the report in %s names the short command of each finding', (_format, textOf) => {
  const view = viewOf(sampleRun());
  const [finding] = view.summary.findings.filter(({ replay }) => replay !== undefined);
  expect(finding).toBeDefined();
  const command = `npx assay replay ${finding?.fingerprint} nightly`;
  expect(textOf({ ...view, replayOf: replayIn('nightly', 'npx assay') })).toContain(command);
  expect(textOf(view)).not.toContain(command);
});
