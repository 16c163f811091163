import { hit, number, served, withQuery } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asObject, items } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { json, parsed, problem, succeeded, withJson } from '../proxy/reply.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import { pageOf } from './pages.ts';
import { NOT_SHOWN, NOT_STATED, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { AUDIT, AUDIT_MANY, LIST, NUMBERED, RESULTS, STREAM } from '../defects/operations.ts';

const AUDITS = [AUDIT, AUDIT_MANY] as const;

/** Answers an unknown parent with an empty page. */
const emptyForUnknown: Make = at({ op: [...NUMBERED, STREAM] as const, when: served }).handles(async (call, next) => {
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

/** Shows the last page again instead of an empty one past the end. */
const lastPageAgain: Make = at({ op: NUMBERED, when: served }).handles(async (call, next) => {
  const reply = await next();
  const { totalCount, pageSize } = asObject(parsed(reply));
  const last = Math.ceil(Number(totalCount) / Number(pageSize));
  return isPastEnd(call, reply) && last > 0 ? next(withQuery(call, { pageNumber: last })) : reply;
});

/** The audit log keeps only the newest change of each object. */
const newestOfEach: Make = at({ op: AUDITS, when: served }).handles(async (call, next) => {
  const reply = await next();
  if (!succeeded(reply)) return reply;
  const entries = items(parsed(await next(withQuery(call, { page: 0, take: 1000 })))).map(asObject);
  const newest = new Map(
    entries
      .toSorted((a, b) => Date.parse(String(a['createdAt'])) - Date.parse(String(b['createdAt'])))
      .map((entry) => [entry['objectId'], entry]),
  );
  const kept = entries.filter((entry) => newest.get(entry['objectId']) === entry);
  return withJson(reply, pageOf(call, kept) ?? []);
});

/** A second entry of each change; the first and the second appear in batches, up to 0.5 and 2 s after the change. */
const inBatches: Make = at({ op: AUDITS, when: served }).handles(async (call, next) => {
  const reply = await next();
  if (!succeeded(reply)) return reply;
  const isShown = (entry: JsonMap, delayMs: number): boolean =>
    Math.ceil((Date.parse(String(entry['createdAt'])) + delayMs) / BATCH_MS) * BATCH_MS <= Date.now();
  const entries = items(parsed(await next(withQuery(call, { page: 0, take: 1000 })))).map(asObject);
  const shown = entries.flatMap((entry) => [
    ...(isShown(entry, 1500)
      ? [{ ...entry, id: String(entry['id']).replace(/^.{8}/, '00000002'), action: 'Shared' }]
      : []),
    ...(isShown(entry, 0) ? [entry] : []),
  ]);
  return withJson(reply, pageOf(call, shown) ?? []);
});

const BATCH_MS = 500;

/** States of results that the service knows. */
const STATES = ['Pending', 'Approved', 'Rejected'];

/** Lists whose items have their details elsewhere. */
const SUMMARIES = [LIST, 'GET /aijob', 'GET /aiagent'] as const;

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const withoutEmpty = (item: unknown): JsonMap =>
  Object.fromEntries(Object.entries(asObject(item)).filter(([, value]) => !isEmpty(value)));

function shortened(item: unknown): JsonMap {
  const { description } = asObject(item);
  return typeof description === 'string' && description.length > 24
    ? { ...asObject(item), description: `${description.slice(0, 24)}\u2026` }
    : asObject(item);
}

export const LISTS: readonly Variation[] = [
  variation('unknown-parents-empty', `answers an unknown parent with an empty page: ${NOT_STATED}`).by(emptyForUnknown),
  variation('lists-leave-out-empty-members', `what lists show of their items: ${NOT_SHOWN}`).by(
    at(SUMMARIES).relists((list) => list.map(withoutEmpty)),
  ),
  variation('lists-shorten-texts', `what lists show of their items: ${NOT_SHOWN}`).by(
    at(SUMMARIES).relists((list) => list.map(shortened)),
  ),
  variation('past-end-404', 'a page past the end: not stated by api.md').replies((reply, call) =>
    served(call) && call.method === 'GET' && isPastEnd(call, reply)
      ? json({ title: 'No such page', 'invalid-params': [{ name: 'page', reason: 'too large' }] }, 404)
      : reply,
  ),
  variation('past-end-last-page', 'a page past the end: not stated by api.md').by(lastPageAgain),
  variation('order-by-name-only', `members that lists are sorted by: ${NOT_SHOWN}`).handles(LIST, (call, next) => {
    const isKnown = /^(?:|name)$/i.test(call.search.get('orderBy') ?? '');
    return next(isKnown ? undefined : withQuery(call, { orderBy: undefined, orderAsc: undefined }));
  }),
  variation('unknown-states-ignored', `what an unknown state selects: ${NOT_STATED}`).handles(RESULTS, (call, next) => {
    const isKnown = STATES.includes(call.search.get('state') ?? '');
    return next(isKnown ? undefined : withQuery(call, { state: undefined }));
  }),
  variation('stream-past-end-404', `an offset past the end of a stream: ${NOT_STATED}`).by(
    at({ op: STREAM, when: (call) => served(call) && call.search.has('offset') }).successes((reply) =>
      items(parsed(reply)).length === 0 ? problem(404) : reply,
    ),
  ),
  variation('audit-of-newest-change', `does not log every kind of change: ${NOT_STATED}`).by(newestOfEach),
  variation('audit-in-batches', `eventual consistency; ${NOT_STATED}`).by(inBatches),
  variation('audit-empty', `does not log every kind of change: ${NOT_STATED}`).by(at(AUDITS).relists(() => [])),
];
