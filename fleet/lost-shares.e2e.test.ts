import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAgent } from './agent.ts';
import { openBroker } from './broker.ts';
import type { Broker } from './broker.ts';
import { Controller } from './controller.ts';
import type { TrialRequest, TrialResult } from './fleet-trial.ts';
import type { LaneEngine } from './lane-engine.ts';
import { Ledger } from './ledger.ts';
import { NAMES } from './messages.ts';
import type { Hello } from './messages.ts';
import { Signer } from './signature.ts';
import { BROKERS, POSTGRES } from './testing/brokers.ts';
import type { TestBroker } from './testing/brokers.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';

const [{ open } = { open: undefined }] = [...BROKERS, ...POSTGRES];
const SAME = { version: '1', engineHash: 'a', target: 'http://127.0.0.1' };
const signer = new Signer(undefined);
const dir = emptyDirectory();
let server: TestBroker;
let broker: Broker;
beforeAll(async () => {
  if (open === undefined) throw new Error('npm ci installs PostgreSQL, which this test needs');
  server = await open();
  broker = await openBroker(server);
});
afterAll(async () => {
  await broker.close();
  await server.close();
});

/** Runs a trial on one agent, whose lanes are done when they go. */
async function runTrial(
  run: string,
  engine: LaneEngine,
  request: Partial<TrialRequest>,
  { agents, command }: { readonly agents: number; readonly command: 'verify' | 'load' },
): Promise<TrialResult> {
  const { signal } = new AbortController();
  const agent = runAgent({
    ...SAME,
    broker,
    signer,
    agent: `agent-${run}`,
    zone: '',
    allow: [],
    maxRate: 1,
    measureRate: () => Promise.resolve(1),
    leavesAfterRun: true,
    engineOf: () => engine,
    signal,
    onNote: () => {},
  });
  const controller = new Controller({
    broker,
    signer,
    announcement: { ...SAME, run, command, effects: [], lockMs: 1_000, zones: [], ratePerAgent: 0 },
    agents,
    gatherMs: 10_000,
    onLoss: 'mark',
    ledger: await Ledger.open(join(dir, `${run}.ndjson`)),
    history: [],
    seed: 1,
    onNote: () => {},
    onStop: () => {},
    signal,
  });
  await controller.open();
  const result = await controller.trial({
    lanes: [],
    requests: '',
    sliceMs: 1_000,
    durationMs: 60_000,
    drainMs: 0,
    onSlices: () => {},
    onLate: () => {},
    onResults: () => {},
    signal,
    ...request,
  });
  await controller.close();
  await agent;
  return result;
}

const LANE = { firstId: 0, planned: undefined, peakRate: 0, job: {} };

/** Runs one share on one agent, whose engine crashes so many times first; resolves to what the engine reported. */
async function runShare(run: string, crashes: number): Promise<readonly unknown[]> {
  let starts = 0;
  const results: unknown[] = [];
  const engine: LaneEngine = {
    start: ({ onResult }) => {
      starts += 1;
      onResult(starts);
      const done = starts > crashes ? Promise.resolve() : Promise.reject(new Error('crashed'));
      return Promise.resolve({ ready: Promise.resolve(0), done, go: () => {}, until: () => {}, stop: () => {} });
    },
  };
  const onResults = (told: readonly unknown[]): void => void results.push(...told);
  const request = { isQueue: true, lanes: [LANE], onResults };
  const { stopped } = await runTrial(run, engine, request, { agents: 1, command: 'verify' });
  expect(stopped).toBe(false);
  return results;
}

it('runs a share again that its agent could not finish', async () => {
  expect(await runShare('again', 2)).toEqual([1, 2, 3]);
});

it('ends without a share that no agent could finish three times', async () => {
  expect(await runShare('never', Infinity)).toEqual([1, 2, 3]);
});

it('the agents that are left take the lanes of one that is lost before the start', async () => {
  const hello: Hello = {
    kind: 'hello',
    run: 'left',
    agent: 'gone',
    zone: '',
    version: SAME.version,
    ownRate: 1,
    boundMs: 0,
  };
  await broker.publish(NAMES.reports('left'), signer.sign(hello));
  const engine: LaneEngine = {
    start() {
      let end: () => void = () => {};
      const done = new Promise<void>((resolve) => (end = resolve));
      return Promise.resolve({ ready: Promise.resolve(1), done, go: end, until: () => {}, stop: end });
    },
  };
  const { connected } = await runTrial('left', engine, { lanes: [LANE, LANE] }, { agents: 2, command: 'load' });
  expect(connected).toBe(2);
});
