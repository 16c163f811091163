import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
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

/** A broker of this process on the loopback interface. */
export interface LocalBroker extends BrokerAddress {
  readonly password: string;
  close(): Promise<void>;
}

const SERVERS = ['valkey-server', 'redis-server'];

/** Ends the server when the pipe to its parent closes, however the parent ended. */
const WITH_PARENT = '"$@" & server=$!; cat > /dev/null; kill $server; wait $server';

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

/** Starts a Redis or Valkey server of this machine, in memory; an AssayError (exit code 2) where there is none. */
export async function startLocal(): Promise<LocalBroker> {
  const server = SERVERS.map(onPath).find((file) => file !== undefined);
  if (server === undefined)
    throw new AssayError('--fleet local found no broker on this machine.', {
      hint: `Install ${SERVERS.join(' or ')}, or give the URL of one: --fleet redis://HOST:PORT or postgres://HOST/DATABASE.`,
      exitCode: EXIT.usage,
    });
  const dir = await mkdtemp(join(tmpdir(), 'assay-fleet-'));
  const [port, password] = [await freePort(), randomBytes(18).toString('base64url')];
  const config = join(dir, 'broker.conf');
  const lines = ['bind 127.0.0.1', `port ${port}`, `dir ${dir}`, 'save ""', 'appendonly no', `requirepass ${password}`];
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  const child = spawn('/bin/sh', ['-c', WITH_PARENT, 'sh', server, config], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.stdin?.on('error', () => {});
  return {
    url: `redis://127.0.0.1:${port}`,
    password,
    close: async () => {
      await end(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
