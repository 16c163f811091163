import type { EngineContext, RunningEngine } from '../engines/engine.ts';
import { dueMoments, scheduleDuration, seededRandom } from '../engines/schedule.ts';
import { PreciseTimer } from '../engines/precise-timer.ts';
import { isThrownIn, IterationEnd, mistakeText, strayText } from './errors.ts';
import { FlowRecorder } from './recorder.ts';
import { readData } from './data-files.ts';
import { Exchanger } from './exchanger.ts';
import { usersAt } from './executors.ts';
import type { FlowCounts, FlowJob } from './job.ts';
import { loadFlow } from './load-flow.ts';
import { matcher } from './match-operation.ts';
import { FlowSession } from './session.ts';
import type { SessionContext } from './session.ts';
import type { FlowScenario } from './types.ts';

/** Maximum number of iterations at once: further ones are dropped, and counted. */
const MOST_RUNNING = 5_000;
/** Minimum pause between two wake-ups. */
const WAKE_GAP_MS = 0.15;
/** Interval at which virtual users are started and the end of the run is checked. */
const SWEEP_MS = 50;
/** Time for running iterations after the end of the schedule, at least. */
const DRAIN_MS = 5_000;

/** Runs the iterations of one worker. */
class FlowRun implements RunningEngine {
  readonly ready: Promise<number>;
  readonly finished: Promise<void>;
  readonly #context: EngineContext;
  readonly #flow: FlowJob;
  readonly #scenario: FlowScenario;
  readonly #session: SessionContext;
  readonly #counts = new FlowRecorder();
  readonly #exchanger: Exchanger;
  readonly #timer = new PreciseTimer(() => this.#pump());
  #isFinished: () => void = () => {};
  #clock: NodeJS.Timeout | undefined;
  #nextDue: () => number = () => Infinity;
  #startAt = Infinity;
  #due = Infinity;
  /** Numbers of the virtual users that are running. */
  readonly #users = new Set<number>();
  readonly #doneUsers = new Set<number>();
  #begun = 0;
  #isEnded = false;

  constructor(context: EngineContext, flow: FlowJob, scenario: FlowScenario) {
    const { job } = context;
    this.#context = context;
    this.#flow = flow;
    this.#scenario = scenario;
    this.#exchanger = new Exchanger(context, flow.maxRate, this.#counts);
    this.#session = {
      engine: context,
      flow,
      exchanger: this.#exchanger,
      counts: this.#counts,
      match: matcher(flow.operations),
      data: readData(scenario.data ?? {}, flow.file),
      random: seededRandom(job.seed + job.worker * 7919),
      token: flow.token,
      isOver: false,
    };
    process.on('unhandledRejection', (error) => this.#stray(error));
    process.on('uncaughtException', (error) => {
      if (!isThrownIn(error, flow.file)) throw error;
      this.#stray(error);
    });
    this.ready = this.#exchanger.ready;
    this.finished = new Promise((resolve) => (this.#isFinished = resolve));
  }

  go(startAt: number): number {
    const { job, picker } = this.#context;
    this.#startAt = startAt;
    if (job.schedule && this.#flow.users === undefined) {
      this.#nextDue = dueMoments(job.schedule, job.share, job.seed);
      this.#due = startAt + this.#nextDue();
      this.#pump();
    }
    this.#clock = setInterval(() => this.#sweep(), SWEEP_MS);
    return picker.given;
  }

  until(): void {
    // Flows run on one machine: they are never handed over.
  }

  cut(): void {
    this.#session.isOver = true;
    this.#counts.interrupt();
    this.#exchanger.giveUp();
  }

  stop(): void {
    this.#end();
  }

  replaceToken(_from: string, to: string): void {
    this.#session.token = to;
  }

  gauges(): { inFlight: number; backlog: number; connections: number; flow: FlowCounts } {
    const { inFlight, backlog, connections } = this.#exchanger;
    return { inFlight, backlog, connections, flow: this.#counts.take() };
  }

  /** Starts the iterations that are due. */
  #pump(): void {
    let now = performance.now();
    while (this.#due <= now && !this.#session.isOver) {
      if (this.#counts.running >= MOST_RUNNING) this.#counts.dropped += 1;
      else {
        const iteration = this.#nextIteration();
        void this.#iterate(iteration + 1, iteration, this.#due);
      }
      this.#due = this.#startAt + this.#nextDue();
      now = performance.now();
    }
    if (this.#due !== Infinity && !this.#session.isOver) this.#timer.arm(Math.max(this.#due, now + WAKE_GAP_MS));
  }

  /** The number of the next iteration, which no other worker has. */
  #nextIteration(): number {
    const { picker, job } = this.#context;
    picker.skip();
    return (picker.given - 1) * job.share.count + job.share.index;
  }

  /** Runs one iteration. One that is running at the end of the run is counted there, as interrupted. */
  async #iterate(vu: number, iteration: number, dueAt: number): Promise<void> {
    let mistake: string | undefined;
    let isCompleted = false;
    this.#counts.begun();
    try {
      await this.#scenario.flow(new FlowSession(this.#session, vu, iteration, dueAt));
      isCompleted = true;
    } catch (error) {
      mistake = error instanceof IterationEnd ? undefined : mistakeText(error, this.#flow.file);
    }
    if (this.#session.isOver) return;
    if (isCompleted) this.#counts.completed(performance.now() - dueAt);
    else this.#counts.failed(mistake);
  }

  /** Counts an error of the scenario that no iteration waited for. */
  #stray(error: unknown): void {
    if (!this.#session.isOver) this.#counts.mistake(strayText(error, this.#flow.file));
  }

  /** One virtual user: one iteration after the other, while the stages have a place for it. */
  async #user(number: number): Promise<void> {
    const { job } = this.#context;
    const { each, all } = this.#flow.users ?? { each: 0, all: 0 };
    for (let count = 0; count < each && this.#begun < all && this.#hasPlace(number); count += 1) {
      this.#begun += 1;
      const dueAt = performance.now();
      await this.#iterate(number * job.share.count + job.share.index + 1, this.#nextIteration(), dueAt);
      // A flow that waits for nothing must not block the event loop.
      if (performance.now() - dueAt < 1) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    this.#users.delete(number);
    if (Number.isFinite(each)) this.#doneUsers.add(number);
  }

  #hasPlace(number: number): boolean {
    const now = performance.now();
    if (this.#session.isOver) return false;
    return number < Math.floor(usersAt(this.#flow.users?.segments ?? [], now - this.#startAt));
  }

  /** Duration of the schedule in milliseconds. */
  #lasts(): number {
    const { schedule, durationMs } = this.#context.job;
    return schedule ? scheduleDuration(schedule) : durationMs;
  }

  #sweep(): void {
    const now = performance.now();
    const { users } = this.#flow;
    const elapsed = now - this.#startAt;
    if (elapsed < 0) return;
    if (this.#session.isOver) {
      if (this.#exchanger.inFlight === 0) this.#end();
      return;
    }
    const wanted = users ? Math.floor(usersAt(users.segments, elapsed)) : 0;
    for (let number = 0; number < wanted && this.#begun < (users?.all ?? 0); number += 1)
      if (!this.#users.has(number) && !this.#doneUsers.has(number)) {
        this.#users.add(number);
        void this.#user(number);
      }
    const lasts = this.#lasts();
    const areDone = users !== undefined && Number.isFinite(users.each) && this.#doneUsers.size >= wanted;
    const isSpent = areDone || (users !== undefined && this.#begun >= users.all);
    const noMore = elapsed >= lasts || isSpent || (users === undefined && this.#due === Infinity);
    const drained = elapsed > lasts + Math.min(this.#context.job.timeoutMs, Math.max(DRAIN_MS, lasts / 10));
    if (noMore && this.#counts.running === 0) this.#end();
    else if (drained) this.cut();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#session.isOver = true;
    this.#counts.interrupt();
    clearInterval(this.#clock);
    this.#exchanger.close();
    void this.#timer.close().then(this.#isFinished);
  }
}

/** Loads the scenario of the job and prepares its run. */
export async function startFlow(context: EngineContext, flow: FlowJob): Promise<RunningEngine> {
  return new FlowRun(context, flow, await loadFlow(flow.file));
}
