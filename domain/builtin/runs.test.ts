import { expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { overHttp } from '../testing/over-http.ts';
import { ranJob } from './runs.ts';

const idAt = (index: number): string => `0b7f1b52-7d5c-4c8a-9d49-${String(index).padStart(12, '0')}`;
const RUN = '1b7f1b52-7d5c-4c8a-9d49-3f3c1f3a9b01';
/** Forty jobs, of which one has runs, in the order of a list with the newest first. */
const jobsOf = (ran: number, members: Json): Json[] =>
  Array.from({ length: 40 }, (_, index) => ({ id: idAt(index), ...(index === ran ? (members as object) : {}) }));

it.each<[string, number, Json, (id: string) => boolean]>([
  ['shows the progress of a run', 33, { jobProgressId: RUN }, () => false],
  ['shows pending results', 33, { pendingItems: 3 }, () => false],
  ['is listed after the jobs of this run', 33, {}, (id) => id < idAt(30)],
])('a job of others with runs is found where it %s', async (_, ran, members, isOwn) => {
  const service = await overHttp({}, ({ line }) => {
    if (line.endsWith('aijob')) return { status: 200, json: jobsOf(ran, members) };
    return { status: 200, json: { data: line.includes(idAt(ran)) ? [{ id: RUN }] : [] } };
  });
  try {
    expect(await ranJob({ ...service.t, contract: await loadContract(), isOwn })).toMatchObject({
      jobId: idAt(ran),
      runIds: [RUN],
      own: false,
    });
  } finally {
    await service.close();
  }
});
