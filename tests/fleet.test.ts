import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serve as serveHttp } from '../client/testing/fixtures.ts';
import { BROKERS, POSTGRES } from '../fleet/testing/brokers.ts';
import type { TestBroker } from '../fleet/testing/brokers.ts';
import { openProxy } from '../fleet/testing/proxy.ts';
import { recordsOf } from '../reports/index.ts';
import type { Summary } from '../reports/index.ts';
import type { RunRecord } from '../spec/index.ts';
import { ROOT } from './architecture/files.ts';
import { emptyDirectory, runAssay, serve, startAssay, summaryIn } from './command/run-assay.ts';
import type { Running, Served } from './command/run-assay.ts';

function filesIn(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true })
    .map((name) => join(dir, String(name)))
    .filter((path) => statSync(path).isFile());
}

function fleetOf(out: string) {
  const [scenario] = summaryIn(out).scenarios ?? [];
  if (scenario?.detail?.fleet === undefined) throw new Error('the summary has no fleet');
  return { scenario, fleet: scenario.detail.fleet };
}

/** Of all runs; undefined where the broker is no Redis. */
async function keysIn(url: string): Promise<readonly string[] | undefined> {
  if (!url.startsWith('redis:')) return undefined;
  const client = new Redis(url);
  const keys = await client.keys('*');
  client.disconnect();
  return keys;
}

/** PostgreSQL is installed by `npm ci`; Redis and Valkey are quicker. */
const BROKERS_HERE = BROKERS.length > 0 ? BROKERS : POSTGRES;

describe.each(BROKERS_HERE)('load from many machines, on $name', ({ name, open }) => {
  let broker: TestBroker;
  let service: Served;
  let words: readonly string[] = [];
  const started: Running[] = [];
  beforeAll(async () => {
    [broker, service] = await Promise.all([open(true), serve()]);
    words = ['--fleet', broker.url, '--base-url', service.baseUrl];
  });
  // What a failed attempt leaves would take part in the next one.
  afterEach(() => {
    for (const { child } of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  });
  afterAll(async () => {
    await service.stop();
    await broker.close();
  });

  async function startAgents(count: number, more: readonly string[] = []): Promise<readonly Running[]> {
    const agents = Array.from({ length: count }, () =>
      startAssay(['agent', ...words, ...(more.length > 0 ? more : ['--allow', 'all'])], { env: service.env }),
    );
    started.push(...agents);
    await Promise.all(agents.map((agent) => agent.line(/waiting for a run/u)));
    return agents;
  }

  /** Names of what runs of the suites have created and not removed: they begin with the tag of the run. */
  async function created(): Promise<readonly string[]> {
    const headers = { authorization: `Bearer ${service.tokens.full}` };
    const lists = ['accesscontrolpolicies?take=1000', 'aiagent', 'aijob'];
    const got = lists.map(async (path) => (await fetch(`${service.baseUrl}/api/v1/${path}`, { headers })).text());
    return (await Promise.all(got)).flatMap((text) => text.match(/"name":"assay-[^"]*"/gu) ?? []);
  }

  function load(out: string, more: readonly string[]): Running {
    const fleet = ['--agents', '2', '--lock', '1s'];
    const given = ['load', 'clue-ingestion', ...words, '--allow', 'all', ...fleet, '--out', out, ...more];
    const running = startAssay(given, { env: service.env });
    started.push(running);
    return running;
  }

  it('accounts for every request, leaves nothing in the broker, and no token leaves its machine', async () => {
    const out = emptyDirectory();
    const agents = await startAgents(2);
    const { code, stdout } = await load(out, ['--rate', '60', '--duration', '3s', '--threshold', 'errors<1%']).ended;
    // A busy machine limits what a generator may conclude.
    expect([0, 6], stdout).toContain(code);
    const { scenario, fleet } = fleetOf(out);
    expect(fleet).toMatchObject({ agents: 2, lanes: 4, lost: [], balanced: true, gaps: [] });
    // An agent that does not run for a quarter second, as on a busy machine, withholds what was due then.
    const { answered, withheld } = fleet.requests;
    expect(fleet.requests).toMatchObject({ planned: 180, failed: 0, unsent: 0, unknown: 0 });
    expect(answered + withheld).toBe(180);
    expect(fleet.sentShare).toBeGreaterThan(0.9);
    expect(scenario.detail?.judged).toBeGreaterThan(0);
    expect(await Promise.all(agents.map(async ({ ended }) => (await ended).code))).toEqual([0, 0]);
    const files = [...filesIn(broker.dir), ...filesIn(out)];
    expect(files.some((file) => /aof|pg_wal/u.test(file))).toBe(true);
    expect(files.filter((file) => readFileSync(file).includes(service.tokens.full))).toEqual([]);
    // What calls agents belongs to no run.
    expect((await keysIn(broker.url))?.filter((key) => !key.includes('lobby')) ?? []).toEqual([]);
  });

  it('verifies with what each agent was given, and runs what changes the view of others alone', async () => {
    const out = emptyDirectory();
    const { ASSAY_TOKEN = '', ASSAY_LIMITED_TOKEN = '' } = service.env;
    let loads = 0;
    const server = await serveHttp((_, response) => {
      loads += 1;
      response.end(readFileSync(join(ROOT, 'spec', 'openapi.yaml')));
    });
    const spec = ['--spec', `${server.url}/openapi.yaml`];
    // Deployments set the variable; flags are for what differs on this machine.
    const given = ['--allow', 'all', '--limited-token', ASSAY_LIMITED_TOKEN, ...words.slice(2), ...spec];
    const agent = startAssay(['agent', ...given], { env: { ASSAY_FLEET: broker.url, ASSAY_TOKEN } });
    started.push(agent);
    await agent.line(/waiting for a run/u);
    const only = 'contract/authentication & POST /accesscontrolpolicies/setprocessingorder';
    const rest = ['--allow', 'all', '--only', only, '--out', out, ...spec];
    const { code, stdout } = await runAssay(['verify', ...words, ...rest], { env: { ASSAY_TOKEN } });
    await server.close();
    expect(code, stdout).toBe(0);
    expect(loads, 'by the controller, twice as it looks for the tests of --only, and by the agent').toBe(3);
    const log = readFileSync(join(out, 'run.ndjson'), 'utf8').trim().split('\n');
    const tests = recordsOf(
      log.map((line) => JSON.parse(line) as RunRecord),
      'test',
    );
    const limited = tests.filter(({ name }) => name.includes('a token without the permission'));
    expect(limited.length).toBeGreaterThan(0);
    expect(limited.map(({ verdict, reason }) => [verdict, reason])).toEqual(limited.map(() => ['passed', undefined]));
    expect(new Set(tests.map(({ name }) => name)).size).toBe(tests.length);
  });

  // Valkey and Redis speak one protocol: what remains is tested with one of them.
  if (name !== BROKERS_HERE[0]?.name) return;

  it('goes on without an agent that was killed, and says that this is no proof', { tags: ['nightly'] }, async () => {
    const out = emptyDirectory();
    const [first] = await startAgents(2);
    const run = load(out, ['--rate', '60', '--duration', '8s', '--threshold', 'errors<1%']);
    await first?.line(/joined/u);
    await run.line(/60\/s offered/u);
    first?.child.kill('SIGKILL');
    const { code, stdout } = await run.ended;
    const { fleet } = fleetOf(out);
    expect(fleet).toMatchObject({ balanced: true, lost: [expect.any(String)] });
    expect(fleet.requests.unknown + fleet.requests.withheld).toBeGreaterThan(0);
    expect(fleet.requests.answered).toBeGreaterThan(240);
    expect(code, stdout).toBe(6);
    expect(fleet.sentShare).toBeLessThan(0.99);
  });

  it('shows the tests of a share while it runs', { tags: ['nightly'] }, async () => {
    await startAgents(1);
    const rest = ['--allow', 'all', '--only', 'contract/authentication', '--max-rate', '120'];
    const { code, stdout } = await runAssay(['verify', ...words, ...rest], { env: service.env });
    expect(code, stdout).toBe(0);
    const live = [...stdout.matchAll(/1 of 1 agent · (\d+)%.* (\d+) passed .* (\d+) requests/gu)];
    const [passed] = /\d+(?= passed, 0 failed)/u.exec(stdout) ?? ['0'];
    const underWay = live.map(([, , count]) => Number(count)).filter((count) => count > 1 && count < Number(passed));
    expect(underWay.length, stdout).toBeGreaterThan(0);
  });

  it('keeps to the time of the run as a whole, and says why a test did not run', { tags: ['nightly'] }, async () => {
    await startAgents(1);
    const out = emptyDirectory();
    const rest = ['--allow', 'all', '--budget', '2s', '--out', out];
    const { code, stdout } = await runAssay(['verify', ...words, ...rest], { env: service.env });
    expect(code, stdout).toBe(0);
    const { skips, totals } = summaryIn(out);
    expect(totals.passed).toBeGreaterThan(0);
    expect(skips.length).toBeGreaterThan(0);
    // Also of the tests that run alone at the end, which have what is left of the time.
    expect(skips.filter(({ reason }) => !reason.startsWith('the time'))).toEqual([]);
  });

  for (const [what, signal] of [
    ['was killed', 'SIGKILL'],
    ['stands still', 'SIGSTOP'],
  ] as const)
    it(
      `runs the share of an agent that ${what} again, and leaves nothing of it, on the target or on its disk`,
      { tags: ['nightly'] },
      async () => {
        const [tmp, out, before] = [emptyDirectory(), emptyDirectory(), await created()];
        const env = { ...service.env, TMPDIR: tmp };
        const agent = (): Running => {
          const running = startAssay(['agent', ...words, '--allow', 'all'], { env });
          started.push(running);
          return running;
        };
        const agents = [agent(), agent()];
        await Promise.all(agents.map((each) => each.line(/waiting for a run/u)));
        const only = 'contract/authentication & *aiagent*,contract/operations,contract/shared-state & *aiagent*';
        const selection = ['--allow', 'read,reversible', '--only', only, '--seed', '7'];
        // At this rate, the run is not over before the signal.
        const rest = [...selection, '--agents', '2', '--lock', '1s', '--max-rate', '60', '--out', out];
        const run = startAssay(['verify', ...words, ...rest], { env: service.env });
        started.push(run);
        await run.line(/2 of 2 agents .* [1-9]\d* (?:passed|skipped)/u);
        agents[0]?.child.kill(signal);
        const { code, stdout } = await run.ended;
        agents[0]?.child.kill('SIGKILL');
        expect(stdout).toMatch(/^lost: /mu);
        const { totals, errors } = summaryIn(out);
        const alone = await runAssay(['verify', ...words.slice(2), ...selection, '--json'], { env: service.env });
        const { exchanges: _exchanges, cases: _cases, ...tests } = (JSON.parse(alone.stdout) as Summary).totals;
        expect([code, errors], stdout).toEqual([0, []]);
        expect(totals).toMatchObject(tests);
        expect(await created()).toEqual(before);
        await agents[1]?.ended;
        const left = readdirSync(tmp);
        const foreign = join(tmp, 'assay-share-of-nobody');
        mkdirSync(foreign);
        const next = agent();
        await next.line(/waiting for a run/u);
        expect(readdirSync(tmp).filter((name) => left.includes(name))).toEqual([]);
        next.child.kill('SIGTERM');
        await next.ended;
        expect(readdirSync(tmp)).toEqual(['assay-share-of-nobody']);
      },
    );

  it(
    'Ctrl-C ends the shares in order: what they did is in the report, what they created is removed',
    { tags: ['nightly'] },
    async () => {
      const before = await created();
      const proxy = await openProxy(Number(new URL(service.baseUrl).port));
      proxy.delay(30, 30);
      const at = ['--fleet', broker.url, '--base-url', `http://127.0.0.1:${proxy.port}`];
      const agents = [1, 2].map(() => startAssay(['agent', ...at, '--allow', 'all'], { env: service.env }));
      started.push(...agents);
      await Promise.all(agents.map((agent) => agent.line(/waiting for a run/u)));
      const out = emptyDirectory();
      const words = ['--agents', '2', '--allow', 'read,reversible', '--only', 'contract', '--out', out];
      const run = startAssay(['verify', ...at, ...words], { env: service.env });
      started.push(run);
      await run.line(/2 of 2 agents .* [1-9]\d* passed/u);
      while ((await created()).length === before.length) await delay(100);
      // Tests that have begun, and the removal, take longer than a controller waits for lanes of load.
      proxy.delay(250, 250);
      run.child.kill('SIGINT');
      const { code, stdout } = await run.ended;
      proxy.close();
      expect(code, stdout).toBe(130);
      const summary = summaryIn(out);
      expect(summary).toMatchObject({ verdict: 'interrupted', errors: [], totals: { failed: 0, errors: 0 } });
      expect(summary.totals.passed).toBeGreaterThan(0);
      expect(summary.effects).toMatchObject({ created: summary.effects?.removed, left: [] });
      expect(summary.effects?.created).toBeGreaterThan(0);
      const untested = summary.requirements.filter(({ verdict }) => verdict === 'untested');
      expect(untested.filter(({ reason }) => reason?.startsWith('the run ended before')).length).toBeGreaterThan(0);
      expect(await created()).toEqual(before);
      await Promise.all(agents.map(({ ended }) => ended));
    },
  );

  it('names an agent that refuses, and why', { tags: ['nightly'] }, async () => {
    await startAgents(1, ['--allow', 'read']);
    const { code, stderr } = await load(emptyDirectory(), ['--rate', '10', '--agents', '1', '--gather', '3s']).ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/0 of 1 agents joined within 3 s\. Refused: \S+ does not allow irreversible\./u);
    expect(stderr).toContain('hint: Start the agent with --allow');
  });
});

// What is refused without a list of tests: cli/usage.test.ts.
it('--only that matches no test is refused', { tags: ['nightly'] }, async () => {
  const { code, stderr } = await runAssay(['verify', '--fleet', 'local', '--only', 'nowhere']);
  expect([code, stderr]).toEqual([2, expect.stringContaining("no test matches --only 'nowhere'")]);
});
