import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startService } from '../../service/start.ts';
import { startProxy } from '../mutants/proxy.ts';
import type { Context } from '../mutants/types.ts';
import { verify } from '../mutants/verify.ts';
import type { Verdict } from '../mutants/verify.ts';
import { together } from './compose.ts';
import { VARIATIONS } from './index.ts';
import type { Variation } from './types.ts';

const { values } = parseArgs({
  options: {
    cli: { type: 'string', default: new URL('../../dist/cli/main.js', import.meta.url).pathname },
    only: { type: 'string', default: '' },
    together: { type: 'string' },
    from: { type: 'string', default: '0' },
    args: { type: 'string', default: '' },
    log: { type: 'string' },
    limit: { type: 'string', default: '900' },
    verbose: { type: 'boolean', default: false },
  },
});

/** Runs `verify` against one variation. */
async function examine(variation: Variation): Promise<Verdict> {
  const service = await startService({});
  let context: Context | undefined;
  const proxy = await startProxy({
    upstream: service.baseUrl,
    tokens: service.tokens,
    make: variation.make,
    onContext: (given) => {
      context = given;
    },
    ...(variation.prefix === undefined ? {} : { prefix: variation.prefix }),
    ...(variation.idleMs === undefined ? {} : { idleMs: variation.idleMs }),
    ...(variation.requestsPerSocket === undefined ? {} : { requestsPerSocket: variation.requestsPerSocket }),
  });
  if (context !== undefined) await variation.before?.(context);
  const stop = context === undefined ? undefined : variation.actor?.(context);
  const verdict = await verify({
    cli: values.cli,
    baseUrl: proxy.baseUrl,
    tokens: service.tokens,
    args: values.args.split(' ').filter((arg) => arg !== ''),
    limitMs: Number(values.limit) * 1000,
  });
  await stop?.();
  await proxy.close();
  await service.close();
  return verdict;
}

function show(variation: Variation, verdict: Verdict): void {
  const violations = verdict.findings.filter((finding) => finding.severity === 'violation');
  process.stdout.write(
    `${verdict.code === 0 ? 'passed' : `FAILED ${verdict.code}`} ${variation.name.padEnd(32)} ${(verdict.milliseconds / 1000).toFixed(1).padStart(6)} s ${String(verdict.exchanges).padStart(6)} exchanges${verdict.code === 0 ? '' : `   healthy because: ${variation.why}`}\n`,
  );
  for (const finding of violations)
    process.stdout.write(
      `    ${finding.check} @ ${finding.operation} ${finding.form}: ${finding.message}\n      expected ${finding.expected.slice(0, 200)}\n      received ${finding.received.slice(0, 200)}\n`,
    );
  if (values.verbose && verdict.code !== 0 && violations.length === 0) process.stdout.write(`${verdict.tail}\n`);
  if (values.log !== undefined)
    appendFileSync(
      values.log,
      `${JSON.stringify({ name: variation.name, why: variation.why, ...verdict, findings: verdict.findings })}\n`,
    );
}

let failed = 0;
/** Many variations in one run: what passes so passes alone. */
function merged(names: string): Variation {
  const parts = names.split(',').map((name) => {
    const known = VARIATIONS.find((each) => each.name === name);
    if (known === undefined) throw new Error(`no variation ${name}`);
    return known;
  });
  const rest: Partial<Variation> = Object.assign({}, ...parts) as Variation;
  return { ...rest, name: 'together', why: names, make: together(...parts.map((each) => each.make)) };
}

const chosen =
  values.together !== undefined
    ? [merged(values.together)]
    : VARIATIONS.filter((variation) => values.only.split(',').some((name) => variation.name.includes(name))).slice(
        Number(values.from),
      );
for (const variation of chosen) {
  const verdict = await examine(variation);
  if (verdict.code !== 0) failed += 1;
  show(variation, verdict);
}
process.stdout.write(`${chosen.length} healthy variations: ${chosen.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
