import type { Contract } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import type { JournalEntry } from './entries.ts';
import { listAll } from './list-all.ts';
import type { Listed } from './list-all.ts';
import type { LeftJournal } from './read-journals.ts';

/** One entry of a journal, on its way out of the deployment. */
export interface Leftover {
  readonly journal: LeftJournal;
  readonly entry: JournalEntry;
  /** Under which ids it is to be removed; several where the deployment made it more than once. */
  ids: readonly string[];
  /** Why it is still there. */
  reason?: string;
  /** Undefined while there is something to do. */
  done?: 'removed' | 'refused';
}

/** What the steps of a clean-up share. */
export interface CleanUpWork {
  readonly target: Target;
  readonly contract: Contract;
  readonly settleMs: number;
  /** Requests in a row that found nobody. */
  unanswered: number;
}

/** Those with something left to do. */
export function undone(leftovers: readonly Leftover[]): readonly Leftover[] {
  return leftovers.filter(({ done }) => done === undefined);
}

/** Groups, in the order of their first member. */
export function groupBy<K>(
  leftovers: readonly Leftover[],
  key: (leftover: Leftover) => K,
): ReadonlyMap<K, readonly Leftover[]> {
  const groups = new Map<K, Leftover[]>();
  for (const leftover of leftovers) {
    const group = groups.get(key(leftover));
    if (group) group.push(leftover);
    else groups.set(key(leftover), [leftover]);
  }
  return groups;
}

/** Reads each leftover's list, each list once. */
export async function eachInItsList(
  work: CleanUpWork,
  leftovers: readonly Leftover[],
  visit: (leftover: Leftover, listed: Listed) => void,
): Promise<void> {
  for (const [list, group] of groupBy(leftovers, ({ entry }) => entry.list)) {
    const operation = list === undefined ? undefined : work.contract.operation(list);
    const listed = operation
      ? await listAll(work.target, operation)
      : { items: [], incomplete: 'its id never came, and no list is known to look for it in' };
    for (const leftover of group) visit(leftover, listed);
  }
}
