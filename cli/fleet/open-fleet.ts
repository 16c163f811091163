import { join } from 'node:path';
import { Controller, Ledger, readLedger, startLocalBroker } from '../../fleet/index.ts';
import type { FleetCommand, LedgerEntry } from '../../fleet/index.ts';
import type { Senders } from '../../load/index.ts';
import type { LiveFleet } from '../../reports/index.ts';
import type { Contract, Effect } from '../../spec/index.ts';
import type { Settings } from '../options/table.ts';
import { keepSecret } from '../secrets.ts';
import { VERSION } from '../version.ts';
import { engineHash } from './engine-hash.ts';
import { connectBroker } from './broker.ts';
import type { BrokerSettings } from './broker.ts';
import { ZoneRates } from './zone-rates.ts';
import { startAgents } from './local-agents.ts';
import type { RunTarget } from '../target/target.ts';

export type FleetSettings = BrokerSettings &
  Settings<'agents' | 'zones' | 'onLoss' | 'gather' | 'lock' | 'resume' | 'out'>;

export interface FleetRun {
  readonly command: FleetCommand;
  readonly settings: FleetSettings;
  readonly target: RunTarget;
  readonly contract: Contract;
  /** Effects that each agent must allow. */
  readonly effects: readonly Effect[];
  readonly run: string;
  readonly seed: number;
  /** Requests per second of the whole run; 0: not known yet. */
  readonly rate: number;
  readonly workers: number | undefined;
  readonly signal: AbortSignal;
  readonly onNote: (text: string) => void;
}

export interface OpenedFleet {
  senders(): Promise<Senders>;
  readonly controller: Controller;
  readonly agents: number;
  live(offeredRate: number): LiveFleet;
  close(): Promise<void>;
}

const LOCAL_AGENTS = 3;
const LANES = 2;
const GATHER_MS = 60_000;
const LOCK_MS = 5_000;
const MOST_LANES = 4096;

const ledgerOf = (out: string): string => join(out, 'fleet.ndjson');

/** The ledger of the run to resume; empty for a new run. */
export async function historyOf({
  resume,
  out,
}: Pick<FleetSettings, 'resume' | 'out'>): Promise<readonly LedgerEntry[]> {
  return resume === undefined ? [] : readLedger(ledgerOf(out), resume);
}

function announcementOf(
  { command, settings, target, contract, effects, run, rate }: FleetRun,
  agents: number,
): ConstructorParameters<typeof Controller>[0]['announcement'] {
  const { zones = {}, lock: lockMs = LOCK_MS } = settings;
  return {
    run,
    command,
    effects,
    lockMs,
    version: VERSION,
    target: target.baseUrl,
    engineHash: engineHash(contract),
    ratePerAgent: rate / agents,
    zones: Object.keys(zones),
  };
}

/** Waits for the agents of a run; with `local`, also starts them and a broker. */
export async function openFleet(given: FleetRun, history: readonly LedgerEntry[]): Promise<OpenedFleet> {
  const { settings, target, run, seed, signal, onNote } = given;
  const { fleet = 'local', zones, onLoss, gather: gatherMs = GATHER_MS, out } = settings;
  const isLocal = fleet === 'local';
  const agents = settings.agents ?? (isLocal ? LOCAL_AGENTS : 1);
  const local = isLocal ? await startLocalBroker() : undefined;
  if (local !== undefined) keepSecret(local.password, 'ASSAY_FLEET_PASSWORD');
  const closers: (() => Promise<void>)[] = local === undefined ? [] : [() => local.close()];
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).toReversed()) await each().catch(() => {});
  };
  try {
    const password = local?.password ?? settings.fleetPassword;
    const url = local?.url ?? fleet;
    const { broker, signer } = await connectBroker(url, { fleetPassword: password, fleetKey: settings.fleetKey });
    closers.push(() => broker.close());
    await broker.requireConnections(agents);
    const controller = new Controller({
      broker,
      signer,
      announcement: announcementOf(given, agents),
      agents,
      gatherMs,
      onLoss,
      history,
      seed,
      onNote,
      onStop: () => process.kill(process.pid, 'SIGTERM'),
      signal,
      ledger: await Ledger.open(ledgerOf(out)),
      ...(zones && { zones }),
    });
    if (local !== undefined) {
      const started = startAgents(agents, { url, password: local.password }, target);
      closers.push(() => started.close());
    }
    closers.push(() => controller.close());
    onNote(`fleet: run ${run}, waiting for ${agents} ${agents === 1 ? 'agent' : 'agents'}`);
    await controller.open();
    const lanes = Math.min(MOST_LANES, agents * (given.workers ?? LANES));
    const rates = new ZoneRates(zones, agents, controller.roster);
    return {
      controller,
      agents,
      close,
      live: (offeredRate) => rates.live(offeredRate),
      async senders() {
        // Shares of `verify` need nothing of load.
        const { fleetSenders } = await import('./senders.ts');
        return fleetSenders(controller, { run, lanes, repeatsLost: onLoss === 'repeat', rates });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
