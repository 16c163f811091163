import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ServeLine } from '../cli/embedded.ts';

/** The embedded service with some faults, in a process of its own. Needs a build. */
export async function startServe(
  faults: readonly string[],
): Promise<{ readonly baseUrl: string; readonly token: string; stop(): Promise<void> }> {
  const child = fork(
    fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)),
    ['serve', '--json', ...faults.flatMap((name) => ['--fault', name])],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  if (child.stdout === null) throw new Error('the service has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { baseUrl, tokens } = JSON.parse(line) as ServeLine;
  return {
    baseUrl,
    token: tokens.full,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
