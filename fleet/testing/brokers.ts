import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, onPath } from '../local.ts';

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

/** Where Debian has the programs of PostgreSQL; elsewhere they are on the PATH. */
function postgresFolder(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const folders = existsSync(versions) ? readdirSync(versions).map((name) => join(versions, name, 'bin')) : [];
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? dirname(onPath('initdb') ?? '/');
}

/** PostgreSQL refuses root, so that it runs as nobody there. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

async function startPostgres(folder: string): Promise<TestBroker> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-broker-'));
  if (NOBODY.uid !== undefined) chownSync(dir, NOBODY.uid, NOBODY.gid);
  const port = await freePort();
  const data = join(dir, 'data');
  const init = spawn(join(folder, 'initdb'), ['-D', data, '-U', 'assay', '-A', 'trust', '-N'], {
    ...NOBODY,
    cwd: dir,
    stdio: 'ignore',
  });
  await once(init, 'exit');
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const start = async (): Promise<void> => {
    const words = ['-D', data, '-p', String(port), '-k', dir, '-h', '127.0.0.1', '-F'];
    child = spawn(join(folder, 'postgres'), words, { ...NOBODY, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
    for await (const text of child.stderr as AsyncIterable<Buffer>)
      if (text.toString().includes('ready to accept')) break;
  };
  await start();
  return {
    url: `postgres://assay@127.0.0.1:${port}/postgres`,
    dir,
    kill: () => end('SIGKILL'),
    start,
    close: async () => {
      await end('SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const folder = postgresFolder();

/** PostgreSQL, where this machine has it. */
export const POSTGRES: readonly NamedBroker[] =
  folder === undefined || !existsSync(join(folder, 'initdb'))
    ? skip('PostgreSQL')
    : [{ name: 'PostgreSQL', open: () => startPostgres(folder) }];
