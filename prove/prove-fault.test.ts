import { expect, it } from 'vitest';
import { proveFault } from './prove-fault.ts';
import type { ProveJob } from './job.ts';

const caught = { check: 'filters', operation: 'GET /a', severity: 'violation', message: 'wrong' } as const;
const signal = new AbortController().signal;
const fault = { area: 'state', operations: ['GET /a'] } as const;

function answering(...findings: readonly (readonly (typeof caught)[])[]) {
  const jobs: ProveJob[] = [];
  const run = (job: ProveJob) => {
    jobs.push(job);
    return Promise.resolve({ tests: 1, findings: findings[jobs.length - 1] ?? [], errors: [], durationMs: 1 });
  };
  return { jobs, run };
}

it('stops at the first stage that catches the fault', async () => {
  const { jobs, run } = answering([caught]);
  const result = await proveFault(
    { name: 'f', fault, expected: ['filters'], narrow: ['filters'], seed: 1 },
    run,
    signal,
  );
  expect(jobs).toEqual([{ fault: 'f', only: ['filters'], skip: [], seed: 1 }]);
  expect(result.findings).toHaveLength(1);
});

it('goes on to the suites of the area, then to all, where nothing does', async () => {
  const { jobs, run } = answering();
  await proveFault({ name: 'f', fault, expected: [], narrow: [], seed: 1 }, run, signal);
  expect(jobs.map(({ only }) => only)).toEqual([['state'], []]);
});

it('goes on where another check caught it than must', async () => {
  const { jobs, run } = answering([caught], [], []);
  await proveFault(
    { name: 'f', fault: { area: 'contract', operations: ['GET /a'] }, expected: ['ordering'], narrow: [], seed: 1 },
    run,
    signal,
  );
  expect(jobs.map(({ only, skip }) => [only, skip])).toEqual([
    [['GET /a'], ['properties', 'state']],
    [['contract'], []],
    [[], []],
  ]);
});
