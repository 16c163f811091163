import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, onPath } from '../local.ts';
import {
  databaseUrl,
  embeddedPostgres,
  isServing,
  makeDatabase,
  serverCommand,
  serverProcess,
} from '../postgres-server.ts';
import type { PostgresPrograms } from '../postgres-server.ts';

/** A broker of a test. */
export interface TestBroker {
  readonly url: string;
  /** Its files: the AOF, where it has one. */
  readonly dir: string;
  /** Ends it at once, as a power failure would. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

async function startServer(file: string, persists: boolean): Promise<TestBroker> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-broker-'));
  const port = await freePort();
  const kept = ['--appendonly', persists ? 'yes' : 'no', '--appendfsync', 'always'];
  const words = ['--bind', '127.0.0.1', '--port', String(port), '--dir', dir, '--save', '', ...kept];
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    child = spawn(file, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const text of child.stdout as AsyncIterable<Buffer>)
      if (text.toString().includes('Ready to accept')) break;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    dir,
    kill,
    start,
    close: async () => {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface NamedBroker {
  readonly name: string;
  /** @param persists with an append-only file. */
  readonly open: (persists?: boolean) => Promise<TestBroker>;
}

function skip(name: string): never[] {
  process.stderr.write(`skipped: the fleet on ${name}, which this machine does not have\n`);
  return [];
}

/** Brokers of this machine; those that are not there are printed. */
export const BROKERS: readonly NamedBroker[] = ['redis-server', 'valkey-server'].flatMap((name): NamedBroker[] => {
  const file = onPath(name);
  return file === undefined ? skip(name) : [{ name, open: (persists = false) => startServer(file, persists) }];
});

async function startPostgres(programs: PostgresPrograms): Promise<TestBroker> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-broker-'));
  const port = await freePort();
  await makeDatabase(programs, dir);
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const start = async (): Promise<void> => {
    const [file = '', ...words] = serverCommand(programs, dir, port);
    child = spawn(file, words, { ...serverProcess(programs, dir), stdio: ['ignore', 'ignore', 'pipe'] });
    await isServing(child);
  };
  await start();
  return {
    url: databaseUrl(port),
    dir,
    kill: () => end('SIGKILL'),
    start,
    close: async () => {
      await end('SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const programs = await embeddedPostgres();

/** PostgreSQL, where `npm ci` could install it. */
export const POSTGRES: readonly NamedBroker[] =
  programs === undefined ? skip('PostgreSQL') : [{ name: 'PostgreSQL', open: () => startPostgres(programs) }];
