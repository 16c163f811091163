import {
  asObject,
  at,
  empty,
  hit,
  items,
  json,
  number,
  parsed,
  relist,
  served,
  succeeded,
  withJson,
  withQuery,
} from '../proxy/edit.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { AUDIT, AUDIT_MANY, NUMBERED, STREAM } from '../exam/operations.ts';

const OPEN = 'not stated by api.md (false-alarm list of platform.md)';
const AUDITS = [AUDIT, AUDIT_MANY];

/** An empty page where the path names a parent that there is not. */
const emptyForUnknown: Make = at({ op: [...NUMBERED, STREAM], when: served }, async (call, next) => {
  const reply = await next();
  if (reply.status !== 404) return reply;
  if (hit(call, STREAM)) return json([]);
  const [currentPage, pageSize] = [number(call, 'pageNumber', 1), number(call, 'pageSize', 10)];
  return json({ totalCount: 0, pageSize, currentPage, totalPages: 0, data: [] });
});

const isPastEnd = (call: Call, reply: Reply): boolean => {
  const isLater = number(call, 'page', 0) > 0 || number(call, 'pageNumber', 1) > 1;
  return reply.status === 200 && isLater && items(parsed(reply)).length === 0;
};

/** The log keeps the newest change of each object, and pages what is left. */
const newestOfEach: Make = at({ op: AUDITS, when: served }, async (call, next) => {
  const reply = await next();
  if (!succeeded(reply)) return reply;
  const [page, take] = [number(call, 'page', 0), number(call, 'take', 20)];
  const entries = items(parsed(await next(withQuery(call, { page: 0, take: 1000 })))).map(asObject);
  const newest = new Map(
    entries
      .toSorted((a, b) => Date.parse(String(a['createdAt'])) - Date.parse(String(b['createdAt'])))
      .map((entry) => [entry['objectId'], entry]),
  );
  const kept = entries.filter((entry) => newest.get(entry['objectId']) === entry);
  return withJson(reply, kept.slice(page * take, (page + 1) * take));
});

/** What the document leaves open of lists. */
export const LISTS: readonly Variation[] = [
  variation('unknown-parents-empty', `answers an unknown parent with an empty page: ${OPEN}`, emptyForUnknown),
  variation('past-end-404', 'a page past the end: not stated by api.md', () => async (call, next) => {
    const reply = await next();
    return served(call) && call.method === 'GET' && isPastEnd(call, reply) ? empty(404) : reply;
  }),
  variation('audit-of-newest-change', `logs not each kind of change: ${OPEN}`, newestOfEach),
  variation(
    'audit-empty',
    `logs not each kind of change: ${OPEN}`,
    relist(AUDITS, () => []),
  ),
];
