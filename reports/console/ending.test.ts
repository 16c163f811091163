import { expect, test } from 'vitest';
import type { RunRecord } from '../../spec/index.ts';
import { summarise } from '../summary/summarise.ts';
import { changed, sampleRun } from '../testing/sample-run.ts';
import { endingLines } from './ending.ts';
import { createPaint } from './paint.ts';

test('warnings are one line each where violations fail the run, and in full with --verbose', () => {
  const records = sampleRun().map((record) => {
    const [finding] = record.type === 'test' ? record.findings : [];
    if (finding === undefined || record.type !== 'test') return record;
    const warning = { ...finding, severity: 'warning', fingerprint: 'w', code: 'cors/not-allowed', message: 'warned' };
    return { ...record, findings: [warning, ...record.findings] };
  }) as RunRecord[];
  const text = (verbose: boolean): string =>
    endingLines(summarise(records), [], createPaint(false), { columns: 120, command: 'assay', verbose }).join('\n');
  expect(text(false)).toMatch(/▌ violation: [^]+\n {2}! .*warned.* \(w\)\n/);
  expect(text(false)).not.toContain('▌ warning');
  expect(text(true)).toContain('▌ warning: warned');
});

test('a note is folded as a whole, and what stays for good is never folded', () => {
  const [id, reason] = ['an item with a name', 'removing it was refused by the service that created it'];
  const left = ['clue', 'policy', 'job', 'agent'].map((kind) => ({ kind, id, reason: `${reason} as a ${kind}` }));
  const lasting = [{ id: 'POST /admin/entity/ProcessClue', count: 120 }];
  const deployed = changed(sampleRun(), 'run-start', ({ target }) => ({ target: { ...target, embedded: false } }));
  const records = changed(deployed, 'effects', () => ({ left, lasting }));
  const lines = endingLines(summarise(records), [], createPaint(false), {
    columns: 40,
    command: 'assay',
    verbose: false,
  });
  const notes = lines.slice(lines.indexOf('Resources created'), lines.indexOf('Retries and late changes')).join('\n');
  expect(notes).toMatch(
    /12 created[^]*ProcessClue\s+×120\n {2}… and 4 more \(use --verbose\)\n {2}to remove them: assay clean --base-url http\S+$/mu,
  );
});
