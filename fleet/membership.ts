import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentOptions } from './agent.ts';
import { localNow } from './clock.ts';
import type { BrokerClock } from './clock.ts';
import { OwnedLane } from './owned-lane.ts';
import type { LaneEngine } from './lane-engine.ts';
import { asLane, asTick, NAMES } from './messages.ts';
import type { Announcement, LaneTask, Tick } from './messages.ts';
import { Outbox, REPORT_MS, untilReport } from './outbox.ts';
import type { Claim, Claimer } from './broker.ts';
import { readRequests } from './stored-requests.ts';

export interface MembershipOptions extends Pick<
  AgentOptions,
  'broker' | 'signer' | 'agent' | 'zone' | 'maxRate' | 'onNote'
> {
  readonly clock: BrokerClock;
  readonly announcement: Announcement;
  /** Requests per second that the agent reaches against a stub server. */
  readonly ownRate: number;
  readonly engine: LaneEngine;
}

/** An agent without a tick for this long stops sending. */
const STOP_SENDING_MS = 10_000;
/** An agent without a tick for this long leaves the run. */
const LEAVE_MS = 60_000;
/** A share of verify that was lost more often than this is not run again. */
const MAX_LOSSES = 2;
/** Above half of the rate that an agent reaches, its own queueing would show in the latencies. */
const TRUSTED_SHARE = 0.5;
/** When taking lanes over, an agent may send this multiple of the rate of its first lanes in any case. */
const TAKEOVER_FACTOR = 2;
/** No lane can send less, in requests per second. */
const LEAST_RATE = 1;
/** Time for the last reports to reach the controller's disk. */
const FINAL_REPORTS_MS = 15_000;

/** Takes part in one run: claims lanes, runs them, and reports to the controller. */
export class Membership {
  /** Resolves when this agent no longer takes part. */
  readonly ended: Promise<void>;
  readonly #options: MembershipOptions;
  readonly #outbox: Outbox;
  readonly #lanes = new Set<OwnedLane>();
  readonly #requests = new Map<string, Promise<string>>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #number = Math.floor(Math.random() * 1000);
  #reportTimer: NodeJS.Timeout | undefined;
  #claimer: Claimer | undefined;
  #unsubscribe: () => Promise<void> = () => Promise.resolve();
  #tick: Tick | undefined;
  #lastTickAt = localNow();
  #claiming = false;
  #leaving = false;
  #attempts = 0;
  /** Requests per second of the lanes that the agent claimed before the trial started. */
  #firstRate = 0;
  #resolveEnded: () => void = () => {};

  constructor(options: MembershipOptions) {
    const { broker, signer, clock, announcement, agent } = options;
    this.#options = options;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.#outbox = new Outbox({
      run: announcement.run,
      agent,
      now: () => clock.now(),
      boundMs: () => clock.boundMs,
      publish: (report) => broker.publish(NAMES.reports(announcement.run), signer.sign(report)),
    });
  }

  async join(): Promise<void> {
    const { broker, announcement, zone } = this.#options;
    const { run, zones, lockMs } = announcement;
    this.#claimer = await broker.claimer(NAMES.lanes(run, zones.length > 0 ? zone : ''), lockMs);
    this.#unsubscribe = await broker.subscribe(NAMES.ticks(run), (text) => this.#onTick(text));
    this.#timers.push(
      setInterval(() => void this.#renew(), lockMs / 5),
      setInterval(() => this.#watch(), REPORT_MS / 4),
    );
    this.#reportAgain();
  }

  #reportAgain(): void {
    const again = (): void => {
      this.#outbox.flush();
      this.#reportAgain();
    };
    // Timers may fire early: the next report is at least half a period away.
    const half = REPORT_MS / 2;
    this.#reportTimer = setTimeout(again, half + untilReport(this.#options.clock.now() + half, this.#number));
  }

  /** Hands its lanes over, and leaves once the controller has the last reports. */
  async leave(): Promise<void> {
    this.#leaving = true;
    const handovers = Promise.allSettled([...this.#lanes].map((lane) => lane.handOver()));
    // Without the broker no handover succeeds; after `lockMs` the locks have expired, and there is nothing to hand over.
    const isHandedOver = await Promise.race([
      handovers.then(() => true),
      sleep(this.#options.announcement.lockMs, false),
    ]);
    if (isHandedOver) await this.#sendFinalReports();
    await this.#end();
  }

  async #sendFinalReports(): Promise<void> {
    this.#outbox.flush();
    const until = localNow() + FINAL_REPORTS_MS;
    while (localNow() < until && [...this.#lanes].some((lane) => !this.#outbox.isCommitted(lane.lastReport)))
      await sleep(REPORT_MS / 10);
    this.#outbox.markLeaving();
    this.#outbox.flush();
    await sleep(REPORT_MS / 4);
  }

  #onTick(text: string): void {
    const { signer, announcement, clock } = this.#options;
    const tick = asTick(signer.verify(text));
    if (tick === undefined || tick.run !== announcement.run || tick.sentAt <= (this.#tick?.sentAt ?? 0)) return;
    if (tick.trial !== this.#tick?.trial) this.#firstRate = 0;
    this.#tick = tick;
    this.#lastTickAt = localNow();
    this.#outbox.recordTickDelay(clock.now() - tick.sentAt);
    this.#outbox.acknowledge(tick);
    if (tick.state === 'end') return void this.#end();
    for (const lane of this.#lanes) {
      const isOld = lane.task.trial < tick.trial || tick.state === 'abort';
      if (isOld && lane.active) lane.stop();
      if (this.#outbox.isCommitted(lane.lastReport)) {
        this.#lanes.delete(lane);
        void lane.complete();
      }
    }
    if (tick.t0 !== undefined) this.#go(tick, tick.t0);
    if (tick.free > 0 && (tick.state === 'prepare' || tick.state === 'run')) void this.#claim();
  }

  /** Starts the lanes of the trial; those without a rate of their own share what is left of the limit of this agent. */
  #go({ trial, boundMs }: Tick, t0: number): void {
    const active = [...this.#lanes].filter((lane) => lane.active && lane.task.trial === trial);
    const used = active.reduce((sum, { rate }) => sum + rate, 0);
    const share = (this.#options.maxRate - used) / active.filter(({ rate }) => rate === 0).length;
    for (const lane of active) lane.go(t0, boundMs, share);
  }

  async #renew(): Promise<void> {
    await Promise.allSettled([...this.#lanes].map((lane) => lane.renew()));
  }

  /** Stops sending if the controller is gone. */
  #watch(): void {
    const silentMs = localNow() - this.#lastTickAt;
    if (silentMs > STOP_SENDING_MS) {
      const sending = [...this.#lanes].filter(({ active }) => active);
      if (sending.length > 0)
        this.#options.onNote(`no message from the controller for ${STOP_SENDING_MS / 1000} s: sending stopped`);
      for (const lane of sending) void lane.drop().catch(() => {});
    }
    if (silentMs > LEAVE_MS) void this.#end();
  }

  #hasRoom(peakRate: number): boolean {
    const tick = this.#tick;
    const active = [...this.#lanes].filter((lane) => lane.active);
    const isTakeover = tick?.state === 'run';
    const most = (isTakeover ? tick.most : tick?.each) ?? 0;
    const rate = active.reduce((sum, lane) => sum + lane.rate, peakRate);
    const { maxRate, ownRate } = this.#options;
    const trusted = Math.max(ownRate * TRUSTED_SHARE, this.#firstRate * TAKEOVER_FACTOR);
    return active.length < most && rate <= maxRate && (!isTakeover || rate <= trusted);
  }

  async #claim(): Promise<void> {
    if (this.#claiming || this.#leaving) return;
    this.#claiming = true;
    try {
      while (this.#hasRoom(0) && !this.#leaving) {
        const claimedAt = localNow();
        const claim = await this.#claimer?.next();
        if (claim === undefined) return;
        if (!(await this.#take(claim, claimedAt))) return;
      }
    } catch {
      // The broker cannot be reached: the next tick tries again.
    } finally {
      this.#claiming = false;
    }
  }

  /** Runs a claimed task; false if it was returned to the queue because this agent has no room for it. */
  async #take(claim: Claim, claimedAt: number): Promise<boolean> {
    const { signer, announcement } = this.#options;
    const task = asLane(signer.verify(claim.text));
    const isCurrent = task?.run === announcement.run && task.trial >= (this.#tick?.trial ?? 0);
    if (!isCurrent) {
      await claim.complete();
      return true;
    }
    if (announcement.command === 'verify' && claim.lostBefore + (task.crashes ?? 0) > MAX_LOSSES) {
      const { trial, lane } = task;
      this.#outbox.event({ type: 'done', trial, lane, attempt: this.#nextAttempt() });
      await claim.complete();
      return true;
    }
    // The lanes that run share the limit of this agent: one without a rate of its own needs a part that is left.
    const needs = announcement.command !== 'verify' && this.#tick?.state === 'run' ? LEAST_RATE : 0;
    if (!this.#hasRoom(task.peakRate || needs)) {
      await claim.giveBack(claim.text);
      return false;
    }
    if (this.#tick?.state === 'prepare') this.#firstRate += task.peakRate;
    void this.#run(task, claim, claimedAt);
    return true;
  }

  #nextAttempt(): string {
    return `${this.#options.agent}/${(this.#attempts += 1)}`;
  }

  async #run(task: LaneTask, claim: Claim, claimedAt: number): Promise<void> {
    const { announcement, clock, signer, engine, broker } = this.#options;
    const attempt = this.#nextAttempt();
    const outbox = this.#outbox;
    const lane = new OwnedLane({ task, claim, attempt, claimedAt, lockMs: announcement.lockMs, clock, outbox, signer });
    this.#lanes.add(lane);
    const requests = this.#requests.get(task.requests) ?? readRequests(broker, signer, announcement.run, task.requests);
    this.#requests.set(task.requests, requests);
    requests.catch(() => this.#requests.delete(task.requests));
    try {
      await lane.start(engine, await requests, (failure) => outbox.fail(failure));
    } catch {
      this.#lanes.delete(lane);
    }
  }

  async #end(): Promise<void> {
    if (this.#timers.length === 0) return;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    clearTimeout(this.#reportTimer);
    for (const lane of this.#lanes) if (lane.active) lane.stop();
    await this.#unsubscribe();
    await this.#claimer?.close();
    this.#resolveEnded();
  }
}
