import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startService } from '../../service/start.ts';
import { startProxy } from '../mutants/proxy.ts';
import type { Context } from '../mutants/types.ts';
import { verify } from '../mutants/verify.ts';
import type { Verdict } from '../mutants/verify.ts';
import { VARIATIONS } from './index.ts';
import type { Variation } from './types.ts';

const { values } = parseArgs({
  options: {
    cli: { type: 'string', default: new URL('../../dist/cli/main.js', import.meta.url).pathname },
    only: { type: 'string', default: '' }, from: { type: 'string', default: '0' }, args: { type: 'string', default: '' }, log: { type: 'string' }, verbose: { type: 'boolean', default: false },
  },
});

/** Runs `verify` against one variation. */
async function examine(variation: Variation): Promise<Verdict> {
  const service = await startService({});
  let context: Context | undefined;
  const proxy = await startProxy({
    upstream: service.baseUrl, tokens: service.tokens, make: variation.make, onContext: (given) => { context = given; },
    ...(variation.prefix === undefined ? {} : { prefix: variation.prefix }), ...(variation.requestsPerSocket === undefined ? {} : { requestsPerSocket: variation.requestsPerSocket }),
  });
  const stop = context === undefined ? undefined : variation.actor?.(context);
  const verdict = await verify({ cli: values.cli, baseUrl: proxy.baseUrl, tokens: service.tokens, args: values.args.split(' ').filter((arg) => arg !== ''), limitMs: 300_000 });
  await stop?.();
  await proxy.close();
  await service.close();
  return verdict;
}

function show(variation: Variation, verdict: Verdict): void {
  const violations = verdict.findings.filter((finding) => finding.severity === 'violation');
  process.stdout.write(`${verdict.code === 0 ? 'passed' : `FAILED ${verdict.code}`} ${variation.name.padEnd(32)} ${(verdict.milliseconds / 1000).toFixed(1).padStart(6)} s ${String(verdict.exchanges).padStart(6)} exchanges${verdict.code === 0 ? '' : `   healthy because: ${variation.why}`}\n`);
  for (const finding of violations) process.stdout.write(`    ${finding.check} @ ${finding.operation} ${finding.form}: ${finding.message}\n      expected ${finding.expected.slice(0, 200)}\n      received ${finding.received.slice(0, 200)}\n`);
  if (values.verbose && verdict.code !== 0 && violations.length === 0) process.stdout.write(`${verdict.tail}\n`);
  if (values.log !== undefined) appendFileSync(values.log, `${JSON.stringify({ name: variation.name, why: variation.why, ...verdict, findings: violations })}\n`);
}

let failed = 0;
const chosen = VARIATIONS.filter((variation) => values.only.split(',').some((name) => variation.name.includes(name))).slice(Number(values.from));
for (const variation of chosen) {
  const verdict = await examine(variation);
  if (verdict.code !== 0) failed += 1;
  show(variation, verdict);
}
process.stdout.write(`${chosen.length} healthy variations: ${chosen.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
