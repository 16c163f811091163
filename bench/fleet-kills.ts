import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BROKERS } from '../fleet/testing/brokers.ts';
import { openProxy } from '../fleet/testing/proxy.ts';
import { seededRandom } from '../load/engines/schedule.ts';
import type { LedgerEntry } from '../fleet/index.ts';
import type { FleetFigures } from '../spec/index.ts';
import { startAssay } from '../tests/command/run-assay.ts';
import type { Running } from '../tests/command/run-assay.ts';
import { openCountingTarget } from './counting-target.ts';
import type { Arrival } from './counting-target.ts';
import { LOCK_MS, LOSSES } from './fleet-losses.ts';
import type { Loss, Stage } from './fleet-losses.ts';

/**
 * Kills, suspends and disconnects agents, the broker and the controller at random moments of a run of the built command, and
 * compares the report with the ids that the target received.
 *
 *     npm run build && tsx bench/fleet-kills.ts [--times 20] [--only sigkill,cut] [--seed 1] [--busy]
 *
 * No request may arrive before its due time, so that there are never more arrivals than due requests, and none so late that a
 * missed request was sent later. A quarter second can contain more arrivals than planned: requests that were due in it, and
 * requests that a stall of the machine delayed. Both shares are printed; only the first one is judged. `--only none` shows the
 * noise of the machine.
 */
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    agents: { type: 'string', default: '3' },
    rate: { type: 'string', default: '600' },
    seconds: { type: 'string', default: '12' },
  },
});
const [AGENTS, RATE, SECONDS] = [Number(values.agents), Number(values.rate), Number(values.seconds)];
const LANES_PER_AGENT = 2;
const WINDOW_MS = 250;
/** A lane without requests for longer than this has no owner. */
const PAUSE_MS = 300;
/** A later request was sent although it had been missed: a lane that was inactive for 250 ms skips what it missed. */
const MOST_LATE_MS = 400;
/** Difference between the clocks of broker and target, which one machine reads in different ways. */
const CLOCK_MS = 2;

const random = seededRandom(Number(values.seed));

const assay = (words: readonly string[], dir: string): Running =>
  startAssay(words, { cwd: dir, env: { ASSAY_TOKEN: 'secret', XDG_STATE_HOME: dir } });

async function open(loss: Loss, closers: (() => unknown)[]): Promise<Stage> {
  const [named] = BROKERS;
  if (named === undefined) throw new Error('this machine has neither redis-server nor valkey-server');
  const dir = mkdtempSync(join(tmpdir(), 'assay-kills-'));
  closers.push(() => rmSync(dir, { recursive: true, force: true }));
  const [broker, target] = await Promise.all([named.open(loss.keepsBroker), openCountingTarget()]);
  closers.push(() => target.close());
  closers.push(() => broker.close());
  const proxies = await Promise.all(Array.from({ length: AGENTS }, () => openProxy(Number(new URL(broker.url).port))));
  closers.push(...proxies.map((proxy) => () => proxy.close()));
  const common = ['--base-url', target.url, '--allow', 'all'];
  const agents = proxies.map(({ port }) => assay(['agent', '--fleet', `redis://127.0.0.1:${port}`, ...common], dir));
  closers.push(
    ...agents.map(
      ({ child }) =>
        () =>
          child.kill('SIGKILL'),
    ),
  );
  await Promise.all(agents.map((agent) => agent.line(/waiting for a run/u)));
  const start = (more: readonly string[]): Running => {
    const lock = ['--lock', `${LOCK_MS / 1000}s`, '--agents', String(AGENTS), '--workers', String(LANES_PER_AGENT)];
    const load = ['--rate', String(RATE), '--duration', `${SECONDS}s`, '--warmup', '1s', '--seed', '7'];
    const rest = ['--threshold', 'errors<100%', '--out', join(dir, 'out'), '--report', 'json'];
    const words = ['load', 'clue-ingestion', '--fleet', broker.url, ...common, ...lock, ...load, ...rest, ...more];
    const controller = assay(words, dir);
    closers.push(() => controller.child.kill('SIGKILL'));
    return controller;
  };
  const controller = start([]);
  const run = /run (\S+),/u.exec(await controller.line(/run \S+,/u))?.[1] ?? '';
  return {
    dir,
    broker,
    target,
    agents,
    proxies,
    controller,
    victim: Math.floor(random() * AGENTS),
    resume: () => start(['--resume', run]),
  };
}

interface Outcome {
  readonly planned: number;
  readonly distinct: number;
  readonly doubled: number;
  readonly fleet: FleetFigures;
  /** Time until every lane is sent again. */
  readonly backMs: number;
  /** The fullest quarter second: before the loss, and after it. */
  readonly peaks: readonly [before: Peak, after: Peak];
  /** Times from due to arrival. */
  readonly earliestMs: number;
  readonly latestMs: number;
  /** Highest number of arrivals at any time in excess of the due requests. */
  readonly ahead: number;
}

/** An arrival and its due time, in milliseconds since the start of the schedule. */
interface Timed {
  readonly at: number;
  readonly due: number;
}

/** Arrivals in a window as a share of the plan. */
interface Peak {
  readonly all: number;
  /** Those of them that were due in it. */
  readonly due: number;
}

function fullest(sorted: readonly Timed[]): Peak {
  const plan = (RATE * WINDOW_MS) / 1000;
  let [most, from, best] = [0, 0, 0];
  for (let to = 0; to < sorted.length; to += 1) {
    while ((sorted[to] as Timed).at - (sorted[from] as Timed).at >= WINDOW_MS) from += 1;
    if (to - from + 1 > most) [most, best] = [to - from + 1, from];
  }
  const within = sorted.slice(best, best + most);
  const opens = within[0]?.at ?? 0;
  return { all: most / plan, due: within.filter(({ due }) => due >= opens).length / plan };
}

/** Highest number of arrivals at any time in excess of the due requests. */
function aheadOf(sorted: readonly Timed[], toleranceMs: number): number {
  const counts = sorted.map(({ at }, index) => index + 1 - Math.floor(((at + toleranceMs) * RATE) / 1000 + 0.5));
  return Math.max(0, ...counts);
}

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** Time from the loss to the end of the last lane's pause; shorter pauses are noise. */
function backAfter(arrivals: readonly Arrival[], lanes: number, at: number): number {
  const ends = Array.from({ length: lanes }, (_, lane) => {
    const own = ascending(arrivals.filter((each) => each.lane === lane).map((each) => each.at));
    return own.reduce((last, each, index) => (each > at && each - (own[index - 1] ?? at) > PAUSE_MS ? each : last), at);
  });
  return Math.max(...ends) - at;
}

/** Start of the first trial of a ledger. */
function startOf(ledger: string): number {
  const entries = readFileSync(ledger, 'utf8').split('\n').filter(Boolean);
  const trial = entries.map((line) => JSON.parse(line) as LedgerEntry).find((entry) => entry.kind === 'trial');
  if (trial?.kind !== 'trial') throw new Error('the ledger has no trial');
  return trial.t0;
}

async function outcomeOf({ dir, target }: Stage, at: number): Promise<Outcome> {
  const file = join(dir, 'out', 'summary.json');
  if (!existsSync(file)) throw new Error('no summary');
  const summary = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly scenarios: readonly { readonly detail?: { readonly fleet?: FleetFigures } }[];
  };
  const fleet = summary.scenarios[0]?.detail?.fleet;
  if (fleet === undefined) throw new Error('the summary has no fleet');
  const arrivals = await target.arrivals();
  const distinct = new Set(arrivals.map(({ lane, ordinal }) => `${lane}.${ordinal}`)).size;
  const t0 = startOf(join(dir, 'out', 'fleet.ndjson'));
  const dueOf = ({ lane, ordinal }: Arrival): number => ((ordinal * fleet.lanes + lane + 0.5) * 1000) / RATE;
  const timed = arrivals.map((each): Timed => ({ at: each.at - t0, due: dueOf(each) })).sort((a, b) => a.at - b.at);
  const late = ascending(timed.map((each) => each.at - each.due));
  return {
    planned: RATE * SECONDS,
    distinct,
    doubled: arrivals.length - distinct,
    fleet,
    backMs: backAfter(arrivals, fleet.lanes, at),
    peaks: [fullest(timed.filter((each) => each.at < at - t0)), fullest(timed.filter((each) => each.at >= at - t0))],
    earliestMs: late[0] ?? 0,
    latestMs: late.at(-1) ?? 0,
    ahead: aheadOf(timed, fleet.boundMs + CLOCK_MS),
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

/** Requirements that a case does not meet. */
function faultsOf(
  loss: Loss,
  { planned, distinct, doubled, fleet, backMs, peaks, earliestMs, latestMs, ahead }: Outcome,
): readonly string[] {
  const { requests, balanced } = fleet;
  const told = requests.answered + requests.failed;
  return [
    ...(doubled > 0 ? [`${doubled} sent twice`] : []),
    ...(balanced ? [] : ['the report says that its accounts are not balanced']),
    ...(requests.planned === planned ? [] : [`planned ${requests.planned}, not ${planned}`]),
    ...(distinct >= requests.answered && distinct <= told + requests.unknown ? [] : [`received ${distinct}`]),
    ...(backMs <= LOCK_MS + 1_500 ? [] : [`back after ${backMs.toFixed(0)} ms`]),
    ...(earliestMs >= -fleet.boundMs - CLOCK_MS ? [] : [`sent ${(-earliestMs).toFixed(1)} ms early`]),
    ...(ahead === 0 ? [] : [`${ahead} ahead of the schedule`]),
    ...peaks.filter(({ due }) => due > 1.01).map(({ due }) => `${percent(due)} of the plan, all due`),
    ...(latestMs <= MOST_LATE_MS ? [] : [`sent ${latestMs.toFixed(0)} ms late`]),
    ...(loss.isSeamless && requests.answered < planned * 0.999 ? ['not seamless'] : []),
  ];
}

async function runCase(name: string): Promise<boolean> {
  const loss = LOSSES[name];
  if (loss === undefined) throw new Error(`no case ${name}; there are ${Object.keys(LOSSES).join(', ')}`);
  const closers: (() => unknown)[] = [];
  try {
    const stage = await open(loss, closers);
    loss.prepare?.(stage);
    while ((await stage.target.arrivals()).length === 0) await sleep(50);
    const afterMs = 1_500 + random() * 2_500;
    await sleep(afterMs);
    const at = await loss.act(stage);
    const { code } = await stage.controller.ended;
    const outcome = await outcomeOf(stage, at);
    const faults = faultsOf(loss, outcome);
    const { answered, failed, withheld, unknown } = outcome.fleet.requests;
    const figures = [
      `${name} after ${(afterMs / 1000).toFixed(1)} s: exit ${code}`,
      `${outcome.planned} planned = ${answered} + ${failed} failed + ${withheld} withheld + ${unknown} unknown`,
      `${outcome.distinct} received, ${outcome.doubled} twice`,
      `back after ${outcome.backMs.toFixed(0)} ms`,
      `fullest quarter second ${outcome.peaks.map(({ all, due }) => `${percent(all)}, due in it ${percent(due)}`).join(' before; ')} after`,
      `arrived ${outcome.earliestMs.toFixed(1)} to ${outcome.latestMs.toFixed(0)} ms after due`,
      ...faults.map((fault) => `FAULT ${fault}`),
    ];
    process.stdout.write(`${figures.join(' · ')}\n`);
    return faults.length === 0;
  } catch (error) {
    process.stdout.write(`${name}: FAULT ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

const names = values.only?.split(',') ?? Object.keys(LOSSES).slice(1);
let good = 0;
for (let count = 0; count < Number(values.times); count += 1)
  good += Number(await runCase(names[count % names.length] ?? ''));
process.stdout.write(`${good} of ${values.times} without a fault\n`);
process.exitCode = good === Number(values.times) ? 0 : 1;
