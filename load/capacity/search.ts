import { setTimeout as sleep } from 'node:timers/promises';
import type { RunRecord } from '../../spec/index.ts';
import type { Sample } from '../engines/messages.ts';
import type { Schedule } from '../engines/schedule.ts';
import { findScenario } from '../find-scenario.ts';
import { Judging } from '../judging.ts';
import { engineSettingsOf } from '../plan.ts';
import type { EngineSettings } from '../plan.ts';
import type { Measurement, SliceView } from '../measurement.ts';
import { liveOf } from '../live.ts';
import type { CommonOptions } from '../options.ts';
import { checkOperations, forbidden, nothingAllowed, prepareScenario, remoteOf } from '../prepare.ts';
import type { ReadyScenario } from '../prepare.ts';
import type { Scenario } from '../scenarios/index.ts';
import { recordStream } from '../record-stream.ts';
import { checkParts } from '../thresholds.ts';
import type { Threshold } from '../thresholds.ts';
import { measureThroughput, sentBy } from '../throughput.ts';
import type { Throughput } from '../throughput.ts';
import { Budget } from './budget.ts';
import { calibrate } from './calibrate.ts';
import { FLOOR, guessFrom, KneeSearch } from './knee-search.ts';
import type { NextStep } from './knee-search.ts';
import { regardlessText } from './regardless.ts';
import { searchError } from './silence.ts';
import { lengthOf, WARMUP_MS } from './step-length.ts';
import { stepThresholds } from './step-thresholds.ts';
import { periodOf, stallsOf } from './stalls.ts';
import type { Stall } from './stalls.ts';
import type { Trial } from '../trial.ts';
import { capacityRecords, stepRecord } from './record.ts';
import type { SearchResult, TakenStep } from './record.ts';
import { awaitRecovery, isFragile, isStuck } from './recovery.ts';
import type { Recovery } from './recovery.ts';
import { hasGap, runStep } from './step.ts';
import type { CapacityStep } from './step.ts';

export interface CapacityOptions extends CommonOptions {
  readonly scenario: string | Scenario;
  /** Time for set-up, search and removal in milliseconds (80,000); limited by `maxDurationMs`. */
  readonly budgetMs?: number;
  /** Minimum duration of a step after its warm-up (3,000, or less with a short budget); confirmations take two and a half times as long. */
  readonly stepMs?: number;
}

/** Above this share of its maximum rate, queues of the generator would affect the latencies. */
const TRUSTED_SHARE = 0.5;
const STEP_MS = 3000;
const SHORTEST_STEP_MS = 500;
/** A search of a few steps with its confirmations takes as long as this many steps. */
const STEPS_OF_SEARCH = 15;
/** Duration of the throughput phase where everything that the requests create must be removed. */
const SHORT_MS = 1000;
/** Number of times that a step limited by the generator is repeated. */
const MOST_DOUBTS = 2;
/** Duration of two confirmations that succeed and one that fails, in steps. */
const CONFIRMING_STEPS = 9;
/** The same without a failure. */
const RESERVED_STEPS = 6;
/** Pause between two steps, and its longest extension for a queue of the target. */
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

/** Number of times that a step with a stall of unknown period is repeated, and the duration in which the period shows. */
const MOST_LOOKS = 2;
const LOOK_MS = 10_000;

class Search {
  readonly #options: CapacityOptions;
  readonly #ready: ReadyScenario;
  readonly #thresholds: readonly Threshold[];
  readonly #settings: EngineSettings;
  readonly #signal: AbortSignal;
  readonly #judging: Judging | undefined;
  readonly #taken: TakenStep[] = [];
  readonly #stalls: Stall[] = [];
  readonly #trials: Trial[] = [];
  readonly #recoveries: Recovery[] = [];
  /** Number of steps that failed with a stall of unknown period. */
  #looks = 0;
  readonly #budget: Budget;
  readonly #stepMs: number;
  #error: unknown;
  /** The next id: every body of a search is unique. */
  #nextId = 0;

  constructor(options: CapacityOptions, ready: ReadyScenario, thresholds: readonly Threshold[], startedAt: number) {
    this.#options = options;
    this.#ready = ready;
    this.#thresholds = thresholds;
    this.#settings = engineSettingsOf(options);
    const budget = Math.min(options.budgetMs ?? 80_000, options.maxDurationMs ?? Infinity);
    this.#stepMs = options.stepMs ?? Math.min(STEP_MS, Math.max(SHORTEST_STEP_MS, budget / STEPS_OF_SEARCH));
    this.#budget = new Budget(budget, startedAt, ready);
    const limit = AbortSignal.timeout(Math.ceil(this.#budget.leftMs));
    this.#signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    const { target, judge, contract } = options;
    this.#judging = judge && new Judging({ requests: ready.prepared.requests, target, judge, contract });
  }

  async run(): Promise<SearchResult> {
    const generatorRate =
      this.#options.senders?.rate ??
      (await calibrate(this.#ready.traffic, this.#settings, WARMUP_MS + this.#stepMs / 2, this.#signal));
    const ceiling = Math.min(generatorRate * TRUSTED_SHARE, this.#options.maxRate ?? Infinity);
    const throughput = await this.#throughput();
    const knee = new KneeSearch({ ...guessFrom(throughput, ceiling), floor: FLOOR, ceiling });
    let doubts = 0;
    for (
      let next = knee.next();
      next && !this.#signal.aborted && this.#error === undefined;
      next = knee.next(this.#hurries(knee.low))
    ) {
      const durationMs = this.#length(next);
      const [seen, wasRegular] = [this.#stalls.length, periodOf(this.#stalls) !== undefined];
      if (this.#budget.withRemoval(durationMs, next.rate) > this.#budget.leftMs) break;
      const step = await this.#step(next);
      this.#note(step.trial);
      this.#error = step.trial.lost;
      if (this.#signal.aborted || this.#error !== undefined) break;
      this.#taken.push({ ...next, step });
      this.#error = searchError(this.#trials, this.#ready.scenario);
      if (this.#error !== undefined) break;
      const isStalled = !step.held && !wasRegular && this.#stalls.length > seen && step.limit !== 'generator';
      const isRepeated =
        (isStalled && (this.#looks += 1) <= MOST_LOOKS) || (step.limit === 'generator' && (doubts += 1) <= MOST_DOUBTS);
      if (isRepeated) {
        await this.#pause(step);
        continue;
      }
      if (step.limit === 'generator' && (next.kind === 'confirm' || hasGap(step.trial))) break;
      doubts = 0;
      knee.hasLongSteps = wasRegular;
      // With stalls, only whole periods tell the capacity.
      const isMisleading = this.#stalls.length > 0 && !wasRegular;
      knee.tell(next, {
        rate: step.trial.measurement.steady.rate,
        held: step.held,
        saturated: (step.saturated && !isMisleading) || step.refuses === true,
        refuses: step.refuses === true,
      });
      await this.#pause(step);
      if (isStuck(this.#recoveries) || regardlessText(this.#taken) !== undefined) break;
      knee.isFragile = isFragile(this.#taken, this.#recoveries, throughput?.phase);
    }
    return {
      knee,
      taken: this.#taken,
      stalls: this.#stalls,
      recoveries: this.#recoveries,
      generatorRate,
      ceiling,
      error: this.#error,
      timeUp: knee.next() !== undefined && regardlessText(this.#taken) === undefined,
      removingMs: this.#budget.removingMs,
      throughput: this.#options.signal?.aborted && this.#taken.length === 0 ? undefined : throughput?.phase,
      sent: sentBy([...this.#trials, ...this.#recoveries.flatMap(({ trials }) => trials)], throughput),
      judging: this.#judging,
    };
  }

  /** True if little more time is left than confirming a rate takes. */
  #hurries(rate: number): boolean {
    return this.#budget.leftMs < this.#budget.withRemoval(CONFIRMING_STEPS * this.#stepMs, rate);
  }

  /** The first guess: the throughput of the target when every connection is busy. */
  async #throughput(): Promise<Throughput | undefined> {
    const { target, maxRate, onLive } = this.#options;
    if (maxRate !== undefined && maxRate < 1) return undefined;
    const throughput = await measureThroughput({
      ready: this.#ready,
      target,
      settings: this.#settings,
      durationMs: this.#ready.prepared.removeSent ? SHORT_MS : WARMUP_MS + this.#stepMs * 0.75,
      maxRate,
      signal: this.#signal,
      remote: remoteOf(this.#options, this.#ready, this.#judging),
      onSamples: this.#onSamples,
      onLive: onLive && ((state) => onLive({ ...state, leftMs: this.#budget.leftMs, steps: [] })),
    });
    this.#note(throughput.trial);
    await this.#remove();
    await sleep(PAUSE_MS);
    return throughput;
  }

  #length(next: NextStep): number {
    const periodMs = periodOf(this.#stalls);
    const isLooking = periodMs === undefined && this.#looks > 0 && this.#looks <= MOST_LOOKS;
    const wanted = lengthOf(next, isLooking ? Math.max(this.#stepMs, LOOK_MS) : this.#stepMs, periodMs);
    // A shorter step tells more than none.
    return periodMs === undefined && this.#budget.leftMs < wanted ? lengthOf(next, this.#stepMs, undefined) : wanted;
  }

  #note(trial: Trial): void {
    this.#trials.push(trial);
    this.#stalls.push(...stallsOf(trial.measurement.views, trial.startedAt));
    this.#nextId = Math.max(this.#nextId, ...trial.nextIds);
  }

  readonly #onSamples = async (samples: readonly Sample[]): Promise<void> => this.#judging?.add(samples);

  #step(next: NextStep): Promise<CapacityStep> {
    const periodMs = periodOf(this.#stalls);
    const durationMs = this.#length(next);
    const { rate } = next;
    const before = this.#judging?.violating ?? 0;
    const schedule = { arrivals: 'even', segments: [{ durationMs, from: rate, to: rate }] } as const;
    const stage = `${next.kind} ${this.#taken.length + 1} at ${Math.round(rate)}/s`;
    return runStep({
      periodMs,
      target: this.#options.target,
      traffic: this.#ready.traffic,
      settings: this.#settings,
      thresholds: this.#thresholds,
      rate,
      durationMs,
      warmupMs: WARMUP_MS,
      signal: this.#signal,
      firstId: this.#nextId,
      remote: remoteOf(this.#options, this.#ready, this.#judging),
      violations: () => (this.#judging?.violating ?? 0) - before,
      onSamples: this.#onSamples,
      onSlice: (view, measurement) => this.#live(stage, durationMs, view, measurement, schedule),
    });
  }

  /** Shows the figures of a step, without those of the time in which it only waits for the last responses. */
  #live(stage: string, durationMs: number, view: SliceView, measurement: Measurement, schedule: Schedule): void {
    if (view.draining) return;
    const state = liveOf({ scenario: this.#ready.scenario.name, stage, view, measurement, durationMs, schedule });
    this.#options.onLive?.({ ...state, leftMs: this.#budget.leftMs, steps: this.#taken.map(stepRecord) });
  }

  /** An error of the removal ends the search, which keeps its figures. */
  async #remove(): Promise<void> {
    if (this.#signal.aborted) return;
    await this.#budget.remove(this.#ready, this.#options).catch((error: unknown) => (this.#error = error));
  }

  /** Waits until the target has cleared its queue, so that a step does not affect the next one. */
  async #pause(step: CapacityStep): Promise<void> {
    await this.#remove();
    const { rate } = step.trial.measurement.steady;
    const owed = step.held ? 0 : (step.leftOver / Math.max(1, rate)) * 1000;
    await sleep(PAUSE_MS + Math.min(LONGEST_PAUSE_MS, owed), undefined, { signal: this.#signal }).catch(() => {});
    if (step.saturated && step.refuses !== true) await this.#recover();
  }

  /** Waits until the target answers as before; leaves the time that a confirmation takes. */
  async #recover(): Promise<void> {
    if (this.#options.senders !== undefined) return;
    const recovery = await awaitRecovery({
      ...this.#options,
      traffic: this.#ready.traffic,
      settings: this.#settings,
      signal: this.#signal,
      firstId: this.#nextId,
      taken: this.#taken,
      limitMs: this.#budget.leftMs - RESERVED_STEPS * this.#stepMs,
    });
    if (recovery === undefined) return;
    this.#recoveries.push(recovery);
    this.#nextId = Math.max(this.#nextId, ...recovery.trials.flatMap(({ nextIds }) => nextIds));
  }
}

async function produce(options: CapacityOptions, push: (record: RunRecord) => void): Promise<void> {
  const scenario = await findScenario(options.scenario);
  const thresholds = stepThresholds(options.thresholds, scenario);
  checkOperations([scenario], options.contract);
  if (forbidden(scenario, options.allow).length > 0) throw nothingAllowed([scenario], options.allow);
  const startedAt = performance.now();
  const ready = await prepareScenario(scenario, options);
  try {
    checkParts(thresholds, ready.traffic.series);
    const found = await new Search(options, ready, thresholds, startedAt).run();
    for (const record of capacityRecords(scenario, found, thresholds, options)) push(record);
    if (found.error !== undefined) throw found.error;
  } finally {
    options.onRemoving?.();
    await ready.prepared.teardown?.();
  }
}

/** Finds the highest rate that meets the thresholds. Yields a scenario record of that rate and the capacity record. */
export function searchCapacity(options: CapacityOptions): AsyncIterable<RunRecord> {
  return recordStream((push) => produce(options, push));
}
