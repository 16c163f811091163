/**
 * How many of the named faults of the embedded service Assay finds, and how many Schemathesis, each with its defaults on the same description.
 * The rival has found a fault where it reports, on an operation that shows it, a failure that it does not report of the healthy service; what it
 * reports of the healthy service is told as false alarms. Needs a build and Schemathesis on the path.
 * Usage: tsx bench/faults-rival.ts [--every N] [--offset N] [--area NAME]
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { FAULTS } from '../service/start.ts';
import { has } from './load-support.ts';
import { startServe } from './serve-fault.ts';

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const DESCRIPTION = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
const { values } = parseArgs({ options: { every: { type: 'string', default: '17' }, offset: { type: 'string', default: '0' }, area: { type: 'string', default: '' } } });
const run = promisify(execFile);

interface Served {
  readonly baseUrl: string;
  readonly token: string;
}

/** What Schemathesis says is wrong, as `operation: failure`. */
async function rival({ baseUrl, token }: Served): Promise<ReadonlySet<string>> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const report = join(dir, 'junit.xml');
  await run('schemathesis', ['run', DESCRIPTION, '--url', baseUrl, '-H', `Authorization: Bearer ${token}`, '--seed', '1', '--report', 'junit', '--report-junit-path', report], { cwd: dir, timeout: 300_000, maxBuffer: 2 ** 28 })
    .catch(() => undefined);
  const cases = readFileSync(report, 'utf8').split('<testcase').slice(1);
  return new Set(cases.flatMap((text) => {
    const operation = /name="([^"]+)"/.exec(text)?.[1] ?? '';
    return [...text.matchAll(/- ([A-Z][^\n&<]{3,80})/g)].map(([, failure]) => `${operation}: ${failure?.trim()}`);
  }));
}

/** Whether a run of Assay ends red, on the embedded service with that fault. */
async function assay({ baseUrl, token }: Served): Promise<boolean> {
  const out = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const code = await run(process.execPath, [CLI, 'verify', '--base-url', baseUrl, '--allow', 'all', '--seed', '1', '--out', out], { cwd: out, env: { ...process.env, ASSAY_TOKEN: token }, maxBuffer: 2 ** 28 })
    .then(() => 0, (error: unknown) => (error as { readonly code: number }).code);
  return code === 1;
}

function plain(operation: string): string {
  return operation.replace(/\/api(\/v1)?/, '').replaceAll('&#x27;', "'");
}

if (!has('schemathesis')) {
  console.log('skipped: Schemathesis is not installed');
} else {
  const healthy = await startServe([]);
  const alarms = await rival(healthy);
  await healthy.stop();
  console.log(`Schemathesis reports ${alarms.size} failures of the healthy service`);
  const names = Object.keys(FAULTS).filter((name) => FAULTS[name as keyof typeof FAULTS].area.includes(values.area)).filter((_, index) => index % Number(values.every) === Number(values.offset));
  const found = { assay: 0, rival: 0 };
  for (const name of names) {
    const { operations } = FAULTS[name as keyof typeof FAULTS];
    const served = await startServe([name]);
    const failures = [...(await rival(served))].filter((failure) => !alarms.has(failure));
    const shown = failures.filter((failure) => operations.length === 0 || operations.some((operation) => plain(failure).startsWith(`${operation}:`)));
    await served.stop();
    const again = await startServe([name]);
    const red = await assay(again);
    await again.stop();
    found.assay += Number(red);
    found.rival += Number(shown.length > 0);
    console.log(`${name.padEnd(36)} Assay ${red ? 'found' : 'MISSED'}   Schemathesis ${shown.length > 0 ? `found (${shown[0]})` : 'missed'}`);
  }
  console.log(`of ${names.length} faults Assay finds ${found.assay}, Schemathesis ${found.rival}`);
}
