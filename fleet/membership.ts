import { setTimeout as sleep } from 'node:timers/promises';
import { localNow } from './clock.ts';
import type { BrokerClock } from './clock.ts';
import { HeldLane } from './held-lane.ts';
import type { LaneEngine } from './lane-engine.ts';
import { asLane, asTick, NAMES } from './messages.ts';
import type { Call, LaneTask, Tick } from './messages.ts';
import { Outbox } from './outbox.ts';
import type { Broker, Claim, Claimer } from './queue.ts';
import { readRequests } from './requests.ts';
import type { Signer } from './signature.ts';

export interface MembershipOptions {
  readonly broker: Broker;
  readonly signer: Signer;
  readonly clock: BrokerClock;
  readonly call: Call;
  readonly agent: string;
  readonly zone: string;
  readonly maxRate: number;
  /** Requests per second that the agent reaches against a stub. */
  readonly ownRate: number;
  readonly engine: LaneEngine;
  readonly onNote: (text: string) => void;
}

const REPORT_MS = 1_000;
/** Without a tick for so long an agent stops sending; after longer it leaves the run. */
const SILENT_MS = 10_000;
const LEAVE_MS = 60_000;
/** A share that was lost so often is not run again. */
const MOST_LOSSES = 2;
/** Above half of what it reaches, an agent's own queues would show in the latencies. */
const TRUSTED_SHARE = 0.5;
/** But it may take so many times what it was given at first. */
const MORE = 2;
/** Time for the last reports to reach the controller's disk. */
const LAST_WORDS_MS = 15_000;

/** An agent's part in one run. */
export class Membership {
  /** Resolves when the run is over for this agent. */
  readonly over: Promise<void>;
  readonly #options: MembershipOptions;
  readonly #outbox: Outbox;
  readonly #lanes = new Set<HeldLane>();
  readonly #requests = new Map<string, Promise<string>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #claimer: Claimer | undefined;
  #unsubscribe: () => Promise<void> = () => Promise.resolve();
  #tick: Tick | undefined;
  #heardAt = localNow();
  #claiming = false;
  #leaving = false;
  #attempts = 0;
  /** Requests per second of the lanes that it was given at first. */
  #firstRate = 0;
  #isOver: () => void = () => {};

  constructor(options: MembershipOptions) {
    const { broker, signer, clock, call, agent } = options;
    this.#options = options;
    this.over = new Promise((resolve) => (this.#isOver = resolve));
    this.#outbox = new Outbox({
      run: call.run,
      agent,
      now: () => clock.now(),
      boundMs: () => clock.boundMs,
      put: (report) => broker.publish(NAMES.reports(call.run), signer.sign(report)),
    });
  }

  async join(): Promise<void> {
    const { broker, call, zone } = this.#options;
    this.#claimer = await broker.claimer(NAMES.lanes(call.run, call.zones.length > 0 ? zone : ''), call.lockMs);
    this.#unsubscribe = await broker.subscribe(NAMES.ticks(call.run), (text) => this.#heard(text));
    this.#timers.push(
      setInterval(() => void this.#renew(), call.lockMs / 5),
      setInterval(() => this.#outbox.flush(), REPORT_MS),
      setInterval(() => this.#watch(), REPORT_MS / 4),
    );
  }

  /** Hands its lanes over and ends when that is known. */
  async leave(): Promise<void> {
    this.#leaving = true;
    const handed = Promise.allSettled([...this.#lanes].map((lane) => lane.handOver()));
    // Without the broker nothing can be handed over; when the locks have ended, nothing is left to hand over.
    const isHeard = await Promise.race([handed.then(() => true), sleep(this.#options.call.lockMs, false)]);
    if (isHeard) await this.#sayLast();
    await this.#end();
  }

  async #sayLast(): Promise<void> {
    this.#outbox.flush();
    const until = localNow() + LAST_WORDS_MS;
    while (localNow() < until && ([...this.#lanes].some(({ active }) => active) || !this.#outbox.isEmpty))
      await sleep(REPORT_MS / 10);
    this.#outbox.leaves();
    this.#outbox.flush();
    await sleep(REPORT_MS / 4);
  }

  #heard(text: string): void {
    const { signer, call, clock } = this.#options;
    const tick = asTick(signer.open(text));
    if (tick === undefined || tick.run !== call.run || tick.sentAt <= (this.#tick?.sentAt ?? 0)) return;
    if (tick.trial !== this.#tick?.trial) this.#firstRate = 0;
    this.#tick = tick;
    this.#heardAt = localNow();
    this.#outbox.tickTook(clock.now() - tick.sentAt);
    this.#outbox.committed(tick);
    if (tick.state === 'end') return void this.#end();
    for (const lane of this.#lanes) {
      const isOld = lane.task.trial < tick.trial || tick.state === 'abort';
      if (isOld && lane.active) lane.stop();
      if (lane.finished && this.#outbox.isEmpty) {
        this.#lanes.delete(lane);
        void lane.complete();
      } else if (tick.t0 !== undefined && lane.task.trial === tick.trial) lane.go(tick.t0, tick.boundMs);
    }
    if (tick.free > 0 && (tick.state === 'prepare' || tick.state === 'run')) void this.#claim();
  }

  async #renew(): Promise<void> {
    await Promise.allSettled([...this.#lanes].map((lane) => lane.renew()));
  }

  /** Nothing is sent for a controller that is gone. */
  #watch(): void {
    const silent = localNow() - this.#heardAt;
    if (silent > SILENT_MS) {
      const sending = [...this.#lanes].filter(({ active }) => active);
      if (sending.length > 0) this.#options.onNote('no word from the controller for 10 s: nothing more is sent');
      for (const lane of sending) void lane.drop().catch(() => {});
    }
    if (silent > LEAVE_MS) void this.#end();
  }

  #room(peakRate: number): boolean {
    const tick = this.#tick;
    const active = [...this.#lanes].filter((lane) => lane.active);
    const isTakeover = tick?.state === 'run';
    const most = (isTakeover ? tick.most : tick?.each) ?? 0;
    const rate = active.reduce((sum, { task }) => sum + task.peakRate, peakRate);
    const { maxRate, ownRate } = this.#options;
    const trusted = Math.max(ownRate * TRUSTED_SHARE, this.#firstRate * MORE);
    return active.length < most && rate <= maxRate && (!isTakeover || rate <= trusted);
  }

  async #claim(): Promise<void> {
    if (this.#claiming || this.#leaving) return;
    this.#claiming = true;
    try {
      while (this.#room(0) && !this.#leaving) {
        const claimedAt = localNow();
        const claim = await this.#claimer?.next();
        if (claim === undefined) return;
        if (!(await this.#take(claim, claimedAt))) return;
      }
    } catch {
      // The broker is away: the next tick tries again.
    } finally {
      this.#claiming = false;
    }
  }

  /** False where another agent should have it. */
  async #take(claim: Claim, claimedAt: number): Promise<boolean> {
    const { signer, call } = this.#options;
    const task = asLane(signer.open(claim.text));
    const isHopeless = call.command === 'verify' && claim.lostBefore > MOST_LOSSES;
    if (isHopeless || task === undefined || task.run !== call.run || task.trial < (this.#tick?.trial ?? 0)) {
      await claim.complete();
      return true;
    }
    if (!this.#room(task.peakRate)) {
      await claim.giveBack(claim.text);
      return false;
    }
    if (this.#tick?.state === 'prepare') this.#firstRate += task.peakRate;
    void this.#hold(task, claim, claimedAt);
    return true;
  }

  async #hold(task: LaneTask, claim: Claim, claimedAt: number): Promise<void> {
    const { agent, call, clock, signer, engine, broker } = this.#options;
    const attempt = `${agent}/${(this.#attempts += 1)}`;
    const outbox = this.#outbox;
    const lane = new HeldLane({ task, claim, attempt, claimedAt, lockMs: call.lockMs, clock, outbox, signer });
    this.#lanes.add(lane);
    const known = this.#requests.get(task.requests) ?? readRequests(broker, signer, call.run, task.requests);
    this.#requests.set(task.requests, known);
    known.catch(() => this.#requests.delete(task.requests));
    try {
      await lane.start(engine, await known, { onFailure: (failure) => outbox.fail(failure) });
    } catch {
      this.#lanes.delete(lane);
    }
  }

  async #end(): Promise<void> {
    if (this.#timers.length === 0) return;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    for (const lane of this.#lanes) if (lane.active) lane.stop();
    await this.#unsubscribe();
    await this.#claimer?.close();
    this.#isOver();
  }
}
