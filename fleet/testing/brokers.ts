import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onPath } from '../local.ts';

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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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

/** Brokers of this machine; those that are not there are printed. */
export const BROKERS = ['redis-server', 'valkey-server'].flatMap((name) => {
  const file = onPath(name);
  if (file !== undefined) return [{ name, open: (persists = false) => startServer(file, persists) }];
  process.stderr.write(`skipped: the fleet on ${name}, which is not on the PATH\n`);
  return [];
});
