import {
  asObject,
  at,
  hit,
  idOf,
  items,
  json,
  number,
  parsed,
  problem,
  rewrite,
  succeeded,
  withItems,
  withJson,
  withQuery,
} from '../proxy/edit.ts';
import { itself, mine } from '../exam/items.ts';
import type { Call, Make, Outgoing } from '../proxy/message.ts';
import { together } from '../proxy/compose.ts';
import { refuse, served } from './refusals.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';

const OPEN = 'not stated by api.md (false-alarm list of platform.md)';
const [QUEUE, RUNS, RESULTS] = [
  'POST /aijob/{id}/execution-queue',
  'GET /aijob/{id}/runs',
  'GET /aijob/{id}/results/{type}',
];
const [RUN_RESULTS, RESULT] = ['GET /aijob/{id}/runs/{runId}/results', 'GET /aijob/{id}/results/{type}/{resultId}'];
const [APPROVE, BULK] = ['POST /aijob/{id}/results/{type}/approvals', 'PUT /aijob/{id}/bulk-result-approval-request'];
const STREAM = 'GET /aijob/{id}/chatstream';
const PAGED = [RUNS, RESULTS, 'GET /aijob/{jobId}/runs/{runId}/chats', RUN_RESULTS];

/** The page of a list that a call asks for. */
const pageOf = (call: Call, value: unknown, list: readonly unknown[]): unknown => {
  const [page, size] = [number(call, 'pageNumber', 1), number(call, 'pageSize', 10)];
  const data = list.slice((page - 1) * size, page * size);
  return { ...asObject(value), data, totalCount: list.length, totalPages: Math.ceil(list.length / size) };
};

const whole = (call: Call, more: Readonly<Record<string, undefined>> = {}): Partial<Outgoing> =>
  withQuery(call, { pageNumber: 1, pageSize: 10_000, ...more });

/** Runs show a while after they were queued, and end a while after that. */
const unhurriedRuns =
  (appearMs: number, endMs: number): Make =>
  () => {
    const began = (run: unknown): number =>
      Date.parse(String(asObject(run)['createdAt'] ?? asObject(run)['startedAt']));
    const isOld = (run: unknown, ms: number): boolean => Date.now() - began(run) > ms;
    const running = { status: 'Running', state: 'Running', endedAt: null, completedAt: null, count: 0 };
    const shown = (run: unknown): unknown => {
      const { chatCount: _chats, resultCount: _results, ...rest } = asObject(run);
      const members = Object.entries(running).filter(([name]) => name in rest);
      return isOld(run, endMs) ? run : { ...rest, ...Object.fromEntries(members) };
    };
    const ended = new Set<string>();
    return async (call, next) => {
      if (!hit(call, { op: [...PAGED, RESULT, STREAM], when: served })) return next();
      if (hit(call, RUNS)) {
        const reply = await next(whole(call));
        if (!succeeded(reply)) return next();
        const all = items(parsed(reply)).filter((run) => isOld(run, appearMs));
        for (const run of all) if (isOld(run, endMs)) ended.add(idOf(run)).add(mine(call));
        return withJson(reply, pageOf(call, parsed(reply), all.map(shown)));
      }
      const reply = await next();
      if (!succeeded(reply) || ended.has(call.route?.params['runId']?.toLowerCase() ?? mine(call))) return reply;
      return hit(call, RESULT)
        ? problem(404)
        : withJson(reply, withItems({ ...asObject(parsed(reply)), totalCount: 0, totalPages: 0 }, []));
    };
  };

/** Where the path names a parent that there is not, an empty page. */
const emptyForUnknown: Make = at({ op: [...PAGED, STREAM], when: served }, async (call, next) => {
  const reply = await next();
  if (reply.status !== 404) return reply;
  if (hit(call, STREAM)) return json([]);
  const [currentPage, pageSize] = [number(call, 'pageNumber', 1), number(call, 'pageSize', 10)];
  return json({ totalCount: 0, pageSize, currentPage, totalPages: 0, data: [] });
});

/** Every result is approved as soon as it is there. */
const approvedAtOnce: Make = together(
  rewrite(RESULT, (value) => approved(value)),
  at({ op: [RESULTS, RUN_RESULTS], when: served }, async (call, next) => {
    const wanted = call.search.get('state');
    const reply = await next(whole(call, { state: undefined }));
    if (!succeeded(reply)) return next();
    const all = items(parsed(reply)).map(approved);
    const chosen = all.filter(
      (each) => wanted === null || new RegExp(`^${String(asObject(each)['state'])}$`, 'i').test(wanted),
    );
    return withJson(reply, pageOf(call, parsed(reply), chosen));
  }),
);

function approved(value: unknown): unknown {
  return asObject(value)['state'] === 'Pending' ? { ...asObject(value), state: 'Approved' } : value;
}

/** Jobs, runs and results that behave as the document does not state. */
export const RUNS_UNPROMISED: readonly Variation[] = [
  variation(
    'run-needs-enabled-job',
    `a job must be enabled before it runs: ${OPEN}`,
    at({ op: QUEUE, when: served }, async (call, next, context) => {
      const job = asObject(parsed(await context.send('GET', itself(call))));
      return 'id' in job && job['enabled'] !== true ? problem(409) : next();
    }),
  ),
  variation('unknown-parents-empty', `answers an unknown parent with an empty page: ${OPEN}`, emptyForUnknown),
  variation('runs-take-seconds', `takes seconds to days to start and end a run: ${OPEN}`, unhurriedRuns(2500, 6000)),
  variation(
    'runs-take-minutes',
    `takes seconds to days to start and end a run: ${OPEN}`,
    unhurriedRuns(45_000, 120_000),
  ),
  variation(
    'runs-never-show',
    `takes seconds to days to start and end a run: ${OPEN}`,
    unhurriedRuns(86_400_000, 86_400_000),
  ),
  variation('results-approved-at-once', `approves results at once: ${OPEN}`, approvedAtOnce),
  variation(
    'approved-results-409',
    `approves results at once, so that deciding again is a conflict: ${OPEN}`,
    together(
      approvedAtOnce,
      refuse((call) => hit(call, [APPROVE, BULK]) && call.json !== undefined, problem(409)),
    ),
  ),
  variation(
    'dry-run-is-listed',
    'what a dry run leaves is not stated by api.md',
    at({ op: ['POST /aijob/{id}/dry-run'], when: served }, async (call, next, context) => {
      const reply = await next();
      if (succeeded(reply)) await context.send('POST', `${itself(call)}/execution-queue`);
      return reply;
    }),
  ),
];
