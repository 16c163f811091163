import { localNow } from './clock.ts';
import type { BrokerClock } from './clock.ts';
import type { LaneEngine, RunningLane } from './lane-engine.ts';
import type { LaneEvent, LaneTask } from './messages.ts';
import type { Outbox } from './outbox.ts';
import type { Claim } from './queue.ts';
import type { Signer } from './signature.ts';

export interface HeldLaneOptions {
  readonly task: LaneTask;
  readonly claim: Claim;
  readonly attempt: string;
  /** By {@link localNow}: when the claim was asked for. */
  readonly claimedAt: number;
  readonly lockMs: number;
  readonly clock: BrokerClock;
  readonly outbox: Outbox;
  readonly signer: Signer;
}

/** A new owner starts this much later than the clocks could be wrong by. */
const MARGIN_MS = 20;
/** A lane that is handed over changes its owner so much later. */
const BOUNDARY_MS = 1_500;

/** A lane that this agent owns: its lock, its fence, and the engine that sends it. */
export class HeldLane {
  readonly task: LaneTask;
  /** Sends, or will. */
  active = true;
  /** Everything was said; the task may leave the queue when that is on the controller's disk. */
  finished = false;
  readonly #options: HeldLaneOptions;
  readonly #memory = new SharedArrayBuffer(8);
  readonly #lease = new Float64Array(this.#memory);
  #running: RunningLane | undefined;
  #t0: number | undefined;
  #started = false;
  #owned = true;
  #claimedMoment: number;

  constructor(options: HeldLaneOptions) {
    this.#options = options;
    this.task = options.task;
    this.#lease[0] = options.claimedAt + options.lockMs;
    this.#claimedMoment = options.clock.now();
  }

  async start(
    engine: LaneEngine,
    requests: string,
    rest: Pick<Parameters<LaneEngine['start']>[0], 'onFailure'>,
  ): Promise<void> {
    const { outbox, attempt } = this.#options;
    const { trial, lane, job } = this.task;
    try {
      const running = await engine.start({
        ...rest,
        job,
        requests,
        lease: this.#memory,
        onSlice: (slice) => outbox.slice({ ...slice, trial, lane, attempt }),
        onResult: (value) => outbox.result({ trial, value }),
      });
      this.#running = running;
      if (!this.active) running.stop();
      void running.ready.then((connected) => this.#tell({ type: 'ready', connected }));
      await running.done;
      this.#end('done');
    } catch {
      // The sender crashed: somebody else takes the lane at once.
      await this.#giveBack().catch(() => {});
      this.#end('lost');
    }
  }

  /** The trial starts at this moment of the broker's clock. */
  go(t0: number, boundMs: number): void {
    if (this.#started || this.#running === undefined) return;
    this.#started = true;
    this.#t0 = t0;
    this.#running.go(this.#options.clock.toLocal(t0), this.#fromMs(t0, boundMs));
  }

  /** Keeps the lock, and puts the fence off on success. */
  async renew(): Promise<void> {
    if (!this.#owned) return;
    const { claim, lockMs } = this.#options;
    const askedAt = localNow();
    if (await claim.extend(lockMs)) {
      if (this.#owned) this.#lease[0] = Math.max(this.#lease[0] as number, askedAt + lockMs);
    } else if (this.#owned && !this.finished) {
      this.#owned = false;
      this.#lease[0] = 0;
      this.#running?.until(0);
      this.#tell({ type: 'lost' });
    }
  }

  /** Ends at once. */
  stop(): void {
    this.active = false;
    this.#lease[0] = 0;
    this.#running?.stop();
  }

  /** Leaves the lane to others: this agent sends up to a moment soon, another one from there on. */
  async handOver(): Promise<void> {
    if (!this.#owned || !this.active) return;
    await this.renew();
    if (this.#t0 === undefined) {
      await this.#giveBack();
      this.stop();
      return;
    }
    const { clock, lockMs } = this.#options;
    const boundary = Math.ceil(clock.now() - this.#t0 + Math.min(BOUNDARY_MS, lockMs * 0.7));
    this.#running?.until(boundary);
    await this.#giveBack(boundary);
    this.#tell({ type: 'released' });
  }

  /** Sends nothing more, and leaves the lane to whoever comes. */
  async drop(): Promise<void> {
    this.active = false;
    this.#lease[0] = 0;
    this.#running?.until(0);
    await this.#giveBack();
  }

  /** Takes the task out of the queue. */
  async complete(): Promise<void> {
    if (this.#owned) await this.#options.claim.complete().catch(() => {});
    this.#owned = false;
  }

  #fromMs(t0: number, boundMs: number): number {
    const { claim, clock } = this.#options;
    const { fromMs, lostBefore = 0 } = this.task;
    if (fromMs !== undefined && claim.lostBefore === lostBefore) return fromMs;
    if (claim.lostBefore === 0) return 0;
    return Math.max(0, this.#claimedMoment - t0 + clock.boundMs + boundMs + MARGIN_MS);
  }

  async #giveBack(fromMs?: number): Promise<void> {
    if (!this.#owned) return;
    this.#owned = false;
    const { claim, signer, clock } = this.#options;
    const now = this.#t0 === undefined ? undefined : clock.now() - this.#t0 + MARGIN_MS;
    const from = fromMs ?? now;
    const task = { ...this.task, ...(from === undefined ? {} : { fromMs: from, lostBefore: claim.lostBefore }) };
    await claim.giveBack(signer.sign(task));
  }

  #end(type: 'done' | 'lost'): void {
    this.active = false;
    this.finished = true;
    this.#tell({ type: this.#owned || type === 'lost' ? type : 'lost' });
  }

  #tell(event: Pick<LaneEvent, 'type' | 'connected'>): void {
    const { outbox, attempt } = this.#options;
    outbox.event({ ...event, trial: this.task.trial, lane: this.task.lane, attempt });
  }
}
