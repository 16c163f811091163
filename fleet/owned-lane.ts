import { localNow } from './clock.ts';
import type { BrokerClock } from './clock.ts';
import type { LaneEngine, LaneStart, RunningLane } from './lane-engine.ts';
import type { LaneEvent, LaneTask } from './messages.ts';
import type { Outbox } from './outbox.ts';
import type { Claim } from './broker.ts';
import type { Signer } from './signature.ts';

export interface OwnedLaneOptions {
  readonly task: LaneTask;
  readonly claim: Claim;
  readonly attempt: string;
  /** Local time ({@link localNow}) when the claim was requested. */
  readonly claimedAt: number;
  readonly lockMs: number;
  readonly clock: BrokerClock;
  readonly outbox: Outbox;
  readonly signer: Signer;
}

/** Safety margin between two owners, in addition to the error bounds of both clocks. */
const MARGIN_MS = 20;
/** Time from the decision to hand over a lane until its owner changes. */
const HANDOVER_MS = 1_500;

/** A lane that this agent owns: its lock, and the engine that sends it until the lock expires at the latest. */
export class OwnedLane {
  readonly task: LaneTask;
  /** What it takes of the agent's limit, in requests per second. */
  rate: number;
  /** The lane sends, or will send. */
  active = true;
  /** The report of its end, after which the task may leave the queue once it is on the controller's disk; Infinity before. */
  lastReport = Infinity;
  readonly #options: OwnedLaneOptions;
  readonly #memory = new SharedArrayBuffer(8);
  readonly #lease = new Float64Array(this.#memory);
  #running: RunningLane | undefined;
  #t0: number | undefined;
  #started = false;
  #isOwned = true;
  #claimedAt: number;

  constructor(options: OwnedLaneOptions) {
    this.#options = options;
    this.task = options.task;
    this.rate = options.task.peakRate;
    this.#lease[0] = options.claimedAt + options.lockMs;
    this.#claimedAt = options.clock.now();
  }

  async start(engine: LaneEngine, requests: string, onFailure: LaneStart['onFailure']): Promise<void> {
    const { outbox, attempt } = this.#options;
    const { trial, lane, job } = this.task;
    try {
      const running = await engine.start({
        onFailure,
        job,
        requests,
        lease: this.#memory,
        onSlice: (slice) => outbox.slice({ ...slice, trial, lane, attempt }),
        onResult: (value) => outbox.result({ trial, value }),
      });
      this.#running = running;
      if (!this.active) running.stop();
      void running.ready.then((connected) => this.#report({ type: 'ready', connected }));
      await running.done;
      this.#end('done');
    } catch {
      // The engine crashed: another agent can take the lane at once.
      await this.#giveBack({ crashes: (this.task.crashes ?? 0) + 1 }).catch(() => {});
      this.#end('lost');
    }
  }

  /** Starts the schedule at `t0` (broker time). @param maxRate of a lane without a rate of its own */
  go(t0: number, boundMs: number, maxRate: number): void {
    if (this.#started || this.#running === undefined) return;
    this.#started = true;
    this.#t0 = t0;
    const limit = this.rate > 0 ? Infinity : maxRate;
    if (limit < Infinity) this.rate = limit;
    this.#running.go(this.#options.clock.toLocal(t0), this.#fromMs(t0, boundMs), limit);
  }

  /** Renews the lock; if that succeeds, the engine may send until the new end of the lock. */
  async renew(): Promise<void> {
    if (!this.#isOwned) return;
    const { claim, lockMs } = this.#options;
    const requestedAt = localNow();
    if (await claim.extend(lockMs)) {
      if (this.#isOwned) this.#lease[0] = Math.max(this.#lease[0] as number, requestedAt + lockMs);
    } else if (this.#isOwned && this.lastReport === Infinity) {
      this.#isOwned = false;
      this.#lease[0] = 0;
      this.#running?.until(0);
      this.#report({ type: 'lost' });
    }
  }

  /** Stops sending at once and keeps the lane. */
  stop(): void {
    this.active = false;
    this.#lease[0] = 0;
    this.#running?.stop();
  }

  /** Hands the lane over: this agent sends up to a boundary in the schedule, the next owner from there. */
  async handOver(): Promise<void> {
    if (!this.#isOwned || !this.active) return;
    await this.renew();
    if (this.#t0 === undefined) {
      await this.#giveBack();
      this.stop();
      return;
    }
    const { clock, lockMs } = this.#options;
    const boundary = Math.ceil(clock.now() - this.#t0 + Math.min(HANDOVER_MS, lockMs * 0.7));
    this.#running?.until(boundary);
    await this.#giveBack({ fromMs: boundary });
    this.#report({ type: 'released' });
  }

  /** Stops sending at once and returns the lane to the queue. */
  async drop(): Promise<void> {
    this.active = false;
    this.#lease[0] = 0;
    this.#running?.until(0);
    await this.#giveBack();
  }

  /** Removes the task from the queue. */
  async complete(): Promise<void> {
    if (this.#isOwned) await this.#options.claim.complete().catch(() => {});
    this.#isOwned = false;
  }

  #fromMs(t0: number, boundMs: number): number {
    const { claim, clock } = this.#options;
    const { fromMs, lostBefore = 0 } = this.task;
    if (fromMs !== undefined && claim.lostBefore === lostBefore) return fromMs;
    if (claim.lostBefore === 0) return 0;
    return Math.max(0, this.#claimedAt - t0 + clock.boundMs + boundMs + MARGIN_MS);
  }

  async #giveBack({ fromMs, crashes = this.task.crashes }: Pick<LaneTask, 'fromMs' | 'crashes'> = {}): Promise<void> {
    if (!this.#isOwned) return;
    this.#isOwned = false;
    const { claim, signer, clock } = this.#options;
    const now = this.#t0 === undefined ? undefined : clock.now() - this.#t0 + MARGIN_MS;
    const from = fromMs ?? now;
    const next = from === undefined ? {} : { fromMs: from, lostBefore: claim.lostBefore };
    const task: LaneTask = { ...this.task, ...next, ...(crashes === undefined ? {} : { crashes }) };
    await claim.giveBack(signer.sign(task));
  }

  #end(type: 'done' | 'lost'): void {
    this.active = false;
    this.lastReport = this.#report({ type: this.#isOwned || type === 'lost' ? type : 'lost' });
  }

  #report(event: Pick<LaneEvent, 'type' | 'connected'>): number {
    const { outbox, attempt } = this.#options;
    return outbox.event({ ...event, trial: this.task.trial, lane: this.task.lane, attempt });
  }
}
