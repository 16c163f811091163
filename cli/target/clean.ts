import { setTimeout as delay } from 'node:timers/promises';
import { cleanUp, createTarget, readJournals, throughOutage, untilSilent } from '../../client/index.ts';
import type { CleanUpReport, TargetOptions } from '../../client/index.ts';
import { releaseItem } from '../../domain/builtin/release-item.ts';
import { ORDER_NAME, restoreOrder } from '../../domain/builtin/restore-order.ts';
import { count, groupLeft, recordsOf } from '../../reports/index.ts';
import { amountOf, thousands } from '../../spec/count.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { Contract, EffectsRecord, RunRecord } from '../../spec/index.ts';
import type { SuiteRunOptions } from '../../suites/index.ts';
import { defined } from '../../spec/defined.ts';
import { keepSecret } from '../secrets.ts';
import type { RunRecorder } from '../run/record-run.ts';

export interface CleanSettings {
  readonly target: TargetOptions;
  readonly contract: Contract;
  /** Folder of the journals; default: the user's state folder. */
  readonly journalDir?: string | undefined;
  /** Only the journals of this run; default: those of all runs that have ended. */
  readonly runId?: string;
  readonly settleMs?: number;
  readonly ownsNames?: boolean;
  readonly forgets?: boolean;
}

export const NOTHING: CleanUpReport = {
  created: 0,
  removed: 0,
  cleaned: 0,
  gone: 0,
  left: [],
  forgotten: 0,
  restored: [],
};

/** Removes what the journals list, and restores global state. */
export async function cleanJournals(settings: CleanSettings): Promise<CleanUpReport> {
  const { journalDir: dir, runId, settleMs, ownsNames, forgets, contract } = settings;
  const onlyRun = runId === undefined ? undefined : true;
  const journals = readJournals({ baseUrl: settings.target.baseUrl, ...defined({ dir, runId, onlyRun }) });
  const requiredOf = journals.length === 0 ? undefined : await requiredParametersOf(contract);
  let report = NOTHING;
  for (const group of groupBy(journals, ({ header }) => JSON.stringify(header.bases ?? {})).values()) {
    // Where the runs found the operations, whatever the configuration says.
    const created = createTarget({
      ...settings.target,
      bases: group[0]?.header.bases,
      ...defined({ requiredOf }),
      readOf: ({ path }) => contract.operation(`GET ${path}`),
      onSecret: keepSecret,
    });
    const target = untilSilent(throughOutage(created));
    try {
      const cleaned = await cleanUp(target, contract, group, {
        ...defined({ settleMs, ownsNames, forgets }),
        release: (remove, id) => releaseItem(target, contract, remove, id),
        restore: async (name, value) =>
          name === ORDER_NAME ? restoreOrder(target, contract, value) : `no restore function is known for ${name}`,
      });
      report = sumOf(report, cleaned);
    } finally {
      await target.close();
    }
  }
  return report;
}

/** Generators are loaded only where an operation requires a parameter. */
async function requiredParametersOf(contract: Contract): Promise<TargetOptions['requiredOf']> {
  const needsNone = contract.operations.every(({ parameters }) =>
    parameters.every(({ required, in: place }) => !required || place === 'path'),
  );
  return needsNone ? undefined : (await import('../../domain/inferred/plain-request.ts')).requiredParameters(contract);
}

function sumOf(a: CleanUpReport, b: CleanUpReport): CleanUpReport {
  return {
    created: a.created + b.created,
    removed: a.removed + b.removed,
    cleaned: a.cleaned + b.cleaned,
    gone: a.gone + b.gone,
    left: [...a.left, ...b.left],
    forgotten: a.forgotten + b.forgotten,
    restored: [...a.restored, ...b.restored],
  };
}

export function countLeft(baseUrl: string): number {
  return readJournals({ baseUrl }).reduce((sum, { ledger }) => sum + ledger.pending.size + ledger.globals.size, 0);
}

/** The descriptions of the runs that left something at a target; undefined stands for the built-in one. */
export function specsOfRuns(baseUrl: string): readonly (string | undefined)[] {
  return [...new Set(readJournals({ baseUrl }).map(({ header }) => header.spec))];
}

function activeRuns(baseUrl: string): readonly string[] {
  const ended = new Set(readJournals({ baseUrl }).map(({ path }) => path));
  return readJournals({ baseUrl, atWork: true })
    .filter(({ path }) => !ended.has(path))
    .map(({ header }) => header.runId);
}

/** Time in which the processes of a killed run end. */
const ENDING_MS = 3000;

/** Waits for the end of runs that were killed; returns the ids of those that go on. */
export async function waitForEnd(baseUrl: string): Promise<readonly string[]> {
  const until = Date.now() + ENDING_MS;
  while (activeRuns(baseUrl).length > 0 && Date.now() < until) await delay(100);
  return activeRuns(baseUrl);
}

export function effectsRecord({ created, removed, left }: CleanUpReport): EffectsRecord {
  return { type: 'effects', created, removed, left };
}

/** What a run created and has not removed, by its journal on this machine, where its log does not say: it was killed. */
export function effectsOfKilled(records: readonly RunRecord[], dir?: string): readonly EffectsRecord[] {
  const [start] = recordsOf(records, 'run-start');
  const runId = start?.options['runId'];
  if (start === undefined || start.target.embedded || typeof runId !== 'string') return [];
  if (recordsOf(records, 'effects').length > 0) return [];
  const options = { baseUrl: start.target.baseUrl, runId, onlyRun: true, ...defined({ dir }) };
  const ledgers = readJournals(options).map(({ ledger }) => ledger);
  const reason = 'the run ended without removing it; assay clean removes it';
  const left = ledgers.flatMap(({ pending }) =>
    [...pending.values()].map(({ create, id, tag }) => ({ kind: create, id: id ?? tag, reason })),
  );
  const created = ledgers.reduce((sum, each) => sum + each.created, 0);
  return created === 0 ? [] : [{ type: 'effects', created, removed: created - left.length, left }];
}

/** Removes what the run left behind, and records how much was created, removed and left. */
export async function cleanThisRun(options: SuiteRunOptions, contract: Contract, recorder: RunRecorder): Promise<void> {
  const { runId, settleMs, journalDir } = options;
  const settings = { target: options, contract, runId, settleMs, journalDir, ownsNames: true };
  recorder.emit(effectsRecord(await cleanJournals(settings)));
}

/** Records what an interrupted run created on an embedded service, which takes with it what is left. */
export function recordDiscarded({ baseUrl, runId, journalDir: dir }: SuiteRunOptions, recorder: RunRecorder): void {
  const ledgers = readJournals({ baseUrl, runId, onlyRun: true, ...defined({ dir }) }).map(({ ledger }) => ledger);
  const created = ledgers.reduce((sum, each) => sum + each.created, 0);
  const removed = ledgers.reduce((sum, each) => sum - each.pending.size, created);
  recorder.emit({ type: 'effects', created, removed, left: [] });
}

/** Removes what earlier runs left at a deployment, if this run is allowed to change it. */
export async function cleanEarlierRuns(
  options: SuiteRunOptions,
  contract: Contract,
  recorder: RunRecorder,
): Promise<void> {
  const { baseUrl, allow, settleMs } = options;
  const left = countLeft(baseUrl);
  if (left === 0) return;
  if (!allow.includes('reversible')) {
    recorder.warn(`an earlier run left ${count(left, 'resource')}; remove them with assay clean --base-url ${baseUrl}`);
    return;
  }
  const report = await cleanJournals({ target: options, contract, settleMs });
  const gone = report.gone === 0 ? '' : `; ${thousands(report.gone)} ${report.gone === 1 ? 'was' : 'were'} not found`;
  recorder.note(`Removed ${report.cleaned} of ${count(left, 'resource')} that an earlier run left${gone}.`);
  for (const { reason, items } of groupLeft(report.left)) recorder.note(`  ${amountOf(items)} left: ${reason}`);
  if (report.left.length > 0)
    recorder.note(`  assay clean --base-url ${baseUrl} --forget leaves them there and stops looking for them.`);
}
