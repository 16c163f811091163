import {
  asObject,
  hit,
  idOf,
  items,
  number,
  parsed,
  problem,
  relisted,
  served,
  succeeded,
  withItems,
  withJson,
  withQuery,
} from '../proxy/edit.ts';
import { mine } from '../exam/items.ts';
import type { Call, Make, Outgoing } from '../proxy/message.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { CHATS, NUMBERED, RESULT, RUNS } from '../exam/operations.ts';

const OPEN = 'takes seconds to days to start and end a run: not stated by api.md (platform.md)';

/** The page of a list that a call asks for. */
export const pageOf = (call: Call, value: unknown, list: readonly unknown[]): unknown => {
  const [page, size] = [number(call, 'pageNumber', 1), number(call, 'pageSize', 10)];
  const data = list.slice((page - 1) * size, page * size);
  return { ...asObject(value), data, totalCount: list.length, totalPages: Math.ceil(list.length / size) };
};

export const whole = (call: Call, more: Readonly<Record<string, undefined>> = {}): Partial<Outgoing> =>
  withQuery(call, { pageNumber: 1, pageSize: 10_000, ...more });

/** Runs show a while after they were queued, and end a while after that. */
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

const startOf = (run: unknown): number => Date.parse(String(asObject(run)['createdAt'] ?? asObject(run)['startedAt']));

/** The chats of a run appear one after another while it goes on. */
const fillingRuns =
  (eachMs: number): Make =>
  (context) =>
  async (call, next) => {
    if (!hit(call, { op: [RUNS, CHATS], when: served })) return next();
    if (hit(call, RUNS)) {
      const reply = await next();
      if (!succeeded(reply)) return reply;
      const isOver = (run: unknown): boolean => Date.now() - startOf(run) > 100 * eachMs;
      const shown = (run: unknown): unknown =>
        isOver(run) ? run : { ...asObject(run), state: 'Running', completedAt: null };
      return relisted(reply, (list) => list.map(shown));
    }
    const reply = await next(whole(call));
    if (!succeeded(reply)) return next();
    const { jobId = '', runId = '' } = call.route?.params ?? {};
    const runs = items(parsed(await context.send('GET', `/api/aijob/${jobId}/runs?pageSize=10000`)));
    const elapsedMs = Date.now() - startOf(runs.find((run) => idOf(run) === runId.toLowerCase()));
    const isThere = (chat: unknown): boolean => Number(asObject(chat)['sequenceId']) * eachMs < elapsedMs;
    return withJson(reply, pageOf(call, parsed(reply), items(parsed(reply)).filter(isThere)));
  };

/** Runs that take their time. */
export const RUNS_LATE: readonly Variation[] = [
  variation('runs-take-seconds', OPEN, unhurriedRuns(2500, 6000)),
  variation('runs-take-minutes', OPEN, unhurriedRuns(45_000, 120_000)),
  variation('runs-fill-slowly', OPEN, fillingRuns(300)),
  variation('runs-never-show', OPEN, unhurriedRuns(86_400_000, 86_400_000)),
];
