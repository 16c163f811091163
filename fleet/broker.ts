import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, QueueEvents, QueueEventsProducer, Worker } from 'bullmq';
import type { Job, QueueOptions, WorkerOptions } from 'bullmq';
import { usageError } from '../spec/index.ts';
import { openBackend } from './backend.ts';
import type { Backend, BrokerAddress } from './backend.ts';

/** An item of a queue. An item whose id is already in the queue is not added again. */
export interface QueueItem {
  readonly id: string;
  readonly text: string;
}

/** An item that this process owns until its lock expires. */
export interface Claim extends QueueItem {
  /** How often the lock of an owner has expired. */
  readonly lostBefore: number;
  /** Renews the lock for `ms` from now; false if this process no longer owns the item. */
  extend(ms: number): Promise<boolean>;
  complete(): Promise<void>;
  /** Returns the item to the queue with a new text. */
  giveBack(text: string): Promise<void>;
}

export interface Claimer {
  next(): Promise<Claim | undefined>;
  close(): Promise<void>;
}

type Close = () => Promise<void>;

/** The functions of BullMQ that the fleet uses. This file and `backend.ts` alone import it. */
export interface Broker {
  /** Milliseconds since the epoch by the broker's clock. */
  time(): Promise<number>;
  /** Throws an AssayError (exit code 2) if the broker allows too few connections for this number of agents. */
  requireConnections(agents: number): Promise<void>;
  publish(topic: string, text: string): Promise<void>;
  /** Receives what is published from now on; with `start`, also earlier messages that the broker still holds. */
  subscribe(topic: string, onText: (text: string) => void, from?: 'now' | 'start'): Promise<Close>;
  put(queue: string, items: readonly QueueItem[]): Promise<void>;
  read(queue: string, id: string): Promise<string | undefined>;
  claimer(queue: string, lockMs: number): Promise<Claimer>;
  /** Returns items whose lock has expired to the queue, until closed. */
  reclaim(queue: string, lockMs: number): Promise<Close>;
  /** Numbers of items without and with an owner. */
  counts(queue: string): Promise<{ readonly free: number; readonly owned: number }>;
  missing(queue: string, ids: readonly string[]): Promise<readonly string[]>;
  remove(queue: string): Promise<void>;
  close(): Promise<void>;
}

const PREFIX = 'assay';
/** Connections per process: measured in a run, plus a reserve for reconnecting. */
const AGENT_CONNECTIONS = 5;
const CONTROLLER_CONNECTIONS = 10;
const EVENT = 'message';
/** Messages that a topic keeps: reports of 1,000 agents in 5 s. Agents publish again what was not read by then. */
const MOST_EVENTS = 5_000;
const STALL_CHECK_MS = 250;
/** BullMQ requires a limit of attempts; the fleet has none. */
const UNLIMITED = 1_000_000;
const CLOSE_MS = 1_000;

interface Stored {
  readonly text: string;
}

/** Ignores connection errors: clients reconnect on their own and then send what is pending. */
function ignoreErrors<Emitter extends { on(name: 'error', listener: () => void): unknown }>(emitter: Emitter): Emitter {
  emitter.on('error', () => {});
  return emitter;
}

/** BullMQ's `close` waits until the broker can be reached; this gives up after a time. */
function withinCloseTime(closing: Promise<void>): Promise<void> {
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
  /** BullMQ's types do not accept a backend that may be Redis or PostgreSQL. */
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

  async requireConnections(agents: number): Promise<void> {
    const allowed = await this.#backend.maxConnections();
    const needed = agents * AGENT_CONNECTIONS + CONTROLLER_CONNECTIONS;
    if (allowed === undefined || allowed >= needed) return;
    throw usageError(
      `The broker allows ${allowed} connections, but ${agents} agents need ${needed}.`,
      `Set maxclients of the broker to at least ${needed}, or reduce --agents.`,
    );
  }

  publish(topic: string, text: string): Promise<void> {
    const producer =
      this.#producers.get(topic) ?? ignoreErrors(new QueueEventsProducer(topic, this.#options, this.#factory));
    this.#producers.set(topic, producer);
    return producer.publishEvent({ eventName: EVENT, text }, MOST_EVENTS);
  }

  async subscribe(topic: string, onText: (text: string) => void, from: 'now' | 'start' = 'now'): Promise<Close> {
    const options = { ...this.#options, lastEventId: from === 'now' ? '$' : '0' };
    const events = ignoreErrors(new QueueEvents(topic, options, this.#factory));
    events.on(EVENT as 'error', ((event: Stored) => onText(event.text)) as never);
    await events.waitUntilReady();
    return this.#closing(() => events.close());
  }

  async put(queue: string, items: readonly QueueItem[]): Promise<void> {
    const common = { removeOnComplete: true, removeOnFail: true, attempts: UNLIMITED };
    await this.#queue(queue).addBulk(
      items.map(({ id, text }) => ({ name: 'item', data: { text }, opts: { ...common, jobId: id } })),
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
    await Promise.allSettled(idle.map((each) => withinCloseTime(each.close())));
    await this.#backend.close();
  }

  #queue(name: string): Queue<Stored> {
    const known = this.#queues.get(name) ?? ignoreErrors(new Queue<Stored>(name, this.#options, this.#factory));
    this.#queues.set(name, known);
    return known;
  }

  #worker(name: string, extra: Partial<WorkerOptions>): Worker<Stored> {
    const options = {
      ...this.#options,
      skipLockRenewal: true,
      maxStalledCount: UNLIMITED,
      removeOnComplete: { count: 0 },
      ...extra,
    };
    return ignoreErrors(new Worker<Stored>(name, undefined, options as WorkerOptions, this.#factory));
  }

  #closing(close: Close): Close {
    const once: Close = async () => {
      if (this.#open.delete(once)) await withinCloseTime(close());
    };
    this.#open.add(once);
    return once;
  }
}

/** Connects to the broker; throws an AssayError (exit code 3) if it cannot be reached. */
export async function openBroker(address: BrokerAddress): Promise<Broker> {
  return new BullBroker(await openBackend(address));
}
