import type { Deadline } from '../../client/index.ts';
import type { Group } from './groups.ts';

/**
 * The largest share of the remaining time that a group of suites may use, so that later groups get some. Groups with a fixed number of
 * requests mostly end earlier; the others generate cases as long as they have time.
 */
export const GROUP_SHARES: Readonly<Partial<Record<Group, number>>> = {
  'failed-before': 1,
  operations: 1,
  lists: 0.3,
  items: 0.85,
  races: 0.3,
  'items-other-forms': 0.6,
  'lists-other-forms': 0.3,
  unusual: 0.3,
  values: 0.5,
  collections: 0.4,
};

/** The largest share of the time of the run so far that it may take to run tests with findings again. */
export const RERUN_SHARE = 0.4;

/** The largest share of the remaining time that is reserved for them. */
const MOST_RESERVED = 0.5;

/** Limits the time of the group of suites that is running. */
export class TimeBudget {
  readonly #deadline: Deadline;
  #group: Group | undefined;
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  /** Starts the time of a group, unless it is running already. `rerunIsDue`: a part of the time is left for tests that run again. */
  enter(group: Group | undefined, rerunIsDue: boolean): void {
    if (group === undefined || group === this.#group) return;
    this.#group = group;
    const leftMs = this.#deadline.leftMs();
    const share = GROUP_SHARES[group] ?? 1;
    const reservedMs = rerunIsDue && share < 1 ? Math.min(RERUN_SHARE * performance.now(), leftMs * MOST_RESERVED) : 0;
    this.#endsAt = Date.now() + (leftMs - reservedMs) * share;
  }

  /** Milliseconds that are left; `Infinity` where the run has no deadline. */
  leftMs(): number {
    return Math.max(0, this.#endsAt - Date.now());
  }

  over(): boolean {
    return this.leftMs() === 0 || this.#deadline.over();
  }
}
