import { parseArgs } from 'node:util';
import { HOSTILITIES } from '../../tests/hostile/behaviours.ts';
import type { HostilityName } from '../../tests/hostile/behaviours.ts';
import { meet } from '../../tests/hostile/meet.ts';

/** Runs `verify` against every hostile server, at once and after polite beginnings, and prints what came of it. */
const { values } = parseArgs({
  options: {
    cli: { type: 'string', default: new URL('../../dist/cli/main.js', import.meta.url).pathname },
    only: { type: 'string', default: '' },
    polite: { type: 'string', default: '0,40' },
    verbose: { type: 'boolean', default: false },
  },
});

const MOST_MS = 60_000;
const MOST_MB = 1_500;
let bad = 0;

for (const name of Object.keys(HOSTILITIES) as HostilityName[]) {
  if (!name.includes(values.only)) continue;
  for (const polite of values.polite.split(',').map(Number)) {
    const met = await meet(name, { command: ['node', values.cli], polite, mostMs: MOST_MS });
    const wrong = [
      ...(met.code === 1 || met.code === 3 ? [] : [`exit code ${met.code}`]),
      ...(met.ms < MOST_MS ? [] : ['it hung']),
      ...(met.peakMb < MOST_MB ? [] : ['too much memory']),
      ...met.leaks.map((each) => `token in ${each}`),
      ...(met.escapes === 0 ? [] : [`${met.escapes} escapes in the output`]),
      ...(met.strays === 0 ? [] : [`${met.strays} requests elsewhere`]),
    ];
    bad += wrong.length;
    process.stdout.write(
      `${wrong.length === 0 ? 'ok ' : 'BAD'} ${name} ${polite} · exit ${met.code}, ${met.verdict}, ${met.findings.length} findings · ${(met.ms / 1000).toFixed(1)} s, ${met.peakMb} MB, ${met.writtenMb} MB written ${wrong.join('; ')}\n`,
    );
    if (values.verbose || wrong.length > 0)
      process.stdout.write(`${met.output.slice(-1500).replaceAll(/[^\n\x20-\x7e]/g, '?')}\n`);
  }
}
process.exitCode = bad === 0 ? 0 : 1;
