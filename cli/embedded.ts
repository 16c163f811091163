import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AssayError, EXIT } from '../spec/errors.ts';
import type { ServeLine } from './serve-line.ts';

/** The embedded service, in a process of its own. */
export interface Embedded extends ServeLine {
  stop(): Promise<void>;
}

const self = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url));

function firstLine(child: ChildProcess): Promise<ServeLine> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void =>
      reject(
        new AssayError(`the embedded service did not start: ${why}`, {
          hint: 'try `assay serve` by itself',
          exitCode: EXIT.internal,
        }),
      );
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`it ended with ${code ?? 'a signal'}`));
    if (child.stdout)
      createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line) as ServeLine));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** The service is to be what it is by default, whatever the run's own settings are. */
function plainSurroundings(): { readonly env: NodeJS.ProcessEnv; readonly cwd: string } {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ASSAY_')));
  return { env, cwd: dirname(self) };
}

/**
 * Starts the embedded service in memory, on a free port. It has a process group of its own, so that a Ctrl-C meant for the run does not
 * end it before the run has cleaned up; when this process ends, in whatever way, so does it.
 */
export async function startEmbedded(): Promise<Embedded> {
  const child = fork(self, ['serve', '--json'], {
    ...plainSurroundings(),
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const line = await firstLine(child);
  return { ...line, stop: () => ended(child) };
}
