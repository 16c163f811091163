import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BrokerClock } from '../fleet/clock.ts';
import { Controller, Ledger, openBroker, Signer, startLocalBroker } from '../fleet/index.ts';
import { asAnnouncement, asTick, NAMES } from '../fleet/messages.ts';
import type { LaneEvent, Report, Tick } from '../fleet/messages.ts';
import { untilReport } from '../fleet/outbox.ts';
import type { Broker } from '../fleet/index.ts';
import { median } from '../load/compare/statistics.ts';
import { Latencies } from '../load/engines/latencies.ts';
import type { Slice } from '../load/engines/messages.ts';
import { seededRandom } from '../load/engines/schedule.ts';
import { joinSlices } from '../load/join-slices.ts';
import { Measurement } from '../load/measurement.ts';
import { testPart, testSlice } from '../load/testing/slices.ts';
import { packSlice, receivedSlice } from '../load/wire-format.ts';

/**
 * Cost of a fleet of many agents for the controller: simulated agents report 2,000 responses per second each.
 *
 *     tsx bench/fleet.ts [AGENTS] [SECONDS]
 */
const AGENTS = Number(process.argv[2] ?? 1000);
const SECONDS = Number(process.argv[3] ?? 20);
const SLICE_MS = 250;
const ANSWERS = 500;
const RUN = 'bench';

/** Some different slices of 500 responses, used for all agents. */
function samples(): Slice[] {
  const random = seededRandom(3);
  return Array.from({ length: 16 }, () => {
    const [latencies, lag] = [new Latencies(), new Latencies()];
    for (let count = 0; count < ANSWERS; count += 1) {
      latencies.record(2 * (1 - random()) ** -0.7);
      lag.record(random() * 0.4);
    }
    const part = testPart(ANSWERS, { latencies: latencies.take() });
    return testSlice(0, [part], { inFlight: 3, connections: 50, busy: 0.2, lag: lag.take() });
  });
}

/** Reports of the simulated agents. */
class Reports {
  readonly #broker: Broker;
  readonly #clock: BrokerClock;
  readonly #signer = new Signer();
  readonly #packed = samples().map(packSlice);
  readonly #seqs = new Uint32Array(AGENTS);

  constructor(broker: Broker, clock: BrokerClock) {
    this.#broker = broker;
    this.#clock = clock;
  }

  /** Reports of all agents, each at its moment. They are written before: on separate machines, no agent waits for another. */
  async everyone(second: number, type?: LaneEvent['type']): Promise<void> {
    await Promise.all(
      Array.from({ length: AGENTS }, async (_, agent) => {
        const text = this.#write(agent, second, type);
        await sleep(untilReport(this.#clock.now(), agent));
        await this.#broker.publish(NAMES.reports(RUN), text);
      }),
    );
  }

  #write(agent: number, second: number, type?: LaneEvent['type']): string {
    const common = { trial: 1, lane: agent, attempt: `a${agent}` };
    const slices = Array.from({ length: second < 0 ? 0 : 4 }, (_, quarter) => {
      const index = second * 4 + quarter;
      const slice = this.#packed[(agent + index) % this.#packed.length] as ReturnType<typeof packSlice>;
      const [from, to] = [index * ANSWERS, (index + 1) * ANSWERS];
      return { ...slice, ...common, index, from, to, sentTo: to };
    });
    const seq = (this.#seqs[agent] as number) + 1;
    this.#seqs[agent] = seq;
    const report: Report = {
      kind: 'report',
      run: RUN,
      agent: `a${agent}`,
      seq,
      sentAt: this.#clock.now(),
      boundMs: 0.2,
      tickDelayMs: 5,
      slices,
      events: type === undefined ? [] : [{ ...common, type, connected: 50 }],
    };
    return this.#signer.sign(report);
  }
}

async function simulate(url: string, password: string): Promise<void> {
  const broker = await openBroker({ url, password });
  const signer = new Signer();
  const clock = new BrokerClock(() => broker.time());
  await clock.start();
  const reports = new Reports(broker, clock);
  let tick: Tick | undefined;
  await broker.subscribe(NAMES.ticks(RUN), (text) => (tick = asTick(signer.verify(text)) ?? tick));
  const announced = new Promise<void>((resolve) => {
    void broker.subscribe(NAMES.lobby, (text) => asAnnouncement(signer.verify(text)) && resolve());
  });
  await announced;
  for (let agent = 0; agent < AGENTS; agent += 1) {
    const hello = { kind: 'hello', run: RUN, agent: `a${agent}`, zone: '', version: '1', ownRate: 1, boundMs: 1 };
    await broker.publish(NAMES.reports(RUN), signer.sign(hello));
  }
  // The broker's subscription changes `tick`.
  // oxlint-disable no-unmodified-loop-condition
  while (tick?.state !== 'prepare') await sleep(20);
  await reports.everyone(-1, 'ready');
  while (tick?.t0 === undefined) await sleep(20);
  // oxlint-enable no-unmodified-loop-condition
  const { t0 } = tick;
  for (let second = 0; second < SECONDS; second += 1) {
    await sleep(Math.max(0, t0 + (second + 1) * 1000 - clock.now()));
    void reports.everyone(second, second === SECONDS - 1 ? 'done' : undefined);
  }
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tick changes meanwhile
  while ((tick as Tick).state !== 'end') await sleep(100);
  process.exit(0);
}

interface Opened {
  readonly controller: Controller;
  readonly close: () => Promise<void>;
}

/** Starts a broker, a controller and the process of the agents. */
async function open(): Promise<Opened> {
  const local = await startLocalBroker();
  const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const broker = await openBroker(local);
  const words = ['agents', local.url, local.password];
  const child = fork(fileURLToPath(import.meta.url), [String(AGENTS), String(SECONDS), ...words], {
    execArgv: process.execArgv,
  });
  const ended = once(child, 'exit');
  const announcement = {
    run: RUN,
    version: '1',
    engineHash: '',
    command: 'load',
    target: '',
    effects: [],
    ratePerAgent: 0,
    lockMs: 30_000,
    zones: [],
  } as const;
  const controller = new Controller({
    broker,
    signer: new Signer(),
    announcement,
    agents: AGENTS,
    gatherMs: 120_000,
    onLoss: 'mark',
    history: [],
    seed: 1,
    ledger: await Ledger.open(join(dir, 'fleet.ndjson')),
    onNote: (text) => process.stdout.write(`${text}\n`),
    onStop: () => {},
    signal: new AbortController().signal,
  });
  return {
    controller,
    close: async () => {
      await controller.close();
      await ended;
      await broker.close();
      await local.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function measure(): Promise<void> {
  const { controller, close } = await open();
  await controller.open();
  const durationMs = SECONDS * 1000;
  const measurement = new Measurement({ warmupMs: 0, durationMs });
  const reported: number[] = [];
  const merging: number[] = [];
  let t0 = 0;
  let cpu = process.cpuUsage();
  let began = performance.now();
  const planned = ANSWERS * 4 * SECONDS;
  const result = await controller.trial({
    lanes: Array.from({ length: AGENTS }, (_, lane) => ({ firstId: 0, planned, peakRate: 0, job: { lane } })),
    requests: '{}',
    sliceMs: SLICE_MS,
    durationMs,
    drainMs: 5_000,
    signal: new AbortController().signal,
    onSlices: (index, slices) => {
      if (index === 0) [cpu, began, t0] = [process.cpuUsage(), performance.now(), controller.startedAt];
      const start = performance.now();
      measurement.add(index, joinSlices(slices.map(({ slice }) => receivedSlice(slice, slice.figures))));
      merging.push(performance.now() - start);
      if (index % 4 === 3) reported.push(controller.clock.now() - t0 - (index + 1) * SLICE_MS);
    },
    onLate: (index, { slice }) => {
      for (const joined of joinSlices([receivedSlice(slice, slice.figures)])) measurement.addLate(index, joined);
    },
    onResults: () => {},
  });
  const used = process.cpuUsage(cpu);
  const cores = (used.user + used.system) / 1000 / (performance.now() - began);
  await close();
  const { answered } = measurement.whole;
  process.stdout.write(
    [
      `agents ${AGENTS}, ${SECONDS} s, ${AGENTS * SECONDS} reports`,
      `responses merged    ${answered} of ${AGENTS * planned}; accounts ${result.balanced ? 'balanced' : 'not balanced'}`,
      `controller          ${cores.toFixed(2)} cores, ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`,
      `merging of a second ${((merging.reduce((sum, ms) => sum + ms, 0) / merging.length) * 4).toFixed(1)} ms`,
      `second reported     after ${median(reported).toFixed(0)} ms, at most ${Math.max(...reported).toFixed(0)} ms`,
      '',
    ].join('\n'),
  );
  process.exit(0);
}

const [role, url = '', password = ''] = process.argv.slice(4);
await (role === 'agents' ? simulate(url, password) : measure());
