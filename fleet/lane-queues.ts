import type { BrokerClock } from './clock.ts';
import type { FleetTrial } from './fleet-trial.ts';
import { NAMES } from './messages.ts';
import type { LaneTask } from './messages.ts';
import type { Broker } from './broker.ts';
import { storedRequests } from './stored-requests.ts';
import type { StoredRequests } from './stored-requests.ts';
import type { Signer } from './signature.ts';

export interface LaneQueuesOptions {
  readonly broker: Broker;
  readonly signer: Signer;
  readonly clock: BrokerClock;
  readonly run: string;
  readonly lockMs: number;
  /** Weight of each zone; without it there is one zone. */
  readonly zones?: Readonly<Record<string, number>>;
}

const laneId = ({ trial, lane }: LaneTask): string => `t${trial}-l${lane}`;

/** The queues in the broker that hold the lanes of the current trial, one per zone. */
export class LaneQueues {
  /** Lanes without an owner. */
  free = 0;
  readonly #options: LaneQueuesOptions;
  #trial: FleetTrial | undefined;
  #stored: StoredRequests | undefined;
  #tasks: readonly LaneTask[] = [];
  #zoneOf: readonly string[] = [];

  constructor(options: LaneQueuesOptions) {
    this.#options = options;
  }

  get zones(): readonly string[] {
    return Object.keys(this.#options.zones ?? { '': 1 });
  }

  /** Returns lanes to their queue when the lock of their owner expires. */
  reclaim(): Promise<readonly (() => Promise<void>)[]> {
    const { broker, run, lockMs } = this.#options;
    return Promise.all(this.zones.map((zone) => broker.reclaim(NAMES.lanes(run, zone), lockMs)));
  }

  /** Stores the requests of a trial and, unless the trial is resumed, queues its lanes. */
  async open(trial: FleetTrial, number: number, isNew: boolean): Promise<void> {
    const { broker, signer, run, zones } = this.#options;
    const { lanes, requests } = trial.request;
    this.#stored = storedRequests(broker, signer, run, requests);
    this.#zoneOf = spreadZones(lanes.length, zones);
    const { reference } = this.#stored;
    this.#tasks = lanes.map(({ peakRate, job }, lane) => ({
      run,
      trial: number,
      lane,
      requests: reference,
      peakRate,
      job,
    }));
    await this.#stored.put();
    if (isNew) await this.#put(this.#tasks);
    this.#trial = trial;
  }

  close(): void {
    this.#trial = undefined;
    this.free = 0;
  }

  /** Updates `free` and queues lanes again that the broker has lost; resolves to their number. */
  async check(): Promise<number> {
    const trial = this.#trial;
    if (trial === undefined) return 0;
    const { broker, run, clock, lockMs } = this.#options;
    const counts = await Promise.all(this.zones.map((zone) => broker.counts(NAMES.lanes(run, zone))));
    this.free = counts.reduce((sum, { free }) => sum + free, 0);
    const held = counts.reduce((sum, { free, owned }) => sum + free + owned, 0);
    if (held >= trial.unfinished.length) return 0;
    const missing = await this.#missing(trial.unfinished);
    const { unfinished } = trial;
    const again = missing.filter(({ lane }) => unfinished.includes(lane));
    if (again.length === 0 || trial !== this.#trial) return 0;
    // By then the locks of the previous owners have expired, so they have stopped.
    const fromMs = trial.t0 === undefined ? undefined : clock.now() + lockMs - trial.t0;
    await this.#stored?.put();
    await this.#put(again.map((task) => ({ ...task, ...(fromMs === undefined ? {} : { fromMs, lostBefore: 0 }) })));
    return again.length;
  }

  async #missing(unfinished: readonly number[]): Promise<readonly LaneTask[]> {
    const { broker, run } = this.#options;
    const missing: LaneTask[] = [];
    for (const zone of this.zones) {
      const own = this.#tasks.filter(({ lane }) => unfinished.includes(lane) && this.#zoneOf[lane] === zone);
      const gone = await broker.missing(NAMES.lanes(run, zone), own.map(laneId));
      missing.push(...own.filter((task) => gone.includes(laneId(task))));
    }
    return missing;
  }

  async #put(tasks: readonly LaneTask[]): Promise<void> {
    const { broker, signer, run } = this.#options;
    for (const zone of this.zones) {
      const own = tasks.filter(({ lane }) => this.#zoneOf[lane] === zone);
      const items = own.map((task) => ({ id: laneId(task), text: signer.sign(task) }));
      if (items.length > 0) await broker.put(NAMES.lanes(run, zone), items);
    }
    this.free = tasks.length;
  }
}

/** Assigns a zone to each lane in proportion to the weights, interleaved. */
function spreadZones(lanes: number, zones: Readonly<Record<string, number>> = { '': 1 }): readonly string[] {
  const names = Object.entries(zones);
  const total = names.reduce((sum, [, weight]) => sum + weight, 0);
  const owed = new Map(names.map(([name]) => [name, 0]));
  return Array.from({ length: lanes }, () => {
    for (const [name, weight] of names) owed.set(name, (owed.get(name) ?? 0) + weight / total);
    const [next] = [...owed].reduce((best, each) => (each[1] > best[1] ? each : best));
    owed.set(next, (owed.get(next) ?? 0) - 1);
    return next;
  });
}
