import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BROKERS } from '../fleet/testing/brokers.ts';
import { median } from '../load/compare/statistics.ts';
import type { Summary } from '../reports/index.ts';
import { loadContract } from '../spec/index.ts';
import { startMock } from '../tests/foreign/mock.ts';
import type { Behaviour } from '../tests/foreign/mock.ts';
import { describePlatform } from '../tests/foreign/platform.ts';

/**
 * Time of `verify` on one machine and on several, against a mock of a large description that takes a while for each response. Each
 * "machine" is a control group (version 1) with a share of a core, which needs root: without it, all share the cores of this machine,
 * and the ratio is limited by them. The findings must be the same.
 *
 *     npm run build && npx tsx bench/fleet-verify.ts [--agents 3] [--cores 0.4] [--operations 721] [--delay 20] [--rounds 1] [--behaviour stateful]
 */
const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '3' },
    cores: { type: 'string', default: '0.4' },
    operations: { type: 'string', default: '721' },
    /** `deployed` keeps, lists and shows items, so that 2.2 times as many tests run as with `stateful`, whose lists are made up. */
    behaviour: { type: 'string', default: 'deployed' },
    /** Response time of the mock in milliseconds. */
    delay: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '1' },
  },
});

const MAIN = join(import.meta.dirname, '../dist/cli/main.js');
const TOKEN = 'a-token-of-the-mock';
const GROUPS = '/sys/fs/cgroup/cpu';
const PERIOD_US = 100_000;
const AGENTS = Number(values.agents);
/** Agents stand ready before a run, as on machines of their own: the process of the first share takes seconds of a slow core to start and to compile the schemas. */
const STANDING_MS = 30_000;
const LEAVING_MS = 15_000;

const dir = mkdtempSync(join(tmpdir(), 'assay-fleet-verify-'));

/** The folder of a new control group; undefined where none can be made. */
function newMachine(name: string): string | undefined {
  const group = join(GROUPS, `assay-${process.pid}-${name}`);
  try {
    mkdirSync(group);
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(Number(values.cores) * PERIOD_US)));
    return group;
  } catch {
    return undefined;
  }
}

/** Removes a control group, once the processes of the last share have noticed that their agent is gone. */
async function removeMachine(group: string): Promise<void> {
  const until = performance.now() + LEAVING_MS;
  for (;;)
    try {
      rmdirSync(group);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(100);
    }
}

const machines = ['controller', ...Array.from({ length: AGENTS }, (_, index) => `agent-${index + 1}`)].map(newMachine);
if (machines.includes(undefined)) console.log('no control groups: all share the cores of this machine');

const started: ChildProcess[] = [];

/** Starts the command on a machine. */
function assay(machine: string | undefined, words: readonly string[]): ChildProcess {
  const enter = machine === undefined ? '' : `echo $$ > ${machine}/cgroup.procs; `;
  const child = spawn('sh', ['-c', `${enter}exec "$@"`, 'sh', process.execPath, MAIN, ...words], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: dir, XDG_STATE_HOME: dir, ASSAY_TOKEN: TOKEN },
  });
  started.push(child);
  return child;
}

interface Ran {
  readonly seconds: number;
  readonly summary: Summary;
}

async function run(out: string, words: readonly string[]): Promise<Ran> {
  const began = performance.now();
  const child = assay(machines[0], ['verify', ...words, '--seed', '1', '--out', out, '--report', 'json', '--quiet']);
  child.stdout?.resume();
  const [code] = (await once(child, 'exit')) as [number];
  if (code > 1) throw new Error(`verify ended with exit code ${code}`);
  const summary = JSON.parse(readFileSync(join(dir, out, 'summary.json'), 'utf8')) as Summary;
  return { seconds: (performance.now() - began) / 1000, summary };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function startAgent(machine: string | undefined, words: readonly string[]): Promise<ChildProcess> {
  const child = assay(machine, ['agent', ...words]);
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    if (/waiting for a run/u.test(line)) break;
  child.stdout?.resume();
  return child;
}

const [broker] = BROKERS;
if (broker === undefined) throw new Error('this machine has neither redis-server nor valkey-server');
const opened = await broker.open();
const spec = join(dir, 'description.json');
writeFileSync(spec, JSON.stringify(describePlatform(Number(values.operations))));
const mock = await startMock(await loadContract(spec), {
  behaviour: values.behaviour as Behaviour,
  token: TOKEN,
  delayMs: Number(values.delay),
});
const target = ['--base-url', mock.baseUrl, '--allow', 'all'];
const alone: Ran[] = [];
const together: Ran[] = [];
const codes = ({ summary }: Ran): string =>
  JSON.stringify(summary.findings.map(({ fingerprint }) => fingerprint).toSorted());
try {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    alone.push(await run('alone', [...target, '--spec', spec, '--budget', '30m']));
    const fleet = ['--fleet', opened.url];
    const agents = await Promise.all(
      machines.slice(1).map((each) => startAgent(each, [...fleet, ...target, '--spec', spec])),
    );
    await sleep(STANDING_MS);
    const wanted = ['--agents', values.agents, '--spec', spec, '--budget', '30m'];
    together.push(await run('together', [...fleet, ...target, ...wanted]));
    await Promise.all(agents.map(end));
  }
} finally {
  await Promise.all(started.map(end));
  await mock.close();
  await opened.close();
  for (const machine of machines) if (machine !== undefined) await removeMachine(machine);
  rmSync(dir, { recursive: true, force: true });
}
for (const [name, runs] of [
  ['one machine', alone],
  [`${AGENTS} agents`, together],
] as const) {
  const [{ summary } = { summary: undefined }] = runs;
  const { passed, failed, skipped, exchanges } = summary?.totals ?? {};
  const seconds = median(runs.map((each) => each.seconds)).toFixed(1);
  console.log(`${name}: ${seconds} s · ${passed} passed, ${failed} failed, ${skipped} skipped, ${exchanges} requests`);
}
const ratio = median(alone.map(({ seconds }) => seconds)) / median(together.map(({ seconds }) => seconds));
const isSame = alone.every((each, round) => codes(each) === codes(together[round] ?? each));
console.log(`${ratio.toFixed(2)} times as fast, ${isSame ? 'the same findings' : 'OTHER FINDINGS'}`);
