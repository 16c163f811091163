import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { capacityWrap } from './capacity/queue.ts';
import type { Capacity } from './capacity/queue.ts';
import { CATALOGUE } from './faults/index.ts';
import type { FaultBehaviour, Fault } from './faults/fault.ts';
import { createIdentities } from './http/identity.ts';
import type { Tokens } from './http/identity.ts';
import { createPipeline } from './http/pipeline.ts';
import { createServer } from './http/server.ts';
import { createRefuseUnrouted } from './http/unrouted.ts';
import { OPERATIONS } from './routes/index.ts';
import type { Journal } from './world/table.ts';
import { createWorld } from './world/world.ts';
import type { World } from './world/world.ts';
import { describe } from './description/describe.ts';
import { ok } from './http/answer.ts';
import { inForm } from './routes/define.ts';

export type { Tokens } from './http/identity.ts';

export type FaultName = keyof typeof CATALOGUE;

export type { Capacity } from './capacity/queue.ts';

/** Every named defect. All are off by default. */
export const FAULTS: Readonly<Record<FaultName, Omit<Fault, 'create'>>> = CATALOGUE;

/** Method and path template of every route. */
export const SERVICE_ROUTES: readonly { readonly method: string; readonly path: string }[] = OPERATIONS.flatMap(
  ({ method, path, forms }) => forms.map((form) => ({ method, path: form + path })),
);

export interface ServiceOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Folder for durable data; default: in memory. */
  readonly dataDir?: string;
  readonly faults?: readonly FaultName[];
  /** Determines ids and the results of runs. Default 1. */
  readonly seed?: number;
  /** The tokens are derived from it; default: the seed. */
  readonly secret?: string;
  /** The token with every permission; default: derived from the secret. */
  readonly token?: string;
  /** Sends every request except the status check through a queue with a known number of servers and service time. */
  readonly capacity?: Capacity;
}

export interface RunningService {
  /** The URL before `/api/…`. */
  readonly baseUrl: string;
  readonly tokens: Tokens;
  /** Closes all connections; resolves when the port is free. */
  close(): Promise<void>;
}

/** Gives the second tenant other ids than the first. Its data is in memory only. */
const OTHER_TENANT = 104_729;

/** LMDB is loaded only with a data folder. */
async function journalFor(directory: string | undefined): Promise<Journal | undefined> {
  if (directory === undefined) return undefined;
  const { openJournal } = await import('./storage/lmdb.ts');
  return openJournal(directory);
}

/** Starts the embedded service. Throws the error of the socket or of the data folder. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const { port = 0, host = '127.0.0.1', faults = [], seed = 1 } = options;
  const identities = createIdentities(options.secret ?? String(seed), options.token);
  const world = createWorld(seed, await journalFor(options.dataDir));
  const capacity = options.capacity === undefined ? undefined : capacityWrap(options.capacity, seed);
  const defects: FaultBehaviour[] = faults.map((name) => CATALOGUE[name].create(identities.tokens));
  const layers = {
    outer: [...(capacity === undefined ? [] : [capacity.wrap]), ...defects.flatMap(({ outer }) => outer ?? [])],
    inner: defects.flatMap(({ inner }) => inner ?? []),
  };
  let otherWorld: World | undefined;
  const serve = createPipeline(identities, createRefuseUnrouted(OPERATIONS), layers, () => {
    otherWorld ??= createWorld(seed + OTHER_TENANT);
    return otherWorld;
  });
  const description = describe(OPERATIONS);
  const served = inForm('/api', 'none', { 'GET /swagger/v1/swagger.json': () => ok(description) });
  const operations = [...OPERATIONS, ...served];
  const app = createServer({ world, operations, serve });
  const close = async () => {
    capacity?.stop();
    world.runner.stop();
    otherWorld?.runner.stop();
    await app.close();
    await world.journal.close();
  };
  await app.listen({ port, host }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { baseUrl: urlOf(app, host), tokens: identities.tokens, close };
}

function urlOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
