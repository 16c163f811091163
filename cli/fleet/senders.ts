import type { AgentSlice, Controller, TrialResult } from '../../fleet/index.ts';
import {
  countDue,
  joinPacked,
  LatencyHistogram,
  offeredUntil,
  receivedSlice,
  writeRequests,
} from '../../load/index.ts';
import type { LaneJob, ZonedSlice, Senders, SentEnd, SentTrial } from '../../load/index.ts';
import { defined } from '../../spec/defined.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { FleetFigures, FleetGap } from '../../spec/index.ts';
import type { ZoneRates } from './zone-rates.ts';

/** Requests in flight at the end of a schedule have at least this long to finish. */
const DRAIN_MS = 5_000;

function peakRate({ schedule, share, maxRate }: LaneJob): number {
  const rates = schedule?.segments.flatMap(({ from, to }) => [from, to]) ?? [];
  return schedule === undefined ? (maxRate ?? 0) : Math.max(0, ...rates) / share.count;
}

/** Requests of a lane that are due at `fromMs` or later; 0 without a schedule. Only those of Poisson arrivals have to be counted. */
function dueFrom({ schedule, share, seed }: LaneJob, fromMs: number): number {
  if (schedule === undefined) return 0;
  if (schedule.arrivals === 'poisson') return countDue(schedule, share, seed, fromMs);
  return (offeredUntil(schedule, Infinity) - offeredUntil(schedule, fromMs)) / share.count;
}

/** Joins the gaps of an agent's lanes that overlap. */
function joinGaps(gaps: TrialResult['gaps'], zoneOf: (agent: string) => string): readonly FleetGap[] {
  const joined: { gap: Omit<FleetGap, 'lanes'>; readonly lanes: Set<number> }[] = [];
  for (const { lane, agent, fromMs, toMs, withheld, unknownAtMost } of gaps.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const other = joined.find(({ gap }) => gap.agent === agent && fromMs <= gap.toMs);
    if (other === undefined) {
      const gap = { agent, zone: zoneOf(agent), fromMs, toMs, withheld, unknownAtMost };
      joined.push({ gap, lanes: new Set([lane]) });
      continue;
    }
    other.lanes.add(lane);
    other.gap = {
      ...other.gap,
      toMs: Math.max(other.gap.toMs, toMs),
      withheld: other.gap.withheld + withheld,
      unknownAtMost: other.gap.unknownAtMost + unknownAtMost,
    };
  }
  return joined.map(({ gap, lanes }) => ({ ...gap, lanes: lanes.size }));
}

function coveredMs(gaps: readonly FleetGap[], fromMs: number, toMs: number): number {
  let covered = 0;
  let at = fromMs;
  for (const gap of [...gaps].sort((a, b) => a.fromMs - b.fromMs)) {
    const [start, end] = [Math.max(at, gap.fromMs), Math.min(toMs, gap.toMs)];
    if (end > start) covered += end - start;
    at = Math.max(at, end);
  }
  return covered;
}

class Figures {
  readonly #trial: SentTrial;
  readonly #controller: Controller;
  readonly #zones = new Map<string, LatencyHistogram>();
  readonly #lag = new Map<string, ZonedSlice['slice']['lagSum']>();
  #sent = 0;

  constructor(trial: SentTrial, controller: Controller) {
    this.#trial = trial;
    this.#controller = controller;
  }

  add(given: readonly AgentSlice[]): readonly ZonedSlice[] {
    const slices = given.map((each) => this.#receive(each));
    for (const [zone, own] of groupBy(slices, (each) => each.zone)) {
      if (zone === '') continue;
      const latencies = this.#zones.get(zone) ?? new LatencyHistogram();
      this.#zones.set(zone, latencies);
      const steady = own.filter(({ slice }) => this.#isSteady(slice));
      latencies.add(joinPacked(steady.flatMap(({ slice }) => slice.parts.map((part) => part.latencies))));
    }
    return slices;
  }

  #isSteady({ index }: ZonedSlice['slice']): boolean {
    return index * this.#trial.sliceMs >= this.#trial.warmupMs;
  }

  #receive({ agent, slice: counts }: AgentSlice): ZonedSlice {
    const received = receivedSlice(counts, counts.figures);
    // A machine that slept reports a longer span, which would stretch the slice of all agents.
    const slice = { ...received, spanMs: Math.min(received.spanMs, this.#trial.sliceMs) };
    if (this.#isSteady(slice)) {
      this.#sent += slice.to - slice.from - slice.withheld;
      const lag = this.#lag.get(agent) ?? { ms: 0, count: 0 };
      this.#lag.set(agent, { ms: lag.ms + slice.lagSum.ms, count: lag.count + slice.lagSum.count });
    }
    return { lane: counts.lane, zone: this.zoneOf(agent), slice };
  }

  zoneOf(agent: string): string {
    return this.#controller.roster.members.get(agent)?.hello.zone ?? '';
  }

  of(run: string, { tally, balanced, gaps: lost, stopped }: TrialResult): FleetFigures {
    const { jobs, warmupMs, durationMs } = this.#trial;
    const { roster } = this.#controller;
    const gaps = joinGaps(lost, (agent) => this.zoneOf(agent));
    const due = jobs.reduce((sum, job) => sum + dueFrom(job, warmupMs), 0);
    const means = [...this.#lag].map(([agent, { ms, count }]) => ({ agent, lagMs: count === 0 ? 0 : ms / count }));
    const members = [...roster.members.values()];
    const [slowest] = means.sort((a, b) => b.lagMs - a.lagMs);
    return {
      run,
      agents: roster.members.size,
      lost: members.filter((member) => member.lost).map(({ hello }) => hello.agent),
      lanes: jobs.length,
      requests: tally,
      balanced,
      gaps,
      sentShare: due === 0 || stopped ? 1 : Math.min(1, this.#sent / due),
      gapShare: durationMs > warmupMs ? coveredMs(gaps, warmupMs, durationMs) / (durationMs - warmupMs) : 0,
      boundMs: Math.max(0, ...members.map(({ boundMs }) => boundMs)),
      zones: [...this.#zones].map(([zone, latencies]) => ({
        zone,
        answered: latencies.count,
        latencyMs: latencies.latency(),
      })),
      ...(slowest && { slowest }),
    };
  }
}

export interface SenderOptions {
  readonly run: string;
  readonly lanes: number;
  readonly repeatsLost: boolean;
  readonly rates: ZoneRates;
}

/** Senders that run each trial on the agents of a fleet. */
export function fleetSenders(controller: Controller, { run, lanes, repeatsLost, rates }: SenderOptions): Senders {
  return {
    lanes,
    repeatsLost,
    get rate() {
      return controller.rate;
    },
    async send(trial: SentTrial): Promise<SentEnd> {
      const { jobs, durationMs, timeoutMs, sliceMs, signal, limitMs, onSlices, onLate, onJudged } = trial;
      const figures = new Figures(trial, controller);
      const end = await controller.trial({
        lanes: jobs.map((job) => ({
          firstId: job.firstId,
          planned: job.schedule && countDue(job.schedule, job.share, job.seed),
          peakRate: peakRate(job),
          job,
        })),
        requests: writeRequests(trial.requests),
        sliceMs,
        durationMs,
        signal,
        drainMs: Math.min(timeoutMs, Math.max(DRAIN_MS, durationMs / 10)),
        ...defined({ limitMs }),
        onSlices: (index, given) => {
          const slices = figures.add(given);
          rates.add(slices, sliceMs);
          onSlices(index, slices);
        },
        onLate: (index, given) => {
          for (const slice of figures.add([given])) onLate(index, slice);
        },
        onResults: (results) => {
          for (const judged of results) onJudged(judged as Parameters<typeof onJudged>[0]);
        },
      });
      const { stopped, connected, nextIds, unknownIds, t0 } = end;
      return { stopped, connected, nextIds, unknownIds, startedAt: t0, fleet: figures.of(run, end) };
    },
  };
}
