import type { Contract, EffectsRecord, Json } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import { claim } from './claim.ts';
import type { CleanUpWork, Leftover } from './leftover.ts';
import { undone } from './leftover.ts';
import { locate, reopenWhatIsStillThere } from './locate.ts';
import type { LeftJournal } from './read-journals.ts';
import { removeAll } from './remove-all.ts';

/** How to clean up. */
export interface CleanUpOptions {
  /**
   * Puts back what was changed for others too, given the first value that was saved under a name. Answers undefined,
   * or why it could not.
   */
  readonly restore?: (name: string, value: Json) => Promise<string | undefined>;
  /** How long a change may take to show, in milliseconds (1000). */
  readonly settleMs?: number;
}

/** What a clean-up came to. */
export type CleanUpReport = Omit<EffectsRecord, 'type'> & {
  /** Names of what was put back. */
  readonly restored: readonly string[];
};

type Left = CleanUpReport['left'];

function leftoversOf(journals: readonly LeftJournal[]): readonly Leftover[] {
  return journals.flatMap((journal) =>
    [...journal.state.pending.values()].map((entry) => ({
      journal,
      entry,
      ids: entry.id === undefined ? [] : [entry.id],
    })),
  );
}

async function removeLeftovers(work: CleanUpWork, leftovers: readonly Leftover[]): Promise<Left> {
  await locate(work, leftovers);
  await removeAll(work, leftovers);
  await reopenWhatIsStillThere(work, leftovers);
  if (undone(leftovers).some(({ ids }) => ids.length > 0)) {
    await removeAll(work, leftovers);
    await reopenWhatIsStillThere(work, leftovers);
  }
  for (const { journal, entry, done } of leftovers) {
    if (done !== undefined) journal.settle({ type: done, number: entry.number });
  }
  return undone(leftovers).map(({ entry, ids, reason }) => ({
    kind: entry.create,
    id: ids[0] ?? entry.tag,
    reason: reason ?? 'not removed',
  }));
}

async function restoreAll(
  journals: readonly LeftJournal[],
  restore: CleanUpOptions['restore'],
): Promise<{ restored: readonly string[]; left: Left }> {
  const restored = new Set<string>();
  const left: Left[number][] = [];
  for (const journal of journals) {
    for (const [name, value] of journal.state.globals) {
      const done = restored.has(name);
      const reason = done ? undefined : restore ? await restore(name, value) : 'nothing here knows how to put it back';
      if (reason === undefined) {
        restored.add(name);
        journal.settle({ type: 'restored', name });
      } else left.push({ kind: name, id: journal.header.runId, reason });
    }
  }
  return { restored: [...restored], left };
}

async function cleanUpAfter(
  work: CleanUpWork,
  journals: readonly LeftJournal[],
  options: CleanUpOptions,
): Promise<CleanUpReport> {
  const left = await removeLeftovers(work, leftoversOf(journals));
  const globals = await restoreAll(journals, options.restore);
  for (const journal of journals) journal.finish();
  const created = journals.reduce((sum, { state }) => sum + state.created, 0);
  return { created, removed: created - left.length, left: [...left, ...globals.left], restored: globals.restored };
}

/**
 * Removes exactly what the journals' runs created: what the deployment told the id of, and what its list has under a
 * tag of theirs. Nothing else is ever deleted. Then puts back what was changed for others. Journals that another
 * process is cleaning up after are passed over. What can't be removed stays in its journal.
 */
export async function cleanUp(
  target: Target,
  contract: Contract,
  journals: readonly LeftJournal[],
  options: CleanUpOptions = {},
): Promise<CleanUpReport> {
  const claims = journals.flatMap((journal) => {
    const release = claim(journal.path);
    return release ? [{ journal, release }] : [];
  });
  try {
    const work: CleanUpWork = { target, contract, settleMs: options.settleMs ?? 1_000, unanswered: 0 };
    return await cleanUpAfter(
      work,
      claims.map(({ journal }) => journal),
      options,
    );
  } finally {
    for (const { release } of claims) release();
  }
}
