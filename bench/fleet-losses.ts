import { setTimeout as sleep } from 'node:timers/promises';
import type { TestBroker } from '../fleet/testing/brokers.ts';
import type { TcpProxy } from '../fleet/testing/proxy.ts';
import type { Running } from '../tests/command/run-assay.ts';
import type { CountingTarget } from './counting-target.ts';

export const LOCK_MS = 2_000;

export interface Stage {
  readonly dir: string;
  readonly broker: TestBroker;
  readonly target: CountingTarget;
  readonly agents: readonly Running[];
  /** Between each agent and the broker. */
  readonly proxies: readonly TcpProxy[];
  /** Index of the agent that is lost. */
  readonly victim: number;
  controller: Running;
  /** Starts a controller that resumes the run. */
  readonly resume: () => Running;
}

export interface Loss {
  /** The broker has an append-only file. */
  readonly keepsBroker: boolean;
  /** The load must not be interrupted. */
  readonly isSeamless?: boolean;
  /** Before the start. */
  readonly prepare?: (stage: Stage) => void;
  /** Resolves to the time after which the load must resume. */
  readonly act: (stage: Stage) => Promise<number>;
}

const now = (): number => performance.timeOrigin + performance.now();

function signalled(signal: NodeJS.Signals): Loss['act'] {
  return async ({ agents, victim }) => {
    agents[victim]?.child.kill(signal);
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
      stage.controller.child.kill('SIGKILL');
      await sleep(1_000);
      stage.controller = stage.resume();
      return now();
    },
  },
  cut: {
    keepsBroker: true,
    act: async ({ proxies, victim }) => {
      proxies[victim]?.cut();
      const at = now();
      void sleep(2 * LOCK_MS).then(() => proxies[victim]?.restore());
      return at;
    },
  },
  'cut-for-good': {
    keepsBroker: true,
    act: async ({ proxies, victim }) => {
      proxies[victim]?.cut();
      return now();
    },
  },
  'far-sigkill': {
    keepsBroker: true,
    prepare: ({ proxies }) => proxies.forEach((proxy, index) => proxy.delay(30 + 10 * index, 60)),
    act: signalled('SIGKILL'),
  },
};
