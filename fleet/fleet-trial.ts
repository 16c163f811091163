import type { FleetGap, RequestTally } from '../spec/index.ts';
import { SliceMerger } from './slice-merger.ts';
import type { LaneSlice, Report } from './messages.ts';
import type { KnownAgent } from './roster.ts';
import { addTallies, emptyTally, isBalanced, LaneAccount } from './lane-account.ts';
import type { Range } from './lane-account.ts';

/** A lane as the controller plans it. */
export interface PlannedLane {
  readonly firstId: number;
  /** Number of requests of the schedule; undefined in the closed model, which has no schedule. */
  readonly planned: number | undefined;
  readonly peakRate: number;
  readonly job: unknown;
}

export interface AgentSlice {
  readonly agent: string;
  readonly slice: LaneSlice;
}

export interface TrialRequest {
  /** An agent runs one lane after the other, without a schedule or a common start. */
  readonly isQueue?: boolean;
  readonly lanes: readonly PlannedLane[];
  /** The requests that the lanes send, serialised. */
  readonly requests: string;
  readonly sliceMs: number;
  readonly durationMs: number;
  /** How long requests in flight may take after the end of the schedule. */
  readonly drainMs: number;
  readonly onSlices: (index: number, slices: readonly AgentSlice[]) => void;
  readonly onLate: (index: number, slice: AgentSlice) => void;
  readonly onResults: (results: readonly unknown[]) => void;
  readonly signal: AbortSignal;
  readonly limitMs?: number;
}

/** A time in which a lane had no owner, or its owner withheld requests. */
export interface Gap extends Omit<FleetGap, 'zone' | 'lanes'> {
  readonly lane: number;
}

export interface TrialResult {
  /** Broker time. */
  readonly t0: number;
  readonly endedAt: number;
  readonly stopped: boolean;
  readonly connected: number;
  readonly tally: RequestTally;
  /** Every request of every lane is accounted for, and none was sent twice. */
  readonly balanced: boolean;
  readonly gaps: readonly Gap[];
  readonly nextIds: readonly number[];
  /** By lane: ordinals of requests whose outcome is unknown. */
  readonly unknownIds: readonly (readonly Range[])[];
}

/** One ownership of a lane: its slices of time and its ordinals. */
interface Ownership {
  readonly agent: string;
  /** The first slice in which requests fell due: an owner that takes over waits until the lock of the last one has ended. */
  first: number;
  last: number;
  from: number;
  to: number;
  /** The times in which requests were withheld, in order. */
  readonly pauses: { readonly fromMs: number; toMs: number; withheld: number }[];
  /** The last slice that took far too long, as on a machine that was suspended: what it withholds may be told in the next one. */
  slept: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** The slices whose requests may have been in flight at the end. */
  readonly recent: { readonly index: number; readonly from: number }[];
}

interface LaneState {
  readonly account: LaneAccount;
  readonly owners: Map<string, Ownership>;
  connected: number | undefined;
  done: boolean;
}

const OVERDUE_MS = 3_000;

/** The controller's view of a trial: state, slices and accounts of its lanes. */
export class FleetTrial {
  readonly request: TrialRequest;
  t0: number | undefined;
  stopped = false;
  /** Agents by attempt, for the attempts that run. */
  readonly #agents = new Map<string, string>();
  readonly #lanes: LaneState[];
  readonly #merger: SliceMerger<AgentSlice>;

  constructor(request: TrialRequest) {
    this.request = request;
    this.#lanes = request.lanes.map(({ firstId }) => ({
      account: new LaneAccount(firstId),
      owners: new Map<string, Ownership>(),
      connected: undefined,
      done: false,
    }));
    this.#merger = new SliceMerger(request.lanes.length, request);
  }

  /** The jobs of all lanes, serialised: shows whether a resumed trial is the same as before. */
  get jobs(): string {
    return JSON.stringify(this.request.lanes.map(({ job }) => job));
  }

  get isReady(): boolean {
    return this.#lanes.every(({ connected }) => connected !== undefined);
  }

  get isDone(): boolean {
    return this.#lanes.every(({ done }) => done);
  }

  /** Whether a stopped trial is still ending. Shares of a queue may take any time to remove what they created. */
  isEnding(live: readonly KnownAgent[], isInTime: boolean): boolean {
    if (this.request.isQueue !== true) return !this.isDone && isInTime;
    return live.some(({ hello }) => [...this.#agents.values()].includes(hello.agent));
  }

  /** How many lanes each of so many agents takes before the start: more once another agent is lost. */
  lanesEach(agents: number): number {
    const { isQueue, lanes } = this.request;
    return isQueue === true ? 1 : Math.ceil(lanes.length / Math.max(1, agents));
  }

  /** "n of N": lanes whose owner can send. */
  get ready(): string {
    const ready = this.#lanes.filter(({ connected }) => connected !== undefined);
    return `${ready.length} of ${this.#lanes.length}`;
  }

  /** Indexes of the lanes that are not done. */
  get unfinished(): readonly number[] {
    return this.#lanes.flatMap(({ done }, lane) => (done ? [] : [lane]));
  }

  apply(report: Report, trial: number): void {
    const { agent } = report;
    for (const slice of report.slices) {
      const lane = this.#lanes[slice.lane];
      if (slice.trial !== trial || lane === undefined) continue;
      lane.account.add(slice);
      this.#addToOwnership(lane, agent, slice);
      this.#merger.add(slice.lane, slice.index, { agent, slice });
    }
    for (const event of report.events) {
      const lane = this.#lanes[event.lane];
      if (event.trial !== trial || lane === undefined) continue;
      if (event.type === 'ready') {
        lane.connected = event.connected ?? 0;
        this.#agents.set(event.attempt, agent);
      }
      if (event.type === 'done' || event.type === 'lost') this.#agents.delete(event.attempt);
      if (event.type === 'done') {
        lane.done = true;
        this.#merger.ended(event.lane);
      }
    }
    const results = report.results?.filter((result) => result.trial === trial) ?? [];
    if (results.length > 0) this.request.onResults(results.map(({ value }) => value));
  }

  /** Releases the slices that are complete or overdue. */
  release(now: number): void {
    if (this.t0 === undefined) return;
    this.#merger.release(Math.floor((now - OVERDUE_MS - this.t0) / this.request.sliceMs) - 1);
  }

  finish(endedAt: number): TrialResult {
    this.#merger.release(Infinity);
    let tally = emptyTally();
    let balanced = true;
    this.#lanes.forEach(({ account }, index) => {
      const { planned, firstId } = this.request.lanes[index] as PlannedLane;
      const due = account.nextId - firstId;
      const own = account.total(this.stopped || planned === undefined ? due : planned);
      balanced &&= account.duplicates() === 0 && (planned === undefined || (isBalanced(own) && own.unknown >= 0));
      tally = addTallies(tally, own);
    });
    return {
      t0: this.t0 ?? 0,
      endedAt,
      stopped: this.stopped,
      connected: this.#lanes.reduce((sum, { connected = 0 }) => sum + connected, 0),
      tally,
      balanced,
      gaps: this.#lanes.flatMap((_, lane) => this.#gapsOf(lane)),
      nextIds: this.#lanes.map(({ account }) => account.nextId),
      unknownIds: this.#lanes.map((lane, index) => this.#unknownIds(lane, index)),
    };
  }

  #endOf(index: number): number {
    const { firstId, planned } = this.request.lanes[index] as PlannedLane;
    const next = this.#lanes[index]?.account.nextId ?? firstId;
    return this.stopped || planned === undefined ? next : firstId + planned;
  }

  #addToOwnership(
    { owners }: LaneState,
    agent: string,
    { attempt, index, from, to, withheld, spanMs }: LaneSlice,
  ): void {
    const known = owners.get(attempt);
    const owner = known ?? { agent, first: Infinity, last: index, from, to, pauses: [], slept: undefined, recent: [] };
    if (known === undefined) owners.set(attempt, owner);
    if (to > from) owner.first = Math.min(owner.first, index);
    owner.last = Math.max(owner.last, index);
    owner.from = Math.min(owner.from, from);
    owner.to = Math.max(owner.to, to);
    const { sliceMs } = this.request;
    const fromMs = index * sliceMs;
    if (spanMs > 2 * sliceMs) owner.slept = { fromMs, toMs: fromMs + spanMs };
    if (withheld > 0) {
      const { slept } = owner;
      const sinceMs = slept !== undefined && slept.toMs + sliceMs >= fromMs ? slept.fromMs : fromMs;
      const last = owner.pauses.at(-1);
      if (last === undefined || sinceMs > last.toMs + sliceMs)
        owner.pauses.push({ fromMs: sinceMs, toMs: fromMs + spanMs, withheld });
      else {
        last.toMs = Math.max(last.toMs, fromMs + spanMs);
        last.withheld += withheld;
      }
    }
    const oldest = owner.last - Math.ceil(this.request.drainMs / sliceMs);
    owner.recent.push({ index, from });
    while ((owner.recent[0]?.index ?? oldest) < oldest) owner.recent.shift();
  }

  /** Ordinals that no owner reported, and, if the lane changed its owner, those that may have been in flight then. */
  #unknownIds({ account, owners }: LaneState, index: number): readonly Range[] {
    const unreported = account.unreported(this.#endOf(index));
    if (owners.size < 2 && unreported.length === 0) return [];
    const inFlight = [...owners.values()].map(({ recent, to }): Range => [
      Math.min(to, ...recent.map(({ from }) => from)),
      to,
    ]);
    return [...unreported, ...inFlight];
  }

  #gapsOf(lane: number): Gap[] {
    const { account, owners } = this.#lanes[lane] as LaneState;
    const { sliceMs, durationMs } = this.request;
    const { firstId } = this.request.lanes[lane] as PlannedLane;
    const ordered = [...owners.values()].filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from);
    const lost = account.unreported(this.#endOf(lane)).map(([from, to]): Gap => {
      const before = ordered.findLast((owner) => owner.to <= from);
      const after = ordered.find((owner) => owner.from >= to);
      return {
        lane,
        agent: before?.agent ?? '',
        fromMs: before === undefined ? 0 : (before.last + 1) * sliceMs,
        toMs: after === undefined ? durationMs : after.first * sliceMs,
        withheld: 0,
        unknownAtMost: to - from,
      };
    });
    const withheld = ordered.flatMap((owner, index): Gap[] => {
      const [before, next] = [ordered[index - 1], ordered[index + 1]];
      const beforeMs = before === undefined ? 0 : (before.last + 1) * sliceMs;
      // Requests that a suspended owner passed on to the next one are no gap.
      let passedOn = next === undefined ? 0 : Math.max(0, owner.to - next.from);
      const latestMs = next !== undefined && passedOn > 0 ? (next.first + 1) * sliceMs : durationMs;
      return owner.pauses.toReversed().map((pause) => {
        const passed = Math.min(passedOn, pause.withheld);
        passedOn -= passed;
        // An owner that slept before its first slice withholds in it all that was due since the last owner, or the start.
        const isFirst = pause.fromMs <= owner.first * sliceMs && owner.from <= (before?.to ?? firstId);
        return {
          lane,
          agent: owner.agent,
          fromMs: Math.min(isFirst ? Math.min(pause.fromMs, beforeMs) : pause.fromMs, durationMs),
          toMs: Math.min(pause.toMs, latestMs, durationMs),
          withheld: pause.withheld - passed,
          unknownAtMost: 0,
        };
      });
    });
    return [...lost, ...withheld.filter((gap) => gap.withheld > 0)];
  }
}
