import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

const MODULE = new URL('parent.ts', import.meta.url).href;

/** A process under a lease that says that it is ready, then does nothing else for `blockedMs`. */
const share = (blockedMs: number) =>
  spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      `import { endWithLease } from '${MODULE}';
       endWithLease();
       process.once('message', () => {
         process.send('ready');
         setTimeout(() => setImmediate(() => { const end = Date.now() + ${blockedMs}; while (Date.now() < end); }), 50);
       });`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );

it.each([
  ['ends when its lease is over', 0, 1, 'SIGTERM'],
  ['goes on after a pause in which its lease became longer', 1000, 40, null],
])('a share %s', async (_, blockedMs, leases, expected) => {
  const child = share(blockedMs);
  let signal: NodeJS.Signals | null = null;
  child.once('exit', (_code, by) => (signal = by));
  const lease = (): void => void child.send({ until: Date.now() + 400, signal: 'SIGTERM' });
  lease();
  await once(child, 'message');
  for (let sent = 1; sent < leases; sent += 1) {
    await sleep(50);
    if (signal === null) lease();
  }
  if (leases === 1) await once(child, 'exit');
  expect(signal).toBe(expected);
  if (signal === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
