import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { closeAfterTest, serve as serveHttp } from '../../client/testing/fixtures.ts';
import { VARIATIONS } from '../../prove/healthy/index.ts';
import { mergeVariations } from '../../prove/healthy/variation.ts';
import { startProxy } from '../../prove/proxy/proxy.ts';
import { problem, withHeader } from '../../prove/proxy/reply.ts';
import { createRouter } from '../../prove/proxy/router.ts';
import type { Make } from '../../prove/proxy/message.ts';
import type { Summary } from '../../reports/summary/types.ts';
import { loadContract } from '../../spec/index.ts';
import { emptyDirectory, runAssay, serve, serveFaulty, summaryIn } from './run-assay.ts';
import type { Served } from './run-assay.ts';

let service: Served;
beforeAll(async () => {
  service = await serve();
});
afterAll(() => service.stop());

const quick = ['--only', 'GET /aijobskills', '--skip', 'properties,state'];

describe('a target that is not there, or is something else', () => {
  it('a refused connection is exit 3, with an error, a hint and the reports', async () => {
    const cwd = emptyDirectory();
    const { code, stderr } = await runAssay(['verify', '--base-url', 'http://127.0.0.1:1', ...quick], {
      cwd,
      env: service.env,
    });
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 3, lines: 2 });
    expect(stderr).toMatch(/^error: .*127\.0\.0\.1:1.*\nhint: /u);
    expect(summaryIn(join(cwd, 'assay-report'))).toMatchObject({ verdict: 'error', totals: { exchanges: 0 } });
  });

  it.each([
    ['no token', {}, /token/u],
    ['a wrong token', { ASSAY_TOKEN: 'nobody-gave-me-this-token' }, /--token/u],
  ])('%s is exit 3', async (_name, env, sentence) => {
    const { code, stderr } = await runAssay(['verify', '--base-url', service.baseUrl, ...quick], { env });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('nobody-gave-me');
    expect(code).toBe(3);
  });

  it('a host that is something else is exit 3', async () => {
    const other = await serveHttp((_request, response) => response.end('<h1>Hello</h1>'));
    closeAfterTest(other);
    const { code } = await runAssay(['verify', '--base-url', other.url, ...quick], { env: service.env });
    expect(code).toBe(3);
  });
});

describe('a deployment', () => {
  it('keeps nothing of the run, also where creations are answered without a body', { tags: ['nightly'] }, async () => {
    const { baseUrl: upstream, tokens } = service;
    const { make } = mergeVariations(VARIATIONS.filter(({ name }) => name === 'agent-answers-empty'));
    const proxy = await startProxy({ upstream, tokens, router: createRouter(await loadContract()), make });
    onTestFinished(() => proxy.close());
    const agents = async (): Promise<unknown> =>
      (await fetch(`${upstream}/api/aiagent`, { headers: { authorization: `Bearer ${tokens.full}` } })).json();
    const before = await agents();
    const only = ['--only', 'POST /aiagent', '--only', 'PUT /aiagent/{id}', '--skip', 'properties'];
    const { code, stdout } = await runAssay(['verify', '--base-url', proxy.baseUrl, ...only], { env: service.env });
    expect({ code, left: stdout.match(/\d+ created.*/u)?.[0] }).toMatchObject({
      code: 0,
      left: expect.stringMatching(/^(\d{2,}) created, \1 removed, 0 left$/u),
    });
    expect(await agents()).toEqual(before);
  });

  it('may have a gateway that fails while lists are read: that is no error', { tags: ['nightly'] }, async () => {
    const { baseUrl: upstream, tokens } = service;
    const badGateway = withHeader(problem(502), 'retry-after', '0');
    let calls = 0;
    const make: Make = () => (call, next) => {
      const isHit = call.method === 'DELETE' && (calls += 1) % 2 === 1;
      return isHit ? Promise.resolve(badGateway) : next();
    };
    const proxy = await startProxy({ upstream, tokens, router: createRouter(await loadContract()), make });
    onTestFinished(() => proxy.close());
    const words = ['verify', '--base-url', proxy.baseUrl, '--only', 'lists show the other items while', '--json'];
    const { stdout } = await runAssay(words, { env: service.env });
    const { errors, skips, findings } = JSON.parse(stdout) as Summary;
    expect({ errors, findings }).toEqual({ errors: [], findings: [] });
    expect(skips.map(({ reason }) => reason).join()).toContain('not sent again because it may have been processed');
  });

  it('is verified, with the summary and no token in any file', async () => {
    const cwd = emptyDirectory();
    const { code, stdout, stderr } = await runAssay(
      ['verify', '--base-url', service.baseUrl, '--report', 'html,junit', ...quick],
      { cwd, env: service.env },
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const out = join(cwd, 'assay-report');
    expect(readdirSync(out)).toEqual(
      expect.arrayContaining(['junit.xml', 'report.html', 'run.ndjson', 'summary.json']),
    );
    const texts = [stdout, ...readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))];
    const { permissions, ...tokens } = service.tokens;
    for (const token of Object.values({ ...tokens, ...permissions }))
      expect(texts.filter((text) => text.includes(token))).toEqual([]);
    const summary: unknown = summaryIn(out);
    expect(summary).toMatchObject({
      tool: 'assay',
      command: 'verify',
      verdict: 'passed',
      target: { baseUrl: service.baseUrl, embedded: false },
      spec: { operations: expect.any(Number) },
    });
  });

  it('has each requirement tested that a test can cover', { tags: ['nightly'] }, async () => {
    const { stdout } = await runAssay(['verify', '--depth', 'quick', '--json'], { cwd: emptyDirectory(), env: {} });
    const { requirements } = JSON.parse(stdout) as Summary;
    expect(requirements.length).toBeGreaterThan(100);
    expect(requirements.filter(({ reason }) => reason?.includes('covers it'))).toEqual([]);
  });

  it('is sent nothing but GET and HEAD where only reads are allowed', async () => {
    const seen = new Set<string>();
    const gateway = await serveHttp((request, response) => {
      seen.add(request.method ?? '');
      fetch(`${service.baseUrl}${request.url ?? ''}`, {
        method: request.method ?? 'GET',
        headers: { authorization: request.headers.authorization ?? '' },
      })
        .then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
          response.end(await answer.text());
        })
        .catch(() => response.destroy());
    });
    closeAfterTest(gateway);
    const words = ['--allow', 'read', '--only', '*aiagent*', '--skip', 'properties'];
    await runAssay(['verify', '--base-url', gateway.url, ...words], { env: service.env });
    expect([...seen].toSorted()).toEqual(['GET', 'HEAD']);
  });

  it('of which too little was reached is inconclusive', { tags: ['nightly'] }, async () => {
    const words = ['--min-reach', '80%', '--only', 'GET /aijobskills & contract/operations'];
    const { code, stdout } = await runAssay(['verify', '--base-url', service.baseUrl, ...words], { env: service.env });
    expect(stdout).toMatch(/1 of \d+ operations reached/u);
    expect(stdout).toMatch(/--min-reach\s+asks\s+for\s+80%/u);
    expect(code).toBe(6);
    const wrong = await runAssay(['verify', '--base-url', service.baseUrl], {
      env: { ...service.env, ASSAY_MIN_REACH: '80' },
    });
    expect(wrong.stderr).toMatch(/ASSAY_MIN_REACH.*has no percent sign[^]*write 80%/u);
    expect(wrong.code).toBe(2);
  });

  it('a pattern that matches nothing is a usage error', async () => {
    const { code, stderr } = await runAssay(['verify', '--base-url', service.baseUrl, '--only', 'GET /aijobskils'], {
      env: service.env,
    });
    expect(stderr).toContain('GET /aijobskills');
    expect(code).toBe(2);
  });

  it('takes its address and tokens from .env', async () => {
    const cwd = emptyDirectory();
    writeFileSync(join(cwd, '.env'), `ASSAY_BASE_URL=${service.baseUrl}\nASSAY_TOKEN="${service.tokens.full}"\n`);
    const { code, stdout } = await runAssay(['doctor', ...quick], { cwd });
    expect(stdout).toContain(`${service.baseUrl} is reachable`);
    expect(code).toBe(0);
  });
});

describe('a violation', () => {
  it('is known once it is in the baseline, also to report, which fails with a baseline that does not have it', async () => {
    const faulty = await serve(['--fault', 'status-202 POST /accesscontrolpolicies']);
    const cwd = emptyDirectory();
    const only = 'contract/operations & POST /accesscontrolpolicies';
    const words = ['verify', '--base-url', faulty.baseUrl, '--only', only, '--baseline', 'known.json'];
    const surroundings = { cwd, env: faulty.env };
    for (const name of ['known.json', 'empty.json'])
      writeFileSync(join(cwd, name), '{"assayBaseline": 2, "entries": []}');
    expect((await runAssay([...words, '--update-baseline'], surroundings)).code).toBe(0);
    expect((await runAssay(words, surroundings)).code).toBe(0);
    await faulty.stop();
    expect(existsSync(join(cwd, 'known.json'))).toBe(true);
    // Without the option, the baseline is that of the run, where it is still there.
    expect((await runAssay(['report', 'assay-report', '--report', 'junit'], surroundings)).code).toBe(0);
    expect((await runAssay(['report', 'assay-report', '--baseline', 'empty.json'], surroundings)).code).toBe(1);
    rmSync(join(cwd, 'known.json'));
    const lost = await runAssay(['report', 'assay-report'], surroundings);
    expect([lost.code, lost.stdout + lost.stderr]).toEqual([1, expect.stringContaining('known.json, does not exist')]);
    expect(existsSync(join(cwd, 'assay-report/junit.xml'))).toBe(true);
  });
});

it('tests that failed in the last run of the same target run first', { tags: ['nightly'] }, async () => {
  const operation = 'POST /accesscontrolpolicies/{id}/deactivate';
  const faulty = await serveFaulty(`status-202 ${operation}`);
  const cwd = emptyDirectory();
  const firstTest = async (): Promise<string | undefined> => {
    const only = ['--only', 'contract/operations & *activate'];
    await runAssay(['verify', '--base-url', faulty.baseUrl, ...only, '--allow', 'all'], { cwd, env: faulty.env });
    const log = readFileSync(join(cwd, 'assay-report/run.ndjson'), 'utf8').trim().split('\n');
    const tests = log.map((line) => JSON.parse(line) as Record<string, string>).filter(({ type }) => type === 'test');
    return tests[0]?.['name'];
  };
  expect(await firstTest()).not.toContain(operation);
  expect(await firstTest()).toContain(operation);
});

it('judges the pages of a short list of others where it may only read', { tags: ['nightly'] }, async () => {
  const faulty = await serveFaulty('pages-overlap GET /accesscontrolpolicies');
  const words = ['verify', '--base-url', faulty.baseUrl, '--only', 'paging-partition', '--allow', 'read'];
  const { code, stdout } = await runAssay(words, { cwd: emptyDirectory(), env: faulty.env });
  expect(stdout).toContain('GET /accesscontrolpolicies: an item is on two pages');
  expect(code).toBe(1);
});

it('judges the filters of lists of others where it may only read', { tags: ['nightly'] }, async () => {
  const list = 'GET /accesscontrolpolicies';
  const faulty = await serveFaulty(`filter-ignored:filterActive ${list}`, `direction-ignored:orderAsc ${list}`);
  const words = ['verify', '--base-url', faulty.baseUrl, '--only', 'state/filters/existing', '--allow', 'read'];
  const { code, stdout } = await runAssay(words, { cwd: emptyDirectory(), env: faulty.env });
  for (const found of ['filters/wrongly-found', 'ordering/order-asc']) expect(stdout).toContain(found);
  expect(code).toBe(1);
});
