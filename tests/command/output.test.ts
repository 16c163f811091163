import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Summary } from '../../reports/index.ts';
import { emptyDirectory, runAssay, serve, serveFaulty } from './run-assay.ts';
import type { Ran, Served } from './run-assay.ts';

let faulty: Served;
let healthy: Served;
beforeAll(async () => {
  [faulty, healthy] = await Promise.all([serve(['--fault', 'status-202 GET /aijobskills']), serve()]);
});
afterAll(() => Promise.all([faulty.stop(), healthy.stop()]));

const cwd = emptyDirectory();
const verify = (...words: readonly string[]): Promise<Ran> =>
  runAssay(['verify', '--allow', 'read', '--only', 'GET /aijobskills', '--skip', 'properties,state', ...words], {
    cwd,
    env: { ...faulty.env, ASSAY_BASE_URL: faulty.baseUrl, ASSAY_RUNS: '5' },
  });

/** The run whose log and findings the tests below read again. */
let first: Ran;
beforeAll(async () => {
  first = await verify('--out', 'first', '--settle', '700ms', '--timeout', '9s', '--max-rate', '40');
});

it('writes the HTML report unless other formats are named, and prints its path', () => {
  expect(first.stdout).toContain('  first/report.html\n');
  expect(existsSync(join(cwd, 'first/report.html'))).toBe(true);
});

it('--json prints the summary and nothing else', async () => {
  const { code, stdout } = await verify('--json');
  expect(code).toBe(1);
  expect(stdout).toBe(readFileSync(join(cwd, 'assay-report/summary.json'), 'utf8'));
});

it('--quiet prints the verdict, a line for each finding and the paths', async () => {
  const { stdout } = await verify('--quiet', '--bail', '--report', 'console', '--out', 'quiet');
  expect(stdout).toMatch(/^FAILED 1 requirement violated/u);
  expect(stdout).toMatch(/^✗ GET \/aijobskills .* \([0-9a-f]{16}\)$/mu);
  expect(stdout.trim().split('\n').length).toBeLessThan(11);
  expect(stdout).not.toContain('.html');
  expect(existsSync(join(cwd, 'quiet/report.html'))).toBe(false);
});

/** Defects that many tests meet, each with the one finding about it. */
const ONE_CAUSE: Readonly<Record<string, string>> = {
  'member-lost:description POST /accesscontrolpolicies': 'created-reads-back/member description',
  'other-item-read GET /aiagent/{id}': 'own-id/other ',
  'content-type-missing GET /aijob/{id}': 'headers-declared/missing content-type',
};

it('a defect that many tests meet is one finding', { tags: ['nightly'] }, async () => {
  const target = await serveFaulty(...Object.keys(ONE_CAUSE));
  const at = ['--base-url', target.baseUrl, '--allow', 'all', '--seed', '1', '--out', 'one', '--json'];
  const only = 'state/lifecycle,contract/shared-state';
  const env = { ...target.env, ASSAY_RUNS: '20' };
  const { stdout } = await runAssay(['verify', ...at, '--only', only], { cwd, env });
  const { findings } = JSON.parse(stdout) as Summary;
  expect(findings.map(({ code, subject = '' }) => `${code} ${subject}`).toSorted()).toEqual(
    Object.values(ONE_CAUSE).toSorted(),
  );
});

it('findings that do not happen alone are symptoms of overlapping calls', { tags: ['nightly'] }, async () => {
  const target = await serveFaulty('writes-crossed PUT /aiagent/{id}', 'status-202 GET /aiagent');
  const at = ['--base-url', target.baseUrl, '--allow', 'all', '--seed', '1', '--out', 'overlap', '--json'];
  const only = 'state/overlap & *aiagent*,state/lifecycle & *aiagent*,contract/operations & *aiagent*';
  const { stdout } = await runAssay(['verify', ...at, '--only', only], { cwd, env: target.env });
  const { findings, groups } = JSON.parse(stdout) as Summary;
  const leads = groups.map(({ lead }) => findings.find(({ fingerprint }) => fingerprint === lead));
  expect(new Set(leads.map((lead) => lead?.check))).toEqual(new Set(['overlap', 'status-documented']));
  const recurrences = findings
    .filter(({ check }) => check !== 'overlap')
    .map(({ check, recurred }) => [check, recurred]);
  expect(recurrences).toEqual(recurrences.map(([check]) => [check, check === 'status-documented']));
  expect(recurrences.length).toBeGreaterThan(1);
  const uncertain = findings.find(({ recurred }) => recurred === false)?.fingerprint ?? '';
  expect((await runAssay(['replay', uncertain, 'overlap'], { cwd, env: target.env })).code).not.toBe(0);
});

/** Codes of the findings about updates of policies with unusual values, with these faults. */
async function codesOfUpdates(...faults: readonly string[]): Promise<readonly string[]> {
  const target = await serveFaulty(...faults);
  const at = ['--base-url', target.baseUrl, '--allow', 'all', '--seed', '1', '--out', 'updates', '--json'];
  const only = 'properties/valid-bodies & PUT /accesscontrolpolicies/{id} & *unusual values: members*';
  const { stdout } = await runAssay(['verify', ...at, '--only', only], { cwd, env: target.env });
  return (JSON.parse(stdout) as Summary).findings.map(({ code }) => code);
}

it('members that only one form shows are judged by what that form shows', { tags: ['nightly'] }, async () => {
  const codes = await codesOfUpdates('written-form-only GET /accesscontrolpolicies/{id}');
  expect(new Set(codes)).toEqual(new Set(['updated-reads-back/not-readable']));
});

it('a read that violates its schema does not hide a value that an update changes', { tags: ['nightly'] }, async () => {
  const codes = await codesOfUpdates(
    'retype-field:createdBy GET /accesscontrolpolicies/{id}',
    'text-altered:name-trimmed PUT /accesscontrolpolicies/{id}',
  );
  expect(codes.toSorted()).toEqual(['body-fits-schema/mismatch', 'updated-reads-back/respelled']);
});

const optionsIn = (dir: string): Summary['options'] =>
  (JSON.parse(readFileSync(join(cwd, dir, 'summary.json'), 'utf8')) as Summary).options;

it('replay runs the test of a finding again and says whether it was found', async () => {
  const [, fingerprint = ''] = /assay replay ([0-9a-f]{16}) first$/mu.exec(first.stdout) ?? [];
  const env = faulty.env;
  const again = await runAssay(['replay', fingerprint.slice(0, 8), 'first', '--quiet'], { cwd, env });
  expect(again.code).toBe(1);
  expect(again.stdout).toContain(`${fingerprint} was reproduced.`);
  const elsewhere = ['--base-url', healthy.baseUrl, '--out', 'elsewhere', '--settle', '600ms'];
  const gone = await runAssay(['replay', fingerprint, 'first', ...elsewhere], { cwd, env: healthy.env });
  expect(gone.stdout).toContain(`${fingerprint} was not reproduced`);
  expect(gone.code).toBe(0);
  const given = { settleMs: 700, timeoutMs: 9000, maxRate: 40 };
  expect(optionsIn('first/replay')).toMatchObject(given);
  expect(optionsIn('elsewhere')).toMatchObject({ ...given, settleMs: 600 });
  const unknown = await runAssay(['replay', '0000', 'first'], { cwd });
  expect(unknown.stderr).toContain(`its findings: ${fingerprint} (status-documented/status)`);
  expect(unknown.code).toBe(2);
});

it('replay says nothing of a finding without a target', { tags: ['nightly'] }, async () => {
  const [, fingerprint = ''] = /assay replay ([0-9a-f]{16}) first$/mu.exec(first.stdout) ?? [];
  const nowhere = ['--base-url', 'http://127.0.0.1:9', '--out', 'nowhere'];
  const { code, stdout } = await runAssay(['replay', fingerprint, 'first', ...nowhere], { cwd, env: healthy.env });
  expect(code).toBe(3);
  expect(stdout).not.toContain('reproduced');
});

it('report takes a log for its folder', async () => {
  const { code, stdout } = await runAssay(['report', 'first/run.ndjson', '--report', 'junit'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('  first/junit.xml\n');
});

it('lists names and completes words', async () => {
  expect((await runAssay(['list', 'checks'])).stdout).toMatch(/^unknown-id +\S/mu);
  expect((await runAssay(['complete', 'bash'])).stdout).toContain('complete -F');
  expect((await runAssay(['complete', '--', 'load', 'pag'])).stdout).toMatch(/^paging-walk\t/mu);
});

it('init writes a configuration that works, and overwrites nothing', async () => {
  const project = emptyDirectory();
  const words = ['init', '--base-url', healthy.baseUrl, '--ci', 'github'];
  expect((await runAssay(words, { cwd: project })).code).toBe(0);
  expect(readFileSync(join(project, '.github/workflows/assay.yml'), 'utf8')).toContain(
    '--baseline assay-baseline.json',
  );
  expect(existsSync(join(project, 'assay-baseline.json'))).toBe(true);
  const doctor = await runAssay(['doctor', '--only', 'GET /aijobskills'], { cwd: project, env: healthy.env });
  expect(doctor.stdout).toContain(`${healthy.baseUrl} is reachable`);
  expect(doctor.stdout).toContain('effects allowed: read;');
  const again = await runAssay(words, { cwd: project });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('assay.yml already exists');
  expect((await runAssay(words.slice(0, 3), { cwd: project })).stderr).toContain('assay.config.ts already exists');
  expect((await runAssay(['init'])).stderr).toContain('--base-url is missing');
});

it('--list prints the tests of a selection and sends nothing', async () => {
  const { code, stdout } = await runAssay(['verify', '--list', '--only', 'int64-offset', '--json']);
  expect(code).toBe(0);
  const names = JSON.parse(stdout) as string[];
  expect(names.length).toBeGreaterThan(1);
  const plain = await runAssay(['verify', '--list', '--only', 'int64-offset']);
  expect(plain.stdout).toBe([...names, `${names.length} tests`, ''].join('\n'));
});

it.skipIf(process.platform !== 'linux')('--open opens the page in the browser', async () => {
  const [browser, opened] = [join(cwd, 'browser'), join(cwd, 'opened')];
  writeFileSync(browser, `#!/bin/sh\necho "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`);
  chmodSync(browser, 0o755);
  const { code } = await runAssay(['report', 'first', '--open'], { cwd, env: { BROWSER: browser } });
  expect(code).toBe(1);
  while (!existsSync(opened)) await delay(20);
  expect(readFileSync(opened, 'utf8').trim()).toBe(join(cwd, 'first/report.html'));
});
