import { hit, itemId, served } from '../proxy/call.ts';
import { listAt } from '../proxy/handler.ts';
import { asObject, idOf, items, withItems } from '../proxy/json.ts';
import { parsed, problem, relisted, succeeded, withJson } from '../proxy/reply.ts';
import type { Make } from '../proxy/message.ts';
import { numberedPageOf, wholeList } from './pages.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { CHATS, NUMBERED, RESULT, RUNS } from '../defects/operations.ts';

const OPEN = 'how long a run takes to start and to end is not stated by api.md (platform.md: seconds to days)';

/** Runs are listed some time after they were queued, and end some time after that. */
const unhurriedRuns =
  (appearMs: number, endMs: number): Make =>
  () => {
    const isOld = (run: unknown, ms: number): boolean => Date.now() - startOf(run) > ms;
    const running = { status: 'Running', state: 'Running', endedAt: null, completedAt: null, count: 0 };
    const shown = (run: unknown): unknown => {
      const { chatCount: _chats, resultCount: _results, ...rest } = asObject(run);
      const members = Object.entries(running).filter(([name]) => name in rest);
      return isOld(run, endMs) ? run : { ...rest, ...Object.fromEntries(members) };
    };
    const ended = new Set<string>();
    return async (call, next) => {
      if (!hit(call, { op: [...NUMBERED, RESULT], when: served })) return next();
      if (hit(call, RUNS)) {
        const reply = await next(wholeList(call));
        if (!succeeded(reply)) return next();
        const all = items(parsed(reply)).filter((run) => isOld(run, appearMs));
        for (const run of all) if (isOld(run, endMs)) ended.add(idOf(run)).add(itemId(call));
        return withJson(reply, numberedPageOf(call, parsed(reply), all.map(shown)));
      }
      const reply = await next();
      if (!succeeded(reply) || ended.has(call.route?.params['runId']?.toLowerCase() ?? itemId(call))) return reply;
      return hit(call, RESULT)
        ? problem(404)
        : withJson(reply, withItems({ ...asObject(parsed(reply)), totalCount: 0, totalPages: 0 }, []));
    };
  };

const startOf = (run: unknown): number => Date.parse(String(asObject(run)['createdAt'] ?? asObject(run)['startedAt']));

/** Time between two chats of a run. */
const CHAT_MS = 300;

/** The chats of a run appear one after another while it is running. */
const fillingRuns: Make = (context) => async (call, next) => {
  if (!hit(call, { op: [RUNS, CHATS], when: served })) return next();
  if (hit(call, RUNS)) {
    const reply = await next();
    if (!succeeded(reply)) return reply;
    const isOver = (run: unknown): boolean => Date.now() - startOf(run) > 100 * CHAT_MS;
    const shown = (run: unknown): unknown =>
      isOver(run) ? run : { ...asObject(run), state: 'Running', completedAt: null };
    return relisted(reply, (list) => list.map(shown));
  }
  const reply = await next(wholeList(call));
  if (!succeeded(reply)) return next();
  const { jobId = '', runId = '' } = call.route?.params ?? {};
  const runs = await listAt(context, `/api/aijob/${jobId}/runs?pageSize=10000`);
  const elapsedMs = Date.now() - startOf(runs.find((run) => idOf(run) === runId.toLowerCase()));
  const isThere = (chat: unknown): boolean => Number(asObject(chat)['sequenceId']) * CHAT_MS < elapsedMs;
  return withJson(reply, numberedPageOf(call, parsed(reply), items(parsed(reply)).filter(isThere)));
};

export const RUNS_LATE: readonly Variation[] = [
  variation('runs-take-seconds', OPEN).by(unhurriedRuns(2500, 6000)),
  variation('runs-take-minutes', OPEN).by(unhurriedRuns(45_000, 120_000)),
  variation('runs-fill-slowly', OPEN).by(fillingRuns),
  variation('runs-never-show', OPEN).by(unhurriedRuns(86_400_000, 86_400_000)),
];
