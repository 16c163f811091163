import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError, EXIT } from '../spec/index.ts';
import { BrokerClock } from './clock.ts';
import { SILENT_MS, Ticker } from './ticker.ts';
import { FleetTrial } from './fleet-trial.ts';
import type { TrialRequest, TrialResult } from './fleet-trial.ts';
import { LaneBoard } from './lane-board.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import { fromAgent, NAMES, namesOf } from './messages.ts';
import type { Call, Report, RunState } from './messages.ts';
import type { Broker } from './queue.ts';
import { failed, Roster, tooFew } from './roster.ts';
import { Signer } from './signature.ts';

/** What happens when an agent is lost: the run goes on with a mark, ends, or (load) is repeated once. */
export type OnLoss = 'mark' | 'stop' | 'repeat';

export interface ControllerOptions {
  readonly broker: Broker;
  readonly signer: Signer;
  readonly call: Omit<Call, 'sentAt'>;
  /** Agents to wait for, and how long. */
  readonly agents: number;
  readonly gatherMs: number;
  /** Share of the lanes of each zone; left out: one zone. */
  readonly zones?: Readonly<Record<string, number>>;
  readonly onLoss: OnLoss;
  readonly ledger: Ledger;
  /** Entries of an earlier controller of this run. */
  readonly history: readonly LedgerEntry[];
  readonly seed: number;
  readonly onNote: (text: string) => void;
  /** Somebody asked the run to stop. */
  readonly onStop: () => void;
  readonly signal: AbortSignal;
}

const POLL_MS = 50;
const CALL_MS = 1_000;
const GATHER_MS = 200;
const PREPARE_MS = 30_000;
const MOST_LANES = 64;
const MOST_NAMES = 5;
const LEAD_MS = 1_000;
/** Stopping and removing take this long at most: agents and broker may be gone. */
const ABORT_MS = 5_000;
const SETTLE_MS = 10_000;
/** Agents hear of the end before its topic is removed. */
const END_MS = 250;

/** Runs trials on the agents of a fleet. The broker carries, the ledger remembers. */
export class Controller {
  readonly roster = new Roster();
  readonly clock: BrokerClock;
  readonly #options: ControllerOptions;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #board: LaneBoard;
  readonly #ticker: Ticker;
  #trial: FleetTrial | undefined;
  #number = 0;
  #state: RunState = 'gather';
  #each = 1;
  #checking = false;
  #turning: NodeJS.Timeout | undefined;
  /** Reports that came before their trial ran here: of an earlier controller, or meant for it. */
  readonly #early: Report[] = [];
  #failure: Report['failure'];
  /** An agent was lost, and that ends the run. */
  #hasLost = false;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.clock = new BrokerClock(() => options.broker.time());
    const { broker, signer, call, zones } = options;
    const { run, lockMs } = call;
    this.#ticker = new Ticker({ broker, signer, run, clock: this.clock, roster: this.roster });
    this.#board = new LaneBoard({ broker, signer, run, lockMs, clock: this.clock, ...(zones && { zones }) });
  }

  get #run(): string {
    return this.#options.call.run;
  }

  /** Waits for the agents; an AssayError (exit code 3) where too few come. */
  async open(): Promise<void> {
    const { broker, history, call, ledger, seed } = this.#options;
    await this.clock.start();
    for (const entry of history) this.#remember(entry);
    const hear = (text: string): void => void this.#heard(text).catch(() => {});
    this.#closers.push(await broker.subscribe(NAMES.reports(this.#run), hear, 'start'));
    this.#closers.push(...(await this.#board.reclaim()));
    this.#closers.push(await broker.subscribe(NAMES.stop(this.#run), (text) => this.#asked(text)));
    if (history.length === 0)
      await ledger.append({ kind: 'run', run: this.#run, command: call.command, seed, startedAt: this.clock.now() });
    this.#timers.push(setInterval(() => void this.#call(), CALL_MS));
    await this.#gathered();
    this.#loop();
  }

  /** When the trial starts that runs now, by the broker's clock; 0 before that is known. */
  get startedAt(): number {
    return this.#trial?.t0 ?? 0;
  }

  /** Requests per second that the agents reach together. */
  get rate(): number {
    return this.roster.live.reduce((sum, { hello }) => sum + hello.ownRate, 0);
  }

  /** Runs the lanes of a trial; where an earlier controller has run it, tells what that one knew. */
  async trial(request: TrialRequest): Promise<TrialResult> {
    const { history, ledger } = this.#options;
    const number = (this.#number += 1);
    const trial = new FleetTrial(request);
    const earlier = this.#earlier(trial);
    for (const report of this.#early) trial.apply(report, number);
    const ended = history.find((entry) => entry.kind === 'ended' && entry.trial === number);
    if (ended?.kind === 'ended') {
      trial.stopped = ended.stopped;
      return trial.finish(ended.at);
    }
    this.#trial = trial;
    const agents = Math.max(1, Math.min(this.#options.agents, this.roster.live.length));
    this.#each = request.isQueue ? 1 : Math.ceil(request.lanes.length / agents);
    try {
      await this.#board.open(trial, number, !earlier);
      this.#state = earlier ? 'run' : 'prepare';
      if (!earlier) await this.#start(trial);
      await this.#finished(trial);
    } finally {
      this.#state = 'gather';
      this.#board.close();
      this.#trial = undefined;
    }
    const at = this.clock.now();
    trial.release(at);
    const result = trial.finish(at);
    await ledger.append({ kind: 'ended', trial: number, stopped: trial.stopped, at });
    if (this.#failure !== undefined) throw failed(this.#failure);
    return result;
  }

  /** Ends the run for its agents and removes its queues and topics. */
  async close(): Promise<void> {
    this.#state = 'end';
    clearTimeout(this.#turning);
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    for (let count = 0; count < 3; count += 1) await this.#tick();
    this.clock.stop();
    await Promise.allSettled(this.#closers.map((close) => close()));
    const { broker, ledger } = this.#options;
    await sleep(Math.max(END_MS, 2 * this.roster.tickDelayMs));
    const removed = namesOf(this.#run, this.#board.zones).map((name) => broker.remove(name));
    await Promise.race([Promise.allSettled(removed), sleep(ABORT_MS)]);
    await ledger.close();
  }

  #remember(entry: LedgerEntry): void {
    if (entry.kind === 'hello') this.roster.welcome(entry, this.clock.now());
    if (entry.kind !== 'report') return;
    this.roster.commit(entry);
    this.#early.push(entry);
  }

  /** Whether an earlier controller started this trial. */
  #earlier(trial: FleetTrial): boolean {
    const entry = this.#options.history.find((each) => each.kind === 'trial' && each.trial === this.#number);
    if (entry?.kind !== 'trial') return false;
    if (entry.lanes !== trial.jobs)
      throw new AssayError(`Trial ${this.#number} differs from that of the run that is to go on.`, {
        hint: 'Give the same options and the same --seed as before.',
        exitCode: EXIT.usage,
      });
    trial.t0 = entry.t0;
    return true;
  }

  /** Waits until every lane has an owner with connections, then sets the moment of the start. */
  async #start(trial: FleetTrial): Promise<void> {
    const until = this.clock.now() + PREPARE_MS;
    while (!trial.request.isQueue && !trial.isReady && !trial.request.signal.aborted && this.#failure === undefined) {
      if (this.clock.now() > until)
        throw new AssayError(
          `${trial.ready} of ${trial.request.lanes.length} lanes have an agent that is ready after ${PREPARE_MS / 1000} s.`,
          {
            hint: `The agents may send too little (--max-rate, or their machines): ${[...this.roster.members.keys()].join(', ')}.`,
            exitCode: EXIT.unreachable,
          },
        );
      await sleep(POLL_MS);
    }
    const lead = trial.request.isQueue ? 0 : Math.max(LEAD_MS, 4 * this.roster.tickDelayMs, 2 * this.#ticker.everyMs);
    const t0 = this.clock.now() + lead;
    await this.#options.ledger.append({ kind: 'trial', trial: this.#number, lanes: trial.jobs, t0 });
    trial.t0 = t0;
    this.#state = 'run';
    void this.#tick();
  }

  async #finished(trial: FleetTrial): Promise<void> {
    const { signal, limitMs = Infinity, durationMs, drainMs } = trial.request;
    const t0 = trial.t0 ?? this.clock.now();
    const hardEnd = Math.max(t0 + durationMs + drainMs + this.#options.call.lockMs, this.clock.now()) + SETTLE_MS;
    while (!trial.isDone && this.clock.now() < hardEnd && this.#failure === undefined) {
      if (signal.aborted || this.clock.now() > t0 + limitMs || this.#hasLost) {
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

  async #gathered(): Promise<void> {
    const { agents, gatherMs, signal, history } = this.#options;
    const until = this.clock.now() + gatherMs;
    while (this.roster.members.size < agents && history.length === 0 && !signal.aborted) {
      if (this.clock.now() > until) throw tooFew(this.roster, agents, gatherMs);
      void this.#call();
      await sleep(GATHER_MS);
    }
  }

  async #call(): Promise<void> {
    const { broker, signer, call } = this.#options;
    await broker.publish(NAMES.lobby, signer.sign({ ...call, sentAt: this.clock.now() })).catch(() => {});
  }

  #loop(): void {
    if (this.#state === 'end') return;
    this.#turning = setTimeout(() => void this.#turn().finally(() => this.#loop()), this.#ticker.everyMs);
  }

  async #turn(): Promise<void> {
    this.#trial?.release(this.clock.now());
    const lost = this.roster.newlyLost(this.clock.now() - this.#options.call.lockMs - SILENT_MS);
    if (this.#state === 'run' && lost.length > 0) {
      const names = lost.slice(0, MOST_NAMES).map(({ hello }) => hello.agent);
      const more = lost.length > MOST_NAMES ? ` and ${lost.length - MOST_NAMES} more` : '';
      this.#options.onNote(`lost: ${names.join(', ')}${more}`);
      this.#hasLost ||= this.#options.onLoss === 'stop';
    }
    if (!this.#checking) {
      this.#checking = true;
      void this.#check()
        .catch(() => {})
        .finally(() => (this.#checking = false));
    }
    await this.#tick();
  }

  #asked(text: string): void {
    const asked = this.#options.signer.open(text) as { readonly stop?: unknown } | undefined;
    if (asked?.stop === this.#run) this.#options.onStop();
  }

  async #check(): Promise<void> {
    if (this.#state === 'abort') return;
    const again = await this.#board.check();
    if (again > 0) this.#options.onNote(`the broker had lost ${again} lanes: put in again`);
  }

  #tick(): Promise<void> {
    const t0 = this.#trial?.t0;
    return this.#ticker.tick({
      state: this.#state,
      trial: this.#number,
      free: this.#board.free,
      each: this.#each,
      most: this.#trial?.request.isQueue ? 1 : MOST_LANES,
      ...(t0 === undefined ? {} : { t0 }),
    });
  }

  /** One message of an agent. It is on disk when this resolves; before that, the agent publishes it again. */
  async #heard(text: string): Promise<void> {
    const { signer, ledger, onNote } = this.#options;
    const message = fromAgent(signer.open(text));
    if (message === undefined || message.run !== this.#run) return;
    if (message.kind === 'hello') {
      await ledger.append(message);
      const isKnown = this.roster.members.has(message.agent);
      this.roster.welcome(message, this.clock.now());
      if (!isKnown && message.refusal !== undefined) onNote(`${message.refusal.reason} (${message.refusal.hint})`);
      return;
    }
    if (!this.roster.isNew(message)) return;
    await ledger.append(message, Signer.textOf(text));
    if (!this.roster.isNew(message)) return;
    this.roster.commit(message);
    this.#failure ??= message.failure;
    if (this.#trial === undefined) this.#early.push(message);
    this.#trial?.apply(message, this.#number);
    this.#trial?.release(this.clock.now());
  }
}
