import type { LaneSlice } from './messages.ts';

/** What became of the planned requests of a lane, or of all of them. */
export interface Tally {
  planned: number;
  answered: number;
  failed: number;
  unsent: number;
  /** Answered with 401 because the token had ended. */
  refused: number;
  /** Not sent, because the sender could not be sure that nobody else would. */
  withheld: number;
  /** Neither reported nor withheld: of agents that were lost. */
  unknown: number;
}

/** Requests of one owner of a lane. */
interface Attempt {
  from: number;
  to: number;
  /** The ordinal after the last that was not withheld. */
  sentTo: number;
  withheld: number;
  counted: number;
}

/** A range of ordinals: from, and up to, without it, to. */
export type Range = readonly [from: number, to: number];

const COUNTED = ['answered', 'failed', 'unsent', 'refused', 'withheld'] as const;

export function emptyTally(): Tally {
  return { planned: 0, answered: 0, failed: 0, unsent: 0, refused: 0, withheld: 0, unknown: 0 };
}

export function addTally(sum: Tally, more: Readonly<Tally>): Tally {
  for (const name of ['planned', 'unknown', ...COUNTED] as const) sum[name] += more[name];
  return sum;
}

/** Whether every planned request is accounted for. */
export function isBalanced(tally: Readonly<Tally>): boolean {
  return tally.planned === tally.unknown + COUNTED.reduce((sum, name) => sum + tally[name], 0);
}

/** The accounts of a lane: its ordinals, by owner. */
export class LaneBook {
  readonly #tally = emptyTally();
  readonly #attempts = new Map<string, Attempt>();
  readonly #firstId: number;

  constructor(firstId: number) {
    this.#firstId = firstId;
  }

  add(slice: LaneSlice): void {
    const attempt = this.#attempts.get(slice.attempt) ?? {
      from: slice.from,
      to: slice.to,
      sentTo: 0,
      withheld: 0,
      counted: 0,
    };
    attempt.from = Math.min(attempt.from, slice.from);
    attempt.to = Math.max(attempt.to, slice.to);
    attempt.sentTo = Math.max(attempt.sentTo, slice.sentTo);
    attempt.withheld += slice.withheld;
    for (const name of COUNTED) {
      attempt.counted += slice[name];
      this.#tally[name] += slice[name];
    }
    this.#attempts.set(slice.attempt, attempt);
  }

  /** The id after the last that was given out. */
  get nextId(): number {
    return Math.max(this.#firstId, ...[...this.#attempts.values()].map(({ to }) => to));
  }

  /** Ordinals that no owner reported, up to the id after the last planned one. */
  unreported(endId: number): readonly Range[] {
    const ranges: Range[] = [];
    let next = this.#firstId;
    for (const { from, to } of this.#ordered()) {
      if (from > next) ranges.push([next, from]);
      next = Math.max(next, to);
    }
    return endId > next ? [...ranges, [next, endId]] : ranges;
  }

  /** Ordinals that two owners gave out; never any, unless a fence failed. */
  doubled(): number {
    return this.#overlaps().reduce((sum, { doubled }) => sum + doubled, 0);
  }

  /** @param planned requests that the lane should have sent. */
  close(planned: number): Tally {
    const unreported = this.unreported(this.#firstId + planned).reduce((sum, [from, to]) => sum + to - from, 0);
    const open = [...this.#attempts.values()].reduce((sum, { from, to, counted }) => sum + to - from - counted, 0);
    const passedOn = this.#overlaps().reduce((sum, each) => sum + each.passedOn, 0);
    return { ...this.#tally, withheld: this.#tally.withheld - passedOn, planned, unknown: unreported + open };
  }

  /**
   * An owner that was asleep withholds what was due meanwhile; from the first ordinal of the next owner on, that was
   * passed on and not withheld.
   */
  #overlaps(): readonly { readonly passedOn: number; readonly doubled: number }[] {
    const ordered = this.#ordered();
    return ordered.flatMap(({ to, sentTo, withheld }, index) => {
      const next = ordered[index + 1];
      if (next === undefined || next.from >= to) return [];
      const doubled = Math.max(0, sentTo - next.from);
      return [{ doubled, passedOn: Math.min(to - next.from - doubled, withheld) }];
    });
  }

  #ordered(): readonly Attempt[] {
    return [...this.#attempts.values()].filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from);
  }
}
