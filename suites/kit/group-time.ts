import type { Deadline } from '../../client/index.ts';
import type { Group } from './in-order.ts';

/**
 * Most of the time left that a group of suites may use, so that those behind it get some. Groups whose number of requests is fixed
 * mostly end earlier; the others generate cases as long as they have time.
 */
export const GROUP_SHARES: Readonly<Partial<Record<Group, number>>> = {
  'failed-before': 1,
  operations: 1,
  lists: 0.3,
  items: 0.6,
  order: 0.7,
  races: 0.3,
  'items-other-forms': 0.6,
  'lists-other-forms': 0.3,
  unusual: 0.3,
  sequences: 0.3,
  values: 0.5,
  collections: 0.4,
};

/** The time of the group of suites that runs. */
export class GroupTime {
  readonly #deadline: Deadline;
  #group: Group | undefined;
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  /** Begins the time of a group, where it is not the one that runs. */
  enter(group: Group | undefined): void {
    if (group === undefined || group === this.#group) return;
    this.#group = group;
    this.#endsAt = Date.now() + this.#deadline.leftMs() * (GROUP_SHARES[group] ?? 1);
  }

  /** Milliseconds that are left; `Infinity` where the run has no deadline. */
  leftMs(): number {
    return Math.max(0, this.#endsAt - Date.now());
  }

  over(): boolean {
    return this.leftMs() === 0 || this.#deadline.over();
  }
}
