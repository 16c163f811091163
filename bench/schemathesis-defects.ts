/**
 * Compares the findings of Schemathesis and of `verify` on the same defects. Defects that are observed on different operations share
 * one service. Schemathesis uses `spec/openapi.yaml`, `verify` its defaults.
 *
 *   npm run build && npx tsx bench/schemathesis-defects.ts [PATTERN...] [--per-origin N] [--schemathesis PATH]
 *
 * Without a pattern: one defect of each operator, of the exam and of the service. Prints a line per defect; exits with 1 where
 * Schemathesis finds one that `verify` does not.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { defectsOf } from '../prove/index.ts';
import type { Defect } from '../prove/index.ts';
import { batchesOf } from '../prove/plan.ts';
import { matching, spread } from '../prove/selection.ts';
import { loadContract } from '../spec/index.ts';
import type { Finding } from '../spec/index.ts';
import { isInstalled, runSchemathesis, withDefects } from './schemathesis-run.ts';
import type { FaultyTarget, Report } from './schemathesis-run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'per-origin': { type: 'string', default: '1' },
    schemathesis: { type: 'string', default: 'schemathesis' },
    seed: { type: 'string', default: '1' },
    examples: { type: 'string', default: '30' },
  },
});

const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

function chosen(all: readonly Defect[]): readonly Defect[] {
  if (positionals.length > 0) return [...new Set(positionals.flatMap((pattern) => matching(all, pattern)))];
  const everywhere = all.filter(({ name }) => !name.includes(' in /'));
  return [...new Set(everywhere.map(({ origin }) => origin))].flatMap((origin) =>
    spread(
      everywhere.filter((defect) => defect.origin === origin),
      Number(values['per-origin']),
    ),
  );
}

async function verify({ baseUrl, tokens }: FaultyTarget): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-peer-'));
  const { full, limited, expired } = tokens;
  const given = ['--token', full, '--limited-token', limited, '--expired-token', expired, '--allow', 'all'];
  try {
    const child = spawn(
      process.execPath,
      [COMMAND, 'verify', '--base-url', baseUrl, ...given, '--seed', values.seed, '--out', folder],
      { stdio: 'ignore' },
    );
    await new Promise((resolve) => {
      child.once('close', resolve);
    });
    const { findings } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as { findings: Finding[] };
    return findings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Codes and operations of the failures, without those of the healthy service. */
function failuresAt({ failures }: Report, healthy: ReadonlySet<string>): readonly (readonly [string, string])[] {
  return failures
    .flatMap(({ code, operations }) => operations.map((operation) => [code, operation] as const))
    .filter(([code, operation]) => !healthy.has(`${code} ${operation}`));
}

const options = {
  program: values.schemathesis,
  seed: values.seed,
  examples: values.examples,
  minutes: 10,
  verbose: false,
};

async function schemathesis({ baseUrl, tokens }: FaultyTarget): Promise<Report> {
  const report = await runSchemathesis({ baseUrl, token: tokens.full }, options);
  if (report === undefined) throw new Error('Schemathesis wrote no report');
  return report;
}

/** Prints the findings of both on a group; returns the number of defects that only Schemathesis finds. */
async function compare(target: FaultyTarget, group: readonly Defect[], healthy: ReadonlySet<string>): Promise<number> {
  const failures = failuresAt(await schemathesis(target), healthy);
  const findings = await verify(target);
  const at = <T>(rows: readonly T[], { operations }: Defect, operationOf: (row: T) => string): readonly T[] =>
    rows.filter((row) => operations.length === 0 || operations.includes(operationOf(row)));
  const lines = group.map((defect) => {
    const theirs = new Set(at(failures, defect, ([, operation]) => operation).map(([code]) => code));
    const ours = at(findings, defect, ({ operation }) => operation);
    const codes = new Set(ours.map(({ code, severity }) => (severity === 'violation' ? code : `${code} (warning)`)));
    const verdict = theirs.size === 0 ? (codes.size === 0 ? 'none' : 'ours') : codes.size === 0 ? 'THEIRS' : 'both';
    return {
      verdict,
      text: `${verdict.padEnd(6)}  ${defect.name}  ${[...theirs].join(', ')} | ${[...codes].join(', ')}`,
    };
  });
  console.log(lines.map(({ text }) => text).join('\n'));
  const others = failures.filter(([, id]) => !group.some(({ operations }) => operations.includes(id)));
  if (others.length > 0) console.log(`        elsewhere: ${others.map((pair) => pair.join(' ')).join('; ')}`);
  return lines.filter(({ verdict }) => verdict === 'THEIRS').length;
}

async function run(): Promise<number> {
  const contract = await loadContract();
  const defects = chosen([...defectsOf(contract).values()]);
  let open = 0;
  let healthy: ReadonlySet<string> = new Set();
  for (const group of [[], ...batchesOf(defects)]) {
    await withDefects(contract, group, async (target) => {
      if (group.length === 0)
        healthy = new Set(failuresAt(await schemathesis(target), healthy).map((pair) => pair.join(' ')));
      else open += await compare(target, group, healthy);
    });
  }
  console.log(`${defects.length} defects, ${open} that only Schemathesis finds`);
  return open;
}

if (isInstalled(values.schemathesis)) process.exitCode = (await run()) === 0 ? 0 : 1;
else console.log('Skipped: Schemathesis is not installed (pip install schemathesis, or --schemathesis PATH).');
