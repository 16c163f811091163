import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError, EXIT, usageError } from '../spec/index.ts';
import type { Broker } from './broker.ts';
import { BrokerClock } from './clock.ts';
import { FleetTrial } from './fleet-trial.ts';
import type { TrialRequest, TrialResult } from './fleet-trial.ts';
import { LaneQueues } from './lane-queues.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import { asAgentMessage, NAMES, namesOf } from './messages.ts';
import type { Announcement, Report, RunState } from './messages.ts';
import { Roster, tooFew } from './roster.ts';
import { Signer } from './signature.ts';
import { REPORT_OVERDUE_MS, Ticker } from './ticker.ts';

/** What happens when an agent is lost: the run continues and the gap is marked, the run ends, or (load) it is repeated once. */
export type OnLoss = 'mark' | 'stop' | 'repeat';

export interface ControllerOptions {
  readonly broker: Broker;
  readonly signer: Signer;
  readonly announcement: Omit<Announcement, 'sentAt'>;
  /** Number of agents to wait for, and the longest wait. */
  readonly agents: number;
  readonly gatherMs: number;
  /** Weight of each zone; without it there is one zone. */
  readonly zones?: Readonly<Record<string, number>>;
  readonly onLoss: OnLoss;
  readonly ledger: Ledger;
  /** Ledger entries of an earlier controller of this run, which this one resumes. */
  readonly history: readonly LedgerEntry[];
  readonly seed: number;
  readonly onNote: (text: string) => void;
  /** Called when a message requests that the run stop. */
  readonly onStop: () => void;
  readonly signal: AbortSignal;
}

const POLL_MS = 50;
const ANNOUNCE_MS = 1_000;
const GATHER_MS = 200;
const PREPARE_MS = 30_000;
const MAX_LANES_PER_AGENT = 64;
const MAX_NAMES = 5;
/** Least time between the choice of a trial's start and the start: every agent must receive it in a tick before. */
const LEAD_MS = 1_000;
/** Limit for stopping the agents, and for removing the queues: agents or broker may be gone. */
const ABORT_MS = 5_000;
const SETTLE_MS = 10_000;
/** Time for agents to receive the last tick before its topic is removed. */
const END_MS = 250;

/** Runs trials on the agents of a fleet. The broker only carries messages; the state of the run is in the ledger. */
export class Controller {
  readonly roster = new Roster();
  readonly clock: BrokerClock;
  readonly #options: ControllerOptions;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #lanes: LaneQueues;
  readonly #ticker: Ticker;
  #trial: FleetTrial | undefined;
  #trialNumber = 0;
  #state: RunState = 'gather';
  #checking = false;
  #loopTimer: NodeJS.Timeout | undefined;
  /** Reports received while no trial runs, including those in the ledger of an earlier controller. */
  readonly #earlyReports: Report[] = [];
  #failure: Report['failure'];
  /** An agent was lost, and `onLoss` is `stop`. */
  #stopsForLoss = false;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.clock = new BrokerClock(() => options.broker.time());
    const { broker, signer, announcement, zones, onNote } = options;
    const { run, lockMs } = announcement;
    this.#ticker = new Ticker({ broker, signer, run, clock: this.clock, roster: this.roster, onNote });
    this.#lanes = new LaneQueues({ broker, signer, run, lockMs, clock: this.clock, ...(zones && { zones }) });
  }

  get #run(): string {
    return this.#options.announcement.run;
  }

  /** Waits for the agents; throws an AssayError (exit code 3) if too few join. */
  async open(): Promise<void> {
    const { broker, history, announcement, ledger, seed } = this.#options;
    const { command } = announcement;
    await this.clock.start();
    for (const entry of history) this.#restore(entry);
    const receive = (text: string): void => void this.#onMessage(text).catch(() => {});
    this.#closers.push(await broker.subscribe(NAMES.reports(this.#run), receive, 'start'));
    this.#closers.push(...(await this.#lanes.reclaim()));
    this.#closers.push(await broker.subscribe(NAMES.stop(this.#run), (text) => this.#onStopRequest(text)));
    if (history.length === 0)
      await ledger.append({ kind: 'run', run: this.#run, command, seed, startedAt: this.clock.now() });
    this.#timers.push(setInterval(() => void this.#announce(), ANNOUNCE_MS));
    await this.#gather();
    this.#loop();
  }

  /** Start of the current trial (broker time); 0 if not known yet. */
  get startedAt(): number {
    return this.#trial?.t0 ?? 0;
  }

  /** Sum of the rates that the agents reach, in requests per second. */
  get rate(): number {
    return this.roster.live.reduce((sum, { hello }) => sum + hello.ownRate, 0);
  }

  /** Runs the lanes of a trial; a trial that an earlier controller has ended is read from the ledger instead. */
  async trial(request: TrialRequest): Promise<TrialResult> {
    const { history, ledger } = this.#options;
    const number = (this.#trialNumber += 1);
    const trial = new FleetTrial(request);
    const resumed = this.#resumes(trial);
    for (const report of this.#earlyReports) trial.apply(report, number);
    const ended = history.find((entry) => entry.kind === 'ended' && entry.trial === number);
    if (ended?.kind === 'ended') {
      trial.stopped = ended.stopped;
      return trial.finish(ended.at);
    }
    this.#trial = trial;
    try {
      await this.#lanes.open(trial, number, !resumed);
      this.#state = resumed ? 'run' : 'prepare';
      if (!resumed) await this.#start(trial);
      await this.#waitForEnd(trial);
    } finally {
      this.#state = 'gather';
      this.#lanes.close();
      this.#trial = undefined;
    }
    const at = this.clock.now();
    trial.release(at);
    const result = trial.finish(at);
    await ledger.append({ kind: 'ended', trial: number, stopped: trial.stopped, at });
    if (this.#failure !== undefined) throw new AssayError(this.#failure.message, this.#failure);
    return result;
  }

  /** Ends the run for its agents and removes its queues and topics. */
  async close(): Promise<void> {
    this.#state = 'end';
    clearTimeout(this.#loopTimer);
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    for (let count = 0; count < 3; count += 1) await this.#tick();
    this.clock.stop();
    await Promise.allSettled(this.#closers.map((close) => close()));
    const { broker, ledger } = this.#options;
    await sleep(Math.max(END_MS, 2 * this.roster.tickDelayMs));
    const removed = namesOf(this.#run, this.#lanes.zones).map((name) => broker.remove(name));
    await Promise.race([Promise.allSettled(removed), sleep(ABORT_MS)]);
    await ledger.close();
  }

  #restore(entry: LedgerEntry): void {
    if (entry.kind === 'hello') this.roster.add(entry, this.clock.now());
    if (entry.kind !== 'report') return;
    this.roster.commit(entry);
    this.#earlyReports.push(entry);
  }

  /** Whether an earlier controller started this trial. */
  #resumes(trial: FleetTrial): boolean {
    const entry = this.#options.history.find((each) => each.kind === 'trial' && each.trial === this.#trialNumber);
    if (entry?.kind !== 'trial') return false;
    if (entry.lanes !== trial.jobs)
      throw usageError(
        `Trial ${this.#trialNumber} differs from that of the run to resume.`,
        'Resume a run with the options and the --seed that it was started with.',
      );
    trial.t0 = entry.t0;
    return true;
  }

  /** Waits until every lane has a connected owner, then sets the start time. */
  async #start(trial: FleetTrial): Promise<void> {
    const until = this.clock.now() + PREPARE_MS;
    while (!trial.request.isQueue && !trial.isReady && !trial.request.signal.aborted && this.#failure === undefined) {
      if (this.clock.now() > until)
        throw new AssayError(`${trial.ready} lanes were ready to send within ${PREPARE_MS / 1000} s.`, {
          hint: `Add agents, or raise their --max-rate: ${[...this.roster.members.keys()].join(', ')}.`,
          exitCode: EXIT.unreachable,
        });
      await sleep(POLL_MS);
    }
    const lead = trial.request.isQueue ? 0 : Math.max(LEAD_MS, 4 * this.roster.tickDelayMs, 2 * this.#ticker.everyMs);
    const t0 = this.clock.now() + lead;
    await this.#options.ledger.append({ kind: 'trial', trial: this.#trialNumber, lanes: trial.jobs, t0 });
    trial.t0 = t0;
    this.#state = 'run';
    void this.#tick();
  }

  async #waitForEnd(trial: FleetTrial): Promise<void> {
    const { signal, limitMs = Infinity, durationMs, drainMs } = trial.request;
    const t0 = trial.t0 ?? this.clock.now();
    const { lockMs } = this.#options.announcement;
    const hardEnd = Math.max(t0 + durationMs + drainMs + lockMs, this.clock.now()) + SETTLE_MS;
    while (!trial.isDone && this.clock.now() < hardEnd && this.#failure === undefined) {
      if (signal.aborted || this.clock.now() > t0 + limitMs || this.#stopsForLoss) {
        trial.stopped = true;
        this.#state = 'abort';
        void this.#tick();
        const end = this.clock.now() + ABORT_MS;
        while (trial.isEnding(this.roster.live, this.clock.now() < end)) await sleep(POLL_MS);
        return;
      }
      await sleep(POLL_MS);
    }
  }

  async #gather(): Promise<void> {
    const { agents, gatherMs, signal, history } = this.#options;
    const until = this.clock.now() + gatherMs;
    while (this.roster.members.size < agents && history.length === 0 && !signal.aborted) {
      if (this.clock.now() > until) throw tooFew(this.roster, agents, gatherMs);
      void this.#announce();
      await sleep(GATHER_MS);
    }
  }

  async #announce(): Promise<void> {
    const { broker, signer, announcement } = this.#options;
    await broker.publish(NAMES.lobby, signer.sign({ ...announcement, sentAt: this.clock.now() })).catch(() => {});
  }

  #loop(): void {
    if (this.#state === 'end') return;
    this.#loopTimer = setTimeout(() => void this.#update().finally(() => this.#loop()), this.#ticker.everyMs);
  }

  async #update(): Promise<void> {
    this.#trial?.release(this.clock.now());
    const lost = this.roster.markLost(this.clock.now() - this.#options.announcement.lockMs - REPORT_OVERDUE_MS);
    if (lost.length > 0) {
      const names = lost.slice(0, MAX_NAMES).map(({ hello }) => hello.agent);
      const more = lost.length > MAX_NAMES ? ` and ${lost.length - MAX_NAMES} more` : '';
      this.#options.onNote(`lost: ${names.join(', ')}${more}`);
      this.#stopsForLoss ||= this.#state === 'run' && this.#options.onLoss === 'stop';
    }
    if (!this.#checking) {
      this.#checking = true;
      void this.#check()
        .catch(() => {})
        .finally(() => (this.#checking = false));
    }
    await this.#tick();
  }

  #onStopRequest(text: string): void {
    const message = this.#options.signer.verify(text) as { readonly stop?: unknown } | undefined;
    if (message?.stop === this.#run) this.#options.onStop();
  }

  async #check(): Promise<void> {
    if (this.#state === 'abort') return;
    const again = await this.#lanes.check();
    if (again > 0) this.#options.onNote(`the broker lost ${again} lanes; they were queued again`);
  }

  #tick(): Promise<void> {
    const t0 = this.#trial?.t0;
    return this.#ticker.tick({
      state: this.#state,
      trial: this.#trialNumber,
      free: this.#lanes.free,
      each: this.#trial?.lanesEach(Math.min(this.#options.agents, this.roster.live.length)) ?? 1,
      most: this.#trial?.request.isQueue ? 1 : MAX_LANES_PER_AGENT,
      ...(t0 === undefined ? {} : { t0 }),
    });
  }

  /** Handles a message of an agent. Resolves when it is on disk; until then the agent publishes it again. */
  async #onMessage(text: string): Promise<void> {
    const { signer, ledger, onNote } = this.#options;
    const message = asAgentMessage(signer.verify(text));
    if (message === undefined || message.run !== this.#run) return;
    if (message.kind === 'hello') {
      await ledger.append(message);
      const isKnown = this.roster.members.has(message.agent);
      this.roster.add(message, this.clock.now());
      if (!isKnown && message.refusal !== undefined) onNote(`${message.refusal.reason} (${message.refusal.hint})`);
      return;
    }
    if (!this.roster.isNew(message)) return;
    await ledger.append(message, Signer.textOf(text));
    if (!this.roster.isNew(message)) return;
    this.roster.commit(message);
    this.#failure ??= message.failure;
    if (this.#trial === undefined) this.#earlyReports.push(message);
    this.#trial?.apply(message, this.#trialNumber);
    this.#trial?.release(this.clock.now());
  }
}
