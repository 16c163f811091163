import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestBroker } from '../fleet/testing/brokers.ts';
import type { Way } from '../fleet/testing/proxy.ts';
import type { CountingTarget } from './counting-target.ts';

export const LOCK_MS = 2_000;

/** What a case acts on. */
export interface Stage {
  readonly dir: string;
  readonly broker: TestBroker;
  readonly target: CountingTarget;
  readonly agents: readonly ChildProcess[];
  readonly ways: readonly Way[];
  readonly victim: number;
  controller: ChildProcess;
  /** Starts a controller that goes on with the run. */
  readonly resume: () => ChildProcess;
}

/** What is done to a fleet; resolves to the moment from which on the load must come back. */
export interface Loss {
  readonly keepsBroker: boolean;
  /** The load must not be interrupted at all. */
  readonly isSeamless?: boolean;
  /** Before the start. */
  readonly prepare?: (stage: Stage) => void;
  readonly act: (stage: Stage) => Promise<number>;
}

const now = (): number => performance.timeOrigin + performance.now();

function signalled(signal: NodeJS.Signals): Loss['act'] {
  return async ({ agents, victim }) => {
    agents[victim]?.kill(signal);
    return now();
  };
}

function stopped(ms: number): Loss['act'] {
  return async (stage) => {
    const at = await signalled('SIGSTOP')(stage);
    void sleep(ms).then(() => signalled('SIGCONT')(stage));
    return at;
  };
}

function brokerAway(ms: number): Loss['act'] {
  return async ({ broker }) => {
    await broker.kill();
    await sleep(ms);
    await broker.start();
    return now();
  };
}

export const LOSSES: Readonly<Record<string, Loss>> = {
  none: { keepsBroker: true, isSeamless: true, act: async () => now() },
  sigkill: { keepsBroker: true, act: signalled('SIGKILL') },
  sigterm: { keepsBroker: true, isSeamless: true, act: signalled('SIGTERM') },
  sigstop: { keepsBroker: true, act: stopped(3 * LOCK_MS) },
  'sigstop-short': { keepsBroker: true, act: stopped(LOCK_MS / 2) },
  'broker-kept': { keepsBroker: true, isSeamless: true, act: brokerAway(500) },
  'broker-emptied': { keepsBroker: false, act: brokerAway(500) },
  'broker-away': { keepsBroker: true, act: brokerAway(2 * LOCK_MS) },
  controller: {
    keepsBroker: true,
    isSeamless: true,
    act: async (stage) => {
      stage.controller.kill('SIGKILL');
      await sleep(1_000);
      stage.controller = stage.resume();
      return now();
    },
  },
  cut: {
    keepsBroker: true,
    act: async ({ ways, victim }) => {
      ways[victim]?.cut();
      const at = now();
      void sleep(2 * LOCK_MS).then(() => ways[victim]?.mend());
      return at;
    },
  },
  'cut-for-good': {
    keepsBroker: true,
    act: async ({ ways, victim }) => {
      ways[victim]?.cut();
      return now();
    },
  },
  'far-sigkill': {
    keepsBroker: true,
    prepare: ({ ways }) => ways.forEach((way, index) => way.delay(30 + 10 * index, 60)),
    act: signalled('SIGKILL'),
  },
};
