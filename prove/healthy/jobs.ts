import { asObject, at, hit, items, parsed, problem, served, succeeded } from '../proxy/edit.ts';
import { itself } from '../exam/items.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import { refuse } from './refusals.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { DRY_RUN, JOBS, PATCH, QUEUE } from '../exam/operations.ts';

const OPEN = 'not stated by api.md (false-alarm list of platform.md)';
const WRITES = [...JOBS, PATCH, DRY_RUN, 'POST /aijob/{id}/preview'];

/** An endpoint that the deployment has: that of a job that was there before. */
const ENDPOINT = '5d1c6f0a-3b7e-4d52-9a61-7f0c2e9b4d10';
const withEndpoint = {
  before: async (context: Context): Promise<void> => {
    await context.send('POST', '/api/aijob', { name: 'there before', endpointId: ENDPOINT });
  },
};

const isKnownEndpoint = (call: Call): boolean => {
  const given = Array.isArray(call.json)
    ? items(call.json).find((each) => asObject(each)['path'] === '/endpointId')
    : { value: asObject(call.json)['endpointId'] };
  return [undefined, null, ENDPOINT].includes(asObject(given)['value'] as string | undefined);
};

/** Refuses to run a job that is not as it must be. */
const runsWhere = (fits: (job: Record<string, unknown>) => boolean, status: number): Make =>
  at({ op: QUEUE, when: served }, async (call, next, context) => {
    const job = asObject(parsed(await context.send('GET', itself(call))));
    return 'id' in job && !fits(job) ? problem(status) : next();
  });

/** What the document leaves open of jobs. */
export const JOB_RULES: readonly Variation[] = [
  variation(
    'run-needs-enabled-job',
    `a job must be enabled before it runs: ${OPEN}`,
    runsWhere(({ enabled }) => enabled === true, 409),
  ),
  variation(
    'run-needs-endpoint',
    `the endpoint of a job must exist before it runs: ${OPEN}`,
    runsWhere(({ endpointId }) => endpointId === ENDPOINT, 400),
    withEndpoint,
  ),
  variation(
    'one-run-at-a-time',
    'a job that runs is not queued again: 409 is a conflict with the current state (section 7)',
    at({ op: QUEUE, when: served }, async (call, next, context) => {
      const runs = items(parsed(await context.send('GET', `${itself(call)}/runs?pageSize=100`)));
      return runs.some((run) => asObject(run)['state'] !== 'Completed') ? problem(409) : next();
    }),
  ),
  variation(
    'endpoint-must-exist',
    `the endpoint of a job must exist: ${OPEN}`,
    refuse((call) => hit(call, WRITES) && !isKnownEndpoint(call), problem(400)),
    withEndpoint,
  ),
  variation(
    'dry-run-is-listed',
    'what a dry run leaves is not stated by api.md',
    at({ op: DRY_RUN, when: served }, async (call, next, context) => {
      const reply = await next();
      if (succeeded(reply)) await context.send('POST', `${itself(call)}/execution-queue`);
      return reply;
    }),
  ),
];
