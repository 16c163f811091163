import type { RequestTally } from '../spec/index.ts';
import type { LaneSlice } from './messages.ts';

type Tally = { -readonly [Name in keyof RequestTally]: RequestTally[Name] };

/** The requests of one owner of a lane. */
interface Attempt {
  from: number;
  to: number;
  /** The ordinal after the last request that was not withheld. */
  sentTo: number;
  withheld: number;
  counted: number;
}

/** A range of ordinals, without `to`. */
export type Range = readonly [from: number, to: number];

const COUNTED = ['answered', 'failed', 'unsent', 'refused', 'withheld'] as const;

export function emptyTally(): RequestTally {
  return { planned: 0, answered: 0, failed: 0, unsent: 0, refused: 0, withheld: 0, unknown: 0 };
}

export function addTallies(a: RequestTally, b: RequestTally): RequestTally {
  const sum: Tally = { ...a };
  for (const name of ['planned', 'unknown', ...COUNTED] as const) sum[name] += b[name];
  return sum;
}

/** Whether every planned request is accounted for. */
export function isBalanced(tally: RequestTally): boolean {
  return tally.planned === tally.unknown + COUNTED.reduce((sum, name) => sum + tally[name], 0);
}

/** Accounts for every request of a lane, by owner. */
export class LaneAccount {
  readonly #tally: Tally = emptyTally();
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

  /** The ordinal after the last that fell due. */
  get nextId(): number {
    return Math.max(this.#firstId, ...[...this.#attempts.values()].map(({ to }) => to));
  }

  /** Ordinals before `endId` that no owner reported. */
  unreported(endId: number): readonly Range[] {
    const ranges: Range[] = [];
    let next = this.#firstId;
    for (const { from, to } of this.#ordered()) {
      if (from > next) ranges.push([next, from]);
      next = Math.max(next, to);
    }
    return endId > next ? [...ranges, [next, endId]] : ranges;
  }

  /** Number of requests that two owners sent; 0 unless the locking failed. */
  duplicates(): number {
    return this.#overlaps().reduce((sum, { duplicates }) => sum + duplicates, 0);
  }

  /** @param planned number of requests that the lane should have sent. */
  total(planned: number): RequestTally {
    const unreported = this.unreported(this.#firstId + planned).reduce((sum, [from, to]) => sum + to - from, 0);
    const open = [...this.#attempts.values()].reduce((sum, { from, to, counted }) => sum + to - from - counted, 0);
    const passedOn = this.#overlaps().reduce((sum, each) => sum + each.passedOn, 0);
    return { ...this.#tally, withheld: this.#tally.withheld - passedOn, planned, unknown: unreported + open };
  }

  /**
   * An owner that was suspended withholds the requests that fell due meanwhile. Those from the first ordinal of the next
   * owner on count as passed on, not as withheld.
   */
  #overlaps(): readonly { readonly passedOn: number; readonly duplicates: number }[] {
    const ordered = this.#ordered();
    return ordered.flatMap(({ to, sentTo, withheld }, index) => {
      const next = ordered[index + 1];
      if (next === undefined || next.from >= to) return [];
      const duplicates = Math.max(0, sentTo - next.from);
      return [{ duplicates, passedOn: Math.min(to - next.from - duplicates, withheld) }];
    });
  }

  #ordered(): readonly Attempt[] {
    return [...this.#attempts.values()].filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from);
  }
}
