import type { EngineContext, RunningEngine } from '../engines/engine.ts';
import { dueMoments, scheduleDuration, seededRandom } from '../engines/schedule.ts';
import { Waker } from '../engines/waker.ts';
import { IterationEnd, mistakeText } from './blame.ts';
import { FlowRecorder } from './counts.ts';
import { readData } from './data-files.ts';
import { Exchanger } from './exchanger.ts';
import { usersAt } from './executors.ts';
import type { FlowCounts, FlowJob } from './job.ts';
import { loadFlow } from './load-flow.ts';
import { matcher } from './match.ts';
import { FlowSession } from './session.ts';
import type { SessionContext } from './session.ts';
import type { FlowScenario } from './types.ts';

/** More iterations at once are not started: they are dropped, and counted. */
const MOST_RUNNING = 5_000;
const WAKE_GAP_MS = 0.15;
const USERS_EVERY_MS = 50;
/** Iterations that have begun get at least this long after the end of the schedule. */
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
  readonly #waker = new Waker(() => this.#pump());
  #isFinished: () => void = () => {};
  #clock: NodeJS.Timeout | undefined;
  #nextDue: () => number = () => Infinity;
  #startAt = Infinity;
  #due = Infinity;
  /** Virtual users that run now, by their number. */
  readonly #users = new Set<number>();
  readonly #doneUsers = new Set<number>();
  #begun = 0;

  constructor(context: EngineContext, flow: FlowJob, scenario: FlowScenario) {
    const { job } = context;
    this.#context = context;
    this.#flow = flow;
    this.#scenario = scenario;
    this.#exchanger = new Exchanger(context, flow.maxRate);
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
    this.#clock = setInterval(() => this.#sweep(), USERS_EVERY_MS);
    return picker.given;
  }

  until(): void {
    // Flows run on one machine: no other owner takes them over.
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
      else void this.#iterate(this.#nextId() + 1, this.#due);
      this.#due = this.#startAt + this.#nextDue();
      now = performance.now();
    }
    if (this.#due !== Infinity && !this.#session.isOver) this.#waker.arm(Math.max(this.#due, now + WAKE_GAP_MS));
  }

  /** Numbers of all workers together are distinct. */
  #nextId(): number {
    const { picker, job } = this.#context;
    picker.skip();
    return (picker.given - 1) * job.share.count + job.share.index;
  }

  async #iterate(vu: number, dueAt: number): Promise<void> {
    const { picker, job } = this.#context;
    const iteration = (picker.given - 1) * job.share.count + job.share.index;
    this.#counts.running += 1;
    try {
      await this.#scenario.flow(new FlowSession(this.#session, vu, iteration, dueAt));
      this.#counts.completed(performance.now() - dueAt);
    } catch (error) {
      if (this.#session.isOver) this.#counts.interrupted += 1;
      else this.#counts.failed(error instanceof IterationEnd ? undefined : mistakeText(error, this.#flow.file));
    } finally {
      this.#counts.running -= 1;
    }
  }

  /** One virtual user: one iteration after the other, as long as it has a place. */
  async #user(number: number): Promise<void> {
    const { job } = this.#context;
    const { each, all } = this.#flow.users ?? { each: 0, all: 0 };
    for (let count = 0; count < each && this.#begun < all && this.#hasPlace(number); count += 1) {
      this.#begun += 1;
      this.#nextId();
      const dueAt = performance.now();
      await this.#iterate(number * job.share.count + job.share.index + 1, dueAt);
      // A flow that ends without waiting for anything must not starve the event loop.
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

  #lasts(): number {
    const { schedule, durationMs } = this.#context.job;
    return schedule ? scheduleDuration(schedule) : durationMs;
  }

  #sweep(): void {
    const now = performance.now();
    const { users } = this.#flow;
    const elapsed = now - this.#startAt;
    if (elapsed < 0) return;
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
    if ((noMore && this.#counts.running === 0) || drained) this.#end();
  }

  #end(): void {
    if (this.#session.isOver) return;
    this.#session.isOver = true;
    clearInterval(this.#clock);
    this.#exchanger.close();
    // Iterations that were waiting for an answer end before the last slice.
    setImmediate(() => void this.#waker.close().then(this.#isFinished));
  }
}

/** Loads the scenario of the job and prepares its run. */
export async function startFlow(context: EngineContext, flow: FlowJob): Promise<RunningEngine> {
  return new FlowRun(context, flow, await loadFlow(flow.file));
}
