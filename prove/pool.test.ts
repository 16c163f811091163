import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';
import type { ProveJob } from './job.ts';
import { openPool } from './pool.ts';

const WORKER = `
process.on('message', ({ seed }) => {
  if (seed === 1) process.kill(process.pid, 'SIGKILL');
  else process.send({ tests: seed, errors: [] });
});`;

it('replaces a worker process that was killed', async () => {
  const file = join(emptyDirectory(), 'worker.mjs');
  writeFileSync(file, WORKER);
  const pool = openPool(1, file);
  const job: ProveJob = { defects: [], healthy: [], only: [], seed: 1, runs: 1, strict: false };
  const { signal } = new AbortController();
  const answers = await Promise.all([1, 2, 3].map((seed) => pool.run({ ...job, seed }, signal)));
  pool.close();
  expect(answers.map(({ tests, errors }) => [tests, errors])).toEqual([
    [0, ['the worker process ended with a signal']],
    [2, []],
    [3, []],
  ]);
});
