import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTarget, lossError, openJournal, preflight } from '../../client/index.ts';
import type { Connection, Send, Target } from '../../client/index.ts';
import { knowledgeFor } from '../../domain/index.ts';
import { DEFAULT_SCENARIO, findScenario } from '../../load/index.ts';
import type { CommonOptions, LiveSlice } from '../../load/index.ts';
import type { LedgerEntry } from '../../fleet/index.ts';
import { isSuccess } from '../../spec/index.ts';
import type { Contract, Effect, EffectsRecord, RunStart } from '../../spec/index.ts';
import { isLasting } from '../../reports/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { amountOf } from '../../spec/count.ts';
import { defined } from '../../spec/defined.ts';
import { unlessInterrupted } from '../interrupt.ts';
import type { Settings } from '../options/table.ts';
import { cleanJournals, effectsRecord } from '../target/clean.ts';
import { warnOfPlainText } from '../target/connection.ts';
import type { FleetRun, OpenedFleet } from '../fleet/open-fleet.ts';
import { REMOVING } from '../run/record-run.ts';
import type { Produced, RunRecorder } from '../run/record-run.ts';
import { judgeOf, loadTarget } from './load-target.ts';
import { clientOptions, openRunTarget, startRecord } from '../target/target.ts';

type LoadSettings = Settings<Exclude<OptionOf<'capacity'>, 'budget'>>;

/** Shows on the console what the engine measures, four times per second. */
function showLive(recorder: RunRecorder, fleet: OpenedFleet | undefined): (state: LiveSlice) => void {
  return ({ stage, leftMs, ...load }) => {
    if (leftMs <= 0) return;
    const live = fleet && { fleet: fleet.live(load.offeredRate) };
    const leftSeconds = Number.isFinite(leftMs) ? Math.ceil(leftMs / 1000) : undefined;
    recorder.live({ doing: stage, leftSeconds, load: { ...load, ...live } });
  };
}

function figures(settings: LoadSettings): Partial<CommonOptions> {
  const { connections, workers, timeout, maxRate, maxDuration, items, bodyBytes, threshold, settle } = settings;
  return {
    settleMs: settle,
    ...defined({ connections, workers, timeoutMs: timeout, maxRate, maxDurationMs: maxDuration, items, bodyBytes }),
    ...(threshold.length === 0 ? {} : { thresholds: threshold }),
  };
}

interface LoadRun {
  readonly command: RunStart['command'];
  readonly settings: LoadSettings;
  readonly connection: Connection;
  readonly contract: Contract;
  readonly signal: AbortSignal;
  readonly recorder: RunRecorder;
  /** Options for the first record of the run. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Effects of its scenarios, and their rate where it is given. */
  readonly effects: readonly Effect[];
  readonly rate?: number | undefined;
  readonly work: (options: CommonOptions) => Promise<void>;
}

/** The agents that send, where there is a fleet; loaded only then. */
async function fleetOf(
  { command, settings, contract, signal, recorder, effects, rate = 0 }: LoadRun,
  given: Pick<FleetRun, 'target' | 'run' | 'seed'>,
  history: readonly LedgerEntry[],
): Promise<OpenedFleet | undefined> {
  if (settings.fleet === undefined) return undefined;
  const { openFleet } = await import('../fleet/open-fleet.ts');
  const { workers } = settings;
  const onNote = (text: string): void => recorder.note(text);
  const common = { settings, contract, signal, effects, rate, workers, onNote };
  return openFleet({ ...given, ...common, command: command === 'capacity' ? 'capacity' : 'load' }, history);
}

/** What is known of the run that is to go on. */
async function historyFor(settings: LoadSettings): Promise<readonly LedgerEntry[]> {
  if (settings.fleet === undefined) return [];
  return (await import('../fleet/open-fleet.ts')).historyOf(settings);
}

/** Sends for setup and teardown until the token is no longer accepted; then the run has no verdict. */
function unlessLost(client: Target): Send {
  const check = (): void => {
    if (client.lost !== undefined) throw lossError(client.lost);
  };
  return async (spec) => {
    check();
    const exchange = await client.send(spec);
    if (exchange.response?.status === 401) check();
    return exchange;
  };
}

type Served = Map<string, number>;

function counted(send: Send, served: Served): Send {
  return async (spec) => {
    const exchange = await send(spec);
    const { operation, response } = exchange;
    if (response && isSuccess(response.status)) served.set(operation, (served.get(operation) ?? 0) + 1);
    return exchange;
  };
}

/** The served requests with an effect that stays: those of set-up and clean-up, and those of the scenarios. */
function lastingOf({ contract, recorder }: LoadRun, ofClient: Served): NonNullable<EffectsRecord['lasting']> {
  const all = new Map(ofClient);
  for (const record of recorder.records)
    if (record.type === 'scenario')
      for (const [id, amount] of Object.entries(record.detail?.served ?? {})) all.set(id, (all.get(id) ?? 0) + amount);
  return [...all]
    .map(([id, amount]) => ({ id, count: amount }))
    .filter(({ id }) => isLasting(id, contract.operation(id)?.effect ?? 'irreversible'));
}

/** Opens the target, writes the first record, does the work, and removes created resources. */
export async function withLoad(run: LoadRun): Promise<Produced> {
  const { command, settings, connection, contract, signal, recorder, details, work } = run;
  const history = await historyFor(settings);
  const before = history.find((entry) => entry.kind === 'run');
  const target = await openRunTarget(settings, connection, contract);
  const dir = target.embedded ? await mkdtemp(join(tmpdir(), 'assay-')) : undefined;
  const options = clientOptions(settings, target);
  const runId = before?.run ?? randomBytes(4).toString('hex');
  const seed = settings.seed ?? before?.seed ?? randomInt(1, 0x7fffffff);
  const where = { baseUrl: target.baseUrl, bases: connection.bases, spec: settings.spec, runId, ...defined({ dir }) };
  try {
    const given = { ...details, ...figures(settings), ...defined({ specSource: settings.spec }), seed };
    recorder.emit(await startRecord(command, target, contract, given));
    warnOfPlainText(target, recorder.warn);
    if (!target.embedded)
      await unlessInterrupted(signal, async () =>
        preflight(options, contract, { maybeMock: !knowledgeFor(contract).guarantees('shapes'), isOnlyFull: true }),
      );
    const client = createTarget(options);
    const journal = openJournal(where);
    const served: Served = new Map();
    let fleet: OpenedFleet | undefined;
    try {
      fleet = await fleetOf(run, { target, run: runId, seed }, history);
      await work({
        ...(fleet && { senders: await fleet.senders() }),
        target: await loadTarget(target, client, contract),
        contract,
        send: counted(unlessLost(client), served),
        journal,
        allow: target.allow,
        fixtures: settings.fixtures,
        judge: judgeOf(contract, { seed, connection: target.connection }),
        seed,
        runId,
        signal,
        onLive: showLive(recorder, fleet),
        onRemoving: () => recorder.live(REMOVING),
        ...figures(settings),
      });
    } finally {
      await fleet?.close();
      recorder.emit({ type: 'statistics', ...client.stats });
      await client.close();
      await journal.close();
      const settleMs = settings.settle;
      const report = await cleanJournals({ target: options, contract, runId, settleMs, journalDir: dir });
      const created = Math.max(journal.created, report.created);
      const removed = created - amountOf(report.left);
      recorder.emit({ ...effectsRecord(report), created, removed, lasting: lastingOf(run, served) });
    }
    return {};
  } finally {
    await target.stop();
    if (dir !== undefined) await rm(dir, { recursive: true, force: true });
  }
}

/** The effects of some scenarios; none named: the default mix. */
export async function effectsOf(names: readonly string[]): Promise<readonly Effect[]> {
  const found = await Promise.all((names.length > 0 ? names : [DEFAULT_SCENARIO]).map((name) => findScenario(name)));
  return [...new Set(found.flatMap(({ effects }) => effects))];
}
