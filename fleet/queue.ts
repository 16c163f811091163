import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, QueueEvents, QueueEventsProducer, Worker } from 'bullmq';
import type { Job, QueueOptions, WorkerOptions } from 'bullmq';
import { AssayError, EXIT } from '../spec/index.ts';
import { openBackend } from './backend.ts';
import type { Backend, BrokerAddress } from './backend.ts';

/** A task for whoever claims it, or a message; its id keeps it from being put twice while it is there. */
export interface Item {
  readonly id: string;
  readonly text: string;
}

/** A task that this process owns until its lock ends. */
export interface Claim extends Item {
  /** How often an owner lost it. */
  readonly lostBefore: number;
  /** Keeps it for so long from now; false where it is no longer owned. */
  extend(ms: number): Promise<boolean>;
  complete(): Promise<void>;
  /** For another owner, with another text. */
  giveBack(text: string): Promise<void>;
}

export interface Claimer {
  next(): Promise<Claim | undefined>;
  close(): Promise<void>;
}

type Close = () => Promise<void>;

/** What the fleet needs of BullMQ; the only file that imports it. */
export interface Broker {
  /** Milliseconds since the epoch by the broker's clock. */
  time(): Promise<number>;
  /** An AssayError (exit code 2) where the broker takes too few connections for so many agents. */
  requireRoom(agents: number): Promise<void>;
  publish(topic: string, text: string): Promise<void>;
  /** Hears what is published from now on, or also what is kept of earlier. */
  subscribe(topic: string, onText: (text: string) => void, from?: 'now' | 'start'): Promise<Close>;
  put(queue: string, items: readonly Item[]): Promise<void>;
  read(queue: string, id: string): Promise<string | undefined>;
  claimer(queue: string, lockMs: number): Promise<Claimer>;
  /** Makes items free whose lock has ended. */
  reclaim(queue: string, lockMs: number): Promise<Close>;
  /** Numbers of items that wait for an owner and that have one. */
  counts(queue: string): Promise<{ readonly free: number; readonly owned: number }>;
  /** Those of the ids that the queue does not hold. */
  missing(queue: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Removes the queue or topic. */
  remove(queue: string): Promise<void>;
  close(): Promise<void>;
}

const PREFIX = 'assay';
/** Measured in a run, with some to spare for reconnecting. */
const AGENT_CONNECTIONS = 5;
const CONTROLLER_CONNECTIONS = 10;
const EVENT = 'message';
/** Reports of 1,000 agents in 5 s; what was not read by then is published again. */
const MOST_EVENTS = 5_000;
const STALL_CHECK_MS = 250;
const OFTEN = 1_000_000;
const CLOSE_MS = 1_000;

interface Stored {
  readonly text: string;
}

/** Errors of connections: they come back by themselves, and what waits for them is sent then. */
function quietly<Emitter extends { on(name: 'error', listener: () => void): unknown }>(emitter: Emitter): Emitter {
  emitter.on('error', () => {});
  return emitter;
}

/** BullMQ closes in order, and waits for that as long as the broker is away. */
function shortly(closing: Promise<void>): Promise<void> {
  return Promise.race([closing, sleep(CLOSE_MS)]);
}

function claimOf(job: Job<Stored>, token: string): Claim {
  return {
    id: String(job.id),
    text: job.data.text,
    lostBefore: job.stalledCounter,
    extend: (ms) =>
      job.extendLock(token, ms).then(
        (extended) => extended > 0,
        () => false,
      ),
    complete: async () => void (await job.moveToCompleted(undefined, token, false)),
    giveBack: async (text) => {
      await job.updateData({ text });
      await job.moveToWait(token);
    },
  };
}

class BullBroker implements Broker {
  readonly #backend: Backend;
  readonly #options: QueueOptions;
  /** BullMQ's types know no backend of either kind. */
  readonly #factory: undefined;
  readonly #queues = new Map<string, Queue<Stored>>();
  readonly #producers = new Map<string, QueueEventsProducer>();
  readonly #open = new Set<Close>();

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#options = { connection: backend.connection, prefix: PREFIX };
    this.#factory = backend.factory as undefined;
  }

  time(): Promise<number> {
    return this.#backend.time();
  }

  async requireRoom(agents: number): Promise<void> {
    const most = await this.#backend.mostConnections();
    const needed = agents * AGENT_CONNECTIONS + CONTROLLER_CONNECTIONS;
    if (most === undefined || most >= needed) return;
    throw new AssayError(`The broker takes ${most} connections, and ${agents} agents need ${needed}.`, {
      hint: `Set maxclients of the broker to ${needed} or more, or use fewer --agents.`,
      exitCode: EXIT.usage,
    });
  }

  publish(topic: string, text: string): Promise<void> {
    const producer =
      this.#producers.get(topic) ?? quietly(new QueueEventsProducer(topic, this.#options, this.#factory));
    this.#producers.set(topic, producer);
    return producer.publishEvent({ eventName: EVENT, text }, MOST_EVENTS);
  }

  async subscribe(topic: string, onText: (text: string) => void, from: 'now' | 'start' = 'now'): Promise<Close> {
    const options = { ...this.#options, lastEventId: from === 'now' ? '$' : '0' };
    const events = quietly(new QueueEvents(topic, options, this.#factory));
    events.on(EVENT as 'error', ((given: Stored) => onText(given.text)) as never);
    await events.waitUntilReady();
    return this.#closing(() => events.close());
  }

  async put(queue: string, items: readonly Item[]): Promise<void> {
    const rest = { removeOnComplete: true, removeOnFail: true, attempts: OFTEN };
    await this.#queue(queue).addBulk(
      items.map(({ id, text }) => ({ name: 'item', data: { text }, opts: { ...rest, jobId: id } })),
    );
  }

  async read(queue: string, id: string): Promise<string | undefined> {
    return (await this.#queue(queue).getJob(id))?.data.text;
  }

  async claimer(queue: string, lockMs: number): Promise<Claimer> {
    const worker = this.#worker(queue, { lockDuration: lockMs, autorun: false });
    await worker.waitUntilReady();
    let number = 0;
    return {
      async next() {
        const token = `${worker.id}:${(number += 1)}`;
        const job = await worker.getNextJob(token, { block: false });
        return job && claimOf(job, token);
      },
      close: this.#closing(() => worker.close(true)),
    };
  }

  async reclaim(queue: string, lockMs: number): Promise<Close> {
    const worker = this.#worker(queue, { lockDuration: lockMs, autorun: false, stalledInterval: STALL_CHECK_MS });
    await worker.waitUntilReady();
    await worker.startStalledCheckTimer();
    return this.#closing(() => worker.close(true));
  }

  async counts(queue: string): Promise<{ readonly free: number; readonly owned: number }> {
    const counts = await this.#queue(queue).getJobCounts('wait', 'active');
    return { free: counts['wait'] ?? 0, owned: counts['active'] ?? 0 };
  }

  async missing(queue: string, ids: readonly string[]): Promise<readonly string[]> {
    const states = await Promise.all(ids.map((id) => this.#queue(queue).getJobState(id)));
    return ids.filter((_, index) => states[index] === 'unknown');
  }

  async remove(queue: string): Promise<void> {
    await this.#queue(queue).obliterate({ force: true });
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open].map((close) => close()));
    const idle = [...this.#queues.values(), ...this.#producers.values()];
    await Promise.allSettled(idle.map((each) => shortly(each.close())));
    await this.#backend.close();
  }

  #queue(name: string): Queue<Stored> {
    const known = this.#queues.get(name) ?? quietly(new Queue<Stored>(name, this.#options, this.#factory));
    this.#queues.set(name, known);
    return known;
  }

  #worker(name: string, given: Partial<WorkerOptions>): Worker<Stored> {
    const options = {
      ...this.#options,
      skipLockRenewal: true,
      maxStalledCount: OFTEN,
      removeOnComplete: { count: 0 },
      ...given,
    };
    return quietly(new Worker<Stored>(name, undefined, options as WorkerOptions, this.#factory));
  }

  #closing(close: Close): Close {
    const once: Close = async () => {
      if (this.#open.delete(once)) await shortly(close());
    };
    this.#open.add(once);
    return once;
  }
}

/** Connects to the broker; an AssayError (exit code 3) where it does not answer. */
export async function openBroker(address: BrokerAddress): Promise<Broker> {
  return new BullBroker(await openBackend(address));
}
