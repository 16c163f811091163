import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTarget, openJournal, preflight } from '../../client/index.ts';
import { knowledgeFor } from '../../domain/index.ts';
import type { CommonOptions, LiveState } from '../../load/index.ts';
import type { Contract, RunStart } from '../../spec/index.ts';
import type { CapacityOption } from '../catalogue.ts';
import type { Settings } from '../options/table.ts';
import { cleanJournals, effectsRecord } from './clean.ts';
import { judgeOf } from './judge-exchange.ts';
import type { Teller } from './record-run.ts';
import { startRecord } from './start-record.ts';
import { clientOptions, openRunTarget } from './target.ts';

type LoadSettings = Settings<Exclude<CapacityOption, 'budget'>>;

/** What load tells four times a second, as the console shows it. */
function showLive(teller: Teller): (state: LiveState) => void {
  return (state) => {
    const { scenario, offeredRate, rate, errors, inFlight, p50, p99 } = state;
    if (state.leftMs <= 0) return;
    teller.live({
      doing: state.stage,
      leftSeconds: Math.ceil(state.leftMs / 1000),
      load: { scenario, offeredRate, rate, errors, inFlight, p50, p99 },
    });
  };
}

function figures(settings: LoadSettings): Partial<CommonOptions> {
  const { connections, workers, timeout, maxRate, maxDuration, items, bodyBytes, threshold, settle } = settings;
  return {
    settleMs: settle,
    ...(connections === undefined ? {} : { connections }),
    ...(workers === undefined ? {} : { workers }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(maxRate === undefined ? {} : { maxRate }),
    ...(maxDuration === undefined ? {} : { maxDurationMs: maxDuration }),
    ...(items === undefined ? {} : { items }),
    ...(bodyBytes === undefined ? {} : { bodyBytes }),
    ...(threshold.length === 0 ? {} : { thresholds: threshold }),
  };
}

interface LoadRun {
  readonly command: RunStart['command'];
  readonly settings: LoadSettings;
  readonly contract: Contract;
  readonly signal: AbortSignal;
  readonly teller: Teller;
  /** What the run was told, for its first record. */
  readonly told: Readonly<Record<string, unknown>>;
  readonly work: (options: CommonOptions) => Promise<void>;
}

/** Runs load against the deployment or the embedded service, between the run's first record and the removal of what it made. */
export async function withLoad({ command, settings, contract, signal, teller, told, work }: LoadRun): Promise<void> {
  const target = await openRunTarget(settings);
  const dir = target.embedded ? await mkdtemp(join(tmpdir(), 'assay-')) : undefined;
  const options = clientOptions(settings, target);
  const [runId, seed] = [randomBytes(4).toString('hex'), settings.seed ?? randomInt(1, 0x7fffffff)];
  const where = { baseUrl: target.baseUrl, runId, ...(dir === undefined ? {} : { dir }) };
  try {
    teller.emit(startRecord(command, target, contract, { ...told, ...figures(settings), seed }));
    if (!target.embedded)
      await preflight(options, contract, { maybeMock: !knowledgeFor(contract).guarantees('shapes') });
    const client = createTarget(options);
    const journal = openJournal(where);
    try {
      await work({
        target: {
          baseUrl: target.baseUrl,
          insecure: settings.insecure,
          ...(target.tokens.full === undefined ? {} : { token: target.tokens.full }),
        },
        contract,
        send: client.send,
        journal,
        allow: target.allow,
        judge: judgeOf(contract, { seed, insecure: settings.insecure }),
        seed,
        runId,
        signal,
        onLive: showLive(teller),
        ...figures(settings),
      });
    } finally {
      teller.emit({ type: 'statistics', ...client.stats });
      await client.close();
      await journal.close();
      const report = await cleanJournals({
        target: options,
        contract,
        runId,
        settleMs: settings.settle,
        ...(dir === undefined ? {} : { journalDir: dir }),
      });
      teller.emit({
        ...effectsRecord(report),
        created: journal.created,
        removed: journal.created - report.left.length,
      });
    }
  } finally {
    await target.stop();
    if (dir !== undefined) await rm(dir, { recursive: true, force: true });
  }
}
