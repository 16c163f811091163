import { Merger } from './merger.ts';
import type { LaneSlice, Report } from './messages.ts';
import type { Member } from './roster.ts';
import { addTally, emptyTally, isBalanced, LaneBook } from './tally.ts';
import type { Range, Tally } from './tally.ts';

/** A lane of a trial as the controller plans it. */
export interface PlannedLane {
  readonly firstId: number;
  /** Requests of the whole schedule; undefined in the closed model, which has none. */
  readonly planned: number | undefined;
  readonly peakRate: number;
  readonly job: unknown;
}

/** A slice with the agent that reported it. */
export interface AgentSlice {
  readonly agent: string;
  readonly slice: LaneSlice;
}

export interface TrialRequest {
  /** Lanes without a schedule, of which an agent runs one after the other: no common start. */
  readonly isQueue?: boolean;
  readonly lanes: readonly PlannedLane[];
  /** The requests that the lanes send, as text. */
  readonly requests: string;
  readonly sliceMs: number;
  readonly durationMs: number;
  /** How long requests in flight may take after that. */
  readonly drainMs: number;
  readonly onSlices: (index: number, slices: readonly AgentSlice[]) => void;
  readonly onLate: (index: number, slice: AgentSlice) => void;
  readonly onResults: (results: readonly unknown[]) => void;
  readonly signal: AbortSignal;
  readonly limitMs?: number;
}

/** A time in which a lane had no owner, or one that withheld. */
export interface Gap {
  readonly lane: number;
  readonly agent: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly withheld: number;
  readonly unknownAtMost: number;
}

export interface TrialResult {
  /** By the broker's clock. */
  readonly t0: number;
  readonly endedAt: number;
  readonly stopped: boolean;
  readonly connected: number;
  readonly tally: Tally;
  /** Every request of every lane is accounted for, and none was given out twice. */
  readonly balanced: boolean;
  readonly doubled: number;
  readonly gaps: readonly Gap[];
  readonly nextIds: readonly number[];
  /** Ordinals of each lane whose fate is unknown. */
  readonly unknownIds: readonly (readonly Range[])[];
}

/** An owner of a lane: when it sent, and which ordinals it gave out last. */
interface Trace {
  readonly agent: string;
  first: number;
  last: number;
  from: number;
  to: number;
  withheld: number;
  /** Of the slices in which something was withheld. */
  withheldFromMs: number;
  withheldToMs: number;
  readonly recent: { readonly index: number; readonly from: number }[];
}

interface LaneState {
  readonly book: LaneBook;
  readonly traces: Map<string, Trace>;
  connected: number | undefined;
  done: boolean;
}

const OVERDUE_MS = 3_000;

/** What the controller knows of a trial: which lanes are ready and done, their slices, and their accounts. */
export class FleetTrial {
  readonly request: TrialRequest;
  t0: number | undefined;
  stopped = false;
  /** Agents of the attempts that are under way. */
  readonly #owners = new Map<string, string>();
  readonly #lanes: LaneState[];
  readonly #merger: Merger<AgentSlice>;

  constructor(request: TrialRequest) {
    this.request = request;
    this.#lanes = request.lanes.map(({ firstId }) => ({
      book: new LaneBook(firstId),
      traces: new Map<string, Trace>(),
      connected: undefined,
      done: false,
    }));
    this.#merger = new Merger(request.lanes.length, request);
  }

  /** What the lanes do, as text: tells whether it is the trial of an earlier controller. */
  get jobs(): string {
    return JSON.stringify(this.request.lanes.map(({ job }) => job));
  }

  get isReady(): boolean {
    return this.#lanes.every(({ connected }) => connected !== undefined);
  }

  get isDone(): boolean {
    return this.#lanes.every(({ done }) => done);
  }

  /** After a stop: shares of a queue remove what they created, however long that takes; other lanes have their time. */
  isEnding(live: readonly Member[], isInTime: boolean): boolean {
    if (this.request.isQueue !== true) return !this.isDone && isInTime;
    return live.some(({ hello }) => [...this.#owners.values()].includes(hello.agent));
  }

  get ready(): number {
    return this.#lanes.filter(({ connected }) => connected !== undefined).length;
  }

  /** Numbers of the lanes that are not done. */
  get unfinished(): readonly number[] {
    return this.#lanes.flatMap(({ done }, lane) => (done ? [] : [lane]));
  }

  apply(report: Report, trial: number): void {
    const { agent } = report;
    for (const slice of report.slices) {
      const lane = this.#lanes[slice.lane];
      if (slice.trial !== trial || lane === undefined) continue;
      lane.book.add(slice);
      this.#trace(lane, agent, slice);
      this.#merger.add(slice.lane, slice.index, { agent, slice });
    }
    for (const event of report.events) {
      const lane = this.#lanes[event.lane];
      if (event.trial !== trial || lane === undefined) continue;
      if (event.type === 'ready') {
        lane.connected = event.connected ?? 0;
        this.#owners.set(event.attempt, agent);
      }
      if (event.type === 'done' || event.type === 'lost') this.#owners.delete(event.attempt);
      if (event.type === 'done') {
        lane.done = true;
        this.#merger.ended(event.lane);
      }
    }
    const results = report.results?.filter((result) => result.trial === trial) ?? [];
    if (results.length > 0) this.request.onResults(results.map(({ value }) => value));
  }

  /** Tells the slices that are complete or overdue. */
  release(now: number): void {
    if (this.t0 === undefined) return;
    this.#merger.release(Math.floor((now - OVERDUE_MS - this.t0) / this.request.sliceMs) - 1);
  }

  finish(endedAt: number): TrialResult {
    this.#merger.release(Infinity);
    const tally = emptyTally();
    let isBalancedAll = true;
    let doubled = 0;
    this.#lanes.forEach(({ book }, index) => {
      const { planned, firstId } = this.request.lanes[index] as PlannedLane;
      const given = book.nextId - firstId;
      const own = book.close(this.stopped || planned === undefined ? given : planned);
      doubled += book.doubled();
      isBalancedAll &&= planned === undefined || (isBalanced(own) && own.unknown >= 0);
      addTally(tally, own);
    });
    return {
      t0: this.t0 ?? 0,
      endedAt,
      stopped: this.stopped,
      connected: this.#lanes.reduce((sum, { connected = 0 }) => sum + connected, 0),
      tally,
      doubled,
      balanced: isBalancedAll && doubled === 0,
      gaps: this.#lanes.flatMap((_, lane) => this.#gapsOf(lane)),
      nextIds: this.#lanes.map(({ book }) => book.nextId),
      unknownIds: this.#lanes.map((lane, index) => this.#unknownIds(lane, index)),
    };
  }

  #endOf(index: number): number {
    const { firstId, planned } = this.request.lanes[index] as PlannedLane;
    const next = this.#lanes[index]?.book.nextId ?? firstId;
    return this.stopped || planned === undefined ? next : firstId + planned;
  }

  #trace({ traces }: LaneState, agent: string, { attempt, index, from, to, withheld, spanMs }: LaneSlice): void {
    const known = traces.get(attempt);
    const trace = known ?? {
      agent,
      first: index,
      last: index,
      from,
      to,
      withheld: 0,
      withheldFromMs: Infinity,
      withheldToMs: -1,
      recent: [],
    };
    if (known === undefined) traces.set(attempt, trace);
    trace.first = Math.min(trace.first, index);
    trace.last = Math.max(trace.last, index);
    trace.from = Math.min(trace.from, from);
    trace.to = Math.max(trace.to, to);
    if (withheld > 0) {
      trace.withheld += withheld;
      const fromMs = index * this.request.sliceMs;
      trace.withheldFromMs = Math.min(trace.withheldFromMs, fromMs);
      trace.withheldToMs = Math.max(trace.withheldToMs, fromMs + spanMs);
    }
    const oldest = trace.last - Math.ceil(this.request.drainMs / this.request.sliceMs);
    trace.recent.push({ index, from });
    while ((trace.recent[0]?.index ?? oldest) < oldest) trace.recent.shift();
  }

  /** Ordinals that nobody reported, and the last ones of owners that were lost, which may have been in flight. */
  #unknownIds({ book, traces }: LaneState, index: number): readonly Range[] {
    const unreported = book.unreported(this.#endOf(index));
    if (traces.size < 2 && unreported.length === 0) return [];
    const inFlight = [...traces.values()].map(({ recent, to }): Range => [
      Math.min(to, ...recent.map(({ from }) => from)),
      to,
    ]);
    return [...unreported, ...inFlight];
  }

  #gapsOf(lane: number): Gap[] {
    const { book, traces } = this.#lanes[lane] as LaneState;
    const { sliceMs, durationMs } = this.request;
    const ordered = [...traces.values()].filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from);
    const lost = book.unreported(this.#endOf(lane)).map(([from, to]): Gap => {
      const before = ordered.findLast((trace) => trace.to <= from);
      const after = ordered.find((trace) => trace.from >= to);
      return {
        lane,
        agent: before?.agent ?? '',
        fromMs: before === undefined ? 0 : (before.last + 1) * sliceMs,
        toMs: after === undefined ? durationMs : after.first * sliceMs,
        withheld: 0,
        unknownAtMost: to - from,
      };
    });
    // What a sleeping owner passed on to the next one was not missing.
    const withheld = ordered.map((trace, index): Gap => {
      const next = ordered[index + 1];
      const isPassedOn = next !== undefined && next.from < trace.to;
      return {
        lane,
        agent: trace.agent,
        fromMs: trace.withheldFromMs,
        toMs: isPassedOn ? Math.min(trace.withheldToMs, (next.first + 1) * sliceMs) : trace.withheldToMs,
        withheld: isPassedOn ? Math.max(0, trace.withheld - (trace.to - next.from)) : trace.withheld,
        unknownAtMost: 0,
      };
    });
    return [...lost, ...withheld.filter((gap) => gap.withheld > 0)];
  }
}
