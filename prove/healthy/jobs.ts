import { hit, served } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asObject, items } from '../proxy/json.ts';
import { problem, succeeded } from '../proxy/reply.ts';
import { itemOf, pathOfItem } from '../defects/items.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import { NOT_STATED, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { DRY_RUN, JOB_WRITES, QUEUE } from '../defects/operations.ts';
import { refuse } from './changes.ts';

/** Refuses creations that meet a condition where so many items exist: limits are not shown. */
const quota =
  (most: number, status: number): Make =>
  () => {
    const counts = new Map<string, number>();
    const countOf = (path: string): number => counts.get(path) ?? 0;
    return async (call, next) => {
      const [, path = '', id] =
        /^\/api(?:\/v1)?(\/(?:accesscontrolpolicies|aiagent|aijob))(\/[^/]+)?$/i.exec(call.path) ?? [];
      const isCreation = served(call) && call.method === 'POST' && path !== '' && id === undefined;
      if (isCreation && countOf(path) >= most) return problem(status);
      const reply = await next();
      if (isCreation && succeeded(reply)) counts.set(path, countOf(path) + 1);
      if (call.method === 'DELETE' && id !== undefined && succeeded(reply)) counts.set(path, countOf(path) - 1);
      return reply;
    };
  };

/** The only endpoint that exists: that of a job created before the run. */
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

/** Refuses to run a job that does not meet a condition. */
const runsOnlyIf = (fits: (job: Record<string, unknown>) => boolean, status: number): Make =>
  at({ op: QUEUE, when: served }).handles(async (call, next, context) => {
    const job = await itemOf(call, context);
    return 'id' in job && !fits(job) ? problem(status) : next();
  });

export const JOB_RULES: readonly Variation[] = [
  variation('creations-409-past-a-limit', 'limits are not shown (api.md 8); 409 is a conflict (section 7)').by(
    quota(60, 409),
  ),
  variation('creations-403-past-a-limit', 'limits are not shown (api.md 8): a gateway may have one').by(quota(60, 403)),
  variation('run-needs-enabled-job', `a job must be enabled before it runs: ${NOT_STATED}`).by(
    runsOnlyIf(({ enabled }) => enabled === true, 409),
  ),
  variation('run-needs-endpoint', `the endpoint of a job must exist before it runs: ${NOT_STATED}`).by(
    runsOnlyIf(({ endpointId }) => endpointId === ENDPOINT, 400),
    withEndpoint,
  ),
  variation(
    'one-run-at-a-time',
    'a running job is not queued again: 409 is a conflict with the current state (section 7)',
  ).handles(QUEUE, async (call, next, context) => {
    const runs = await listAt(context, `${pathOfItem(call)}/runs?pageSize=100`);
    return runs.some((run) => asObject(run)['state'] !== 'Completed') ? problem(409) : next();
  }),
  variation('endpoint-must-exist', `the endpoint of a job must exist: ${NOT_STATED}`).by(
    refuse((call) => hit(call, JOB_WRITES) && !isKnownEndpoint(call), problem(400)),
    withEndpoint,
  ),
  variation('dry-run-is-listed', 'whether a dry run is listed is not stated by api.md').by(
    at(DRY_RUN).also((call, context) => context.send('POST', `${pathOfItem(call)}/execution-queue`)),
  ),
];
