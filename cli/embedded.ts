import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AssayError, EXIT } from '../spec/index.ts';
import type { ServeLine } from './serve-line.ts';

export interface EmbeddedOptions {
  readonly faults?: readonly string[];
}

/** The embedded service, in a process of its own. */
export interface Embedded extends ServeLine {
  stop(): Promise<void>;
}

const self = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url));

function wordsOf(options: EmbeddedOptions): string[] {
  return ['serve', '--json', ...(options.faults ?? []).flatMap((fault) => ['--fault', fault])];
}

function firstLine(child: ChildProcess): Promise<ServeLine> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new AssayError(`the embedded service did not start: ${why}`, { hint: 'try `assay serve` by itself', exitCode: EXIT.internal }));
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`it ended with ${code ?? 'a signal'}`));
    if (child.stdout) createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line) as ServeLine));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/**
 * Starts the embedded service in memory, on a free port. It has a process group of its own, so that a Ctrl-C meant for the run does not
 * end it before the run has cleaned up; when this process ends, in whatever way, so does it.
 */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<Embedded> {
  const child = fork(self, wordsOf(options), { detached: true, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const line = await firstLine(child);
  return { ...line, stop: () => ended(child) };
}
