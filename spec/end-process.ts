import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a child process by `end` and waits for its exit. */
export async function endProcess(child: ChildProcess, end: () => void = () => child.kill('SIGTERM')): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  end();
  await ended;
}
