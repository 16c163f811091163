import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { emptyDirectory, runAssay, serve } from './command/run-assay.ts';
import { ROOT } from './architecture/files.ts';

const MINUTES = 60_000;

/** Defects of many kinds; all of them are found by the suites below. */
const FAULTS = [
  'unknown-id-answered:410 GET /aiagent/{id}',
  'malformed-id-answered:200 GET /aiagent/{id}',
  'malformed-json-answered:422 POST /aiagent',
  'no-token-accepted GET /aijobskills',
  'limited-token-accepted GET /aijob/summary',
  'page-size-default GET /accesscontrolpolicies',
  'member-lost:instructions POST /aiagent',
  'content-type-missing GET /accesscontrolpolicies/actions',
  'write-forgotten POST /accesscontrolpolicies/{id}/activate',
  'leak-to-neighbour POST /accesscontrolpolicies/{id}/deactivate',
  'write-twice POST /aijob/{id}/execution-queue',
  'audit-silent-update',
  'order-shown-otherwise:last-two-swapped GET /accesscontrolpolicies/byprocessingorder in /api/v1',
  'patch-altered:reversed PATCH /aijob/{id} in /api',
];

const SUITES = [
  'contract/ids & GET /aiagent/{id}',
  'contract/bodies & POST /aiagent',
  'contract/authentication & GET /aijobskills',
  'contract/authentication & GET /aijob/summary',
  'contract/paging & GET /accesscontrolpolicies',
  'state/lifecycle & POST /aiagent',
  'contract/operations & GET /accesscontrolpolicies/actions',
  'state/activation',
  'state/jobs/runs & POST /aijob/{id}/execution-queue',
  'state/audit',
  'state/order',
  'state/json-patch & *several operations in their order*',
].join(',');

const dir = mkdtempSync(join(ROOT, 'node_modules', '.assay-findings-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The outcome of each test file against a service. */
async function outcomes(env: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
  const file = join(emptyDirectory(), 'results.json');
  const words = ['run', '--root', dir, '--reporter=json', '--outputFile', file, '--no-cache', '--no-isolate'];
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  await new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...words],
      { env: { ...clean, ...env } },
      resolve,
    );
  });
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
    }[];
  };
  return new Map(
    testResults.map(({ name, assertionResults: [result] }) => [name.split('/').at(-1) ?? '', result?.status ?? 'none']),
  );
}

it(
  'each finding as a test fails on the faulty service and passes on the healthy one',
  async () => {
    const faulty = await serve(FAULTS.flatMap((fault) => ['--fault', fault]));
    onTestFinished(async () => void (await faulty.stop()));
    const healthy = await serve();
    onTestFinished(async () => void (await healthy.stop()));
    const cwd = emptyDirectory();
    const words = [
      'verify',
      '--allow',
      'all',
      '--seed',
      '7',
      '--runs',
      '2',
      '--only',
      SUITES,
      '--report',
      'vitest,har',
    ];
    await runAssay(words, { cwd, env: { ...faulty.env, ASSAY_BASE_URL: faulty.baseUrl } });
    cpSync(join(cwd, 'assay-report/vitest'), dir, { recursive: true });
    const files = readdirSync(dir);
    expect(files.length).toBeGreaterThanOrEqual(10);
    // Without a configuration of its own, the files would be run with that of this repository, which selects none of them.
    writeFileSync(join(dir, 'vitest.config.mjs'), 'export default {};');
    const { log } = JSON.parse(readFileSync(join(cwd, 'assay-report/evidence.har'), 'utf8')) as {
      readonly log: { readonly entries: readonly object[] };
    };
    expect(log.entries.length).toBeGreaterThanOrEqual(10);
    const [isOk, isNot] = await Promise.all(
      [healthy, faulty].map(({ env, baseUrl }) => outcomes({ ...env, ASSAY_BASE_URL: baseUrl })),
    );
    if (isOk === undefined || isNot === undefined) throw new Error('no outcomes');
    expect(isOk.size).toBe(files.length);
    const wrong = [...isOk].filter(([name, status]) => status !== 'passed' || isNot.get(name) !== 'failed');
    expect(wrong).toEqual([]);
  },
  6 * MINUTES,
);
