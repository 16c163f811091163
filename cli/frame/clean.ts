import { cleanUp, createTarget, readJournals } from '../../client/index.ts';
import type { CleanUpReport, TargetOptions } from '../../client/index.ts';
import type { Contract, EffectsRecord } from '../../spec/index.ts';
import { ORDER_NAME, restoreOrder } from '../../domain/builtin/restore-order.ts';

/** What a clean-up needs to know. */
export interface CleanSettings {
  readonly target: TargetOptions;
  readonly contract: Contract;
  /** Where the journals are; left out: the user's state folder. */
  readonly journalDir?: string;
  /** This run's own journals only; left out: those of all runs that have ended. */
  readonly runId?: string;
  readonly settleMs?: number;
}

const nothing: CleanUpReport = { created: 0, removed: 0, left: [], restored: [] };

/** Removes what the journals still know, and puts back what was changed for others. */
export async function cleanJournals(settings: CleanSettings): Promise<CleanUpReport> {
  const { journalDir, runId, settleMs, contract } = settings;
  const journals = readJournals({
    baseUrl: settings.target.baseUrl,
    ...(journalDir === undefined ? {} : { dir: journalDir }),
    ...(runId === undefined ? {} : { runId, onlyRun: true }),
  });
  if (journals.length === 0) return nothing;
  const target = createTarget(settings.target);
  try {
    return await cleanUp(target, contract, journals, {
      ...(settleMs === undefined ? {} : { settleMs }),
      restore: async (name, value) =>
        name === ORDER_NAME ? restoreOrder(target, contract, value) : `no restore function is known for ${name}`,
    });
  } finally {
    await target.close();
  }
}

/** How many things earlier runs left at a target. */
export function countLeft(baseUrl: string, journalDir?: string): number {
  const journals = readJournals({ baseUrl, ...(journalDir === undefined ? {} : { dir: journalDir }) });
  return journals.reduce((sum, { state }) => sum + state.pending.size + state.globals.size, 0);
}

/** Runs whose processes are still there; a run that was just killed may need a moment to end. */
export function runsAtWork(baseUrl: string): readonly string[] {
  const ended = new Set(readJournals({ baseUrl }).map(({ path }) => path));
  return readJournals({ baseUrl, atWork: true })
    .filter(({ path }) => !ended.has(path))
    .map(({ header }) => header.runId);
}

/** The report of a clean-up as a record of the run. */
export function effectsRecord(report: CleanUpReport): EffectsRecord {
  const { created, removed, left } = report;
  return { type: 'effects', created, removed, left };
}
