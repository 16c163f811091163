import type { CheckName } from '../../spec/index.ts';
import type { Defect } from '../defect.ts';
import { asFull, hit } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { problem, succeeded } from '../proxy/reply.ts';
import type { Call, Caller, Make, Reply } from '../proxy/message.ts';
import {
  APPROVE,
  BULK,
  LIST,
  ORDER,
  PATCH,
  QUEUE,
  READ_AGENT,
  READ_JOB,
  RESULTS,
  RUNS,
  SET,
  UPDATE_AGENT,
} from './operations.ts';
import { defect, UNEXPECTED } from './kit.ts';

const READS = ['GET /accesscontrolpolicies/actions', 'GET /aijobskills', READ_AGENT, READ_JOB, 'GET /aijob'] as const;

const UNAUTHENTICATED = 'a request without a token is answered with 401 (section 5)';
const INVALID = 'an invalid token is answered with 401 (section 5)';
const EXPIRED = 'an expired token is answered with 401 (section 5)';
const FORBIDDEN = 'a token without the permission is answered with 403 (section 5)';

/** How long a cache or a list of known tokens remembers, in milliseconds. */
const REMEMBERS_MS = 2_000;

/** A cache in front of the service answers reads of these callers with what another caller has read. */
const cachedFor =
  (callers: readonly Caller[]): Make =>
  () => {
    const cache = new Map<string, { readonly reply: Reply; readonly at: number }>();
    return async (call, next) => {
      if (call.method !== 'GET') return next();
      const url = `${call.path}?${call.query}`;
      const cached = cache.get(url);
      if (callers.includes(call.role) && cached !== undefined && Date.now() - cached.at < REMEMBERS_MS)
        return cached.reply;
      const reply = await next();
      if (succeeded(reply)) cache.set(url, { reply, at: Date.now() });
      return reply;
    };
  };

/** Accepts an expired token that was refused shortly before for the same path. */
const expiredAgain: Make = (context) => {
  const seen = new Map<string, number>();
  return (call: Call, next) => {
    if (call.role !== 'expired') return next();
    const before = seen.get(call.path) ?? 0;
    seen.set(call.path, Date.now());
    return next(Date.now() - before < REMEMBERS_MS ? asFull(call, context) : undefined);
  };
};

/** Serves the requests of a caller that meet a condition. */
const admits =
  (role: Caller, test: (call: Call) => boolean): Make =>
  (context) =>
  (call, next) =>
    next(call.role === role && test(call) ? asFull(call, context) : undefined);

/** Carries out what it refuses for its token. */
const refusedButMade = (name: string, role: Caller, op: OperationId, seenIn: OperationId, check: CheckName): Defect =>
  defect(name, 'a request that is refused for its token changes nothing (section 5)', [op, seenIn], [check]).by(
    at({ op, when: (call) => call.role === role }).handles(async (call, next, context) => {
      const reply = await next();
      if (reply.status === 401) await next(asFull(call, context));
      return reply;
    }),
  );

/** Defects in front of the service, where tokens and permissions are checked. */
export const ACCESS: readonly Defect[] = [
  defect('cache-before-permissions', FORBIDDEN, READS, ['authorisation']).by(cachedFor(['limited'])),
  defect('cache-before-authentication', UNAUTHENTICATED, READS, ['authentication']).by(cachedFor(['none', 'invalid'])),
  defect('expired-token-accepted-again', EXPIRED, READS, ['authentication']).by(expiredAgain),
  defect('no-permission-needed-with-a-slash-at-the-end', FORBIDDEN, [READ_JOB], ['authorisation']).by(
    admits('limited', ({ path }) => /\/aijob\/[^/]+\/$/i.test(path)),
  ),
  defect('token-read-up-to-the-next-space', INVALID, READS, ['authentication']).by(
    admits('invalid', ({ headers }) => / \S+ \S/.test(headers['authorization'] ?? '')),
  ),
  defect('token-without-its-last-character-accepted', INVALID, READS, ['authentication']).by(
    (context) => (call, next) => {
      const isShorter = call.headers['authorization'] === `Bearer ${context.tokens.full.slice(0, -1)}`;
      return next(isShorter ? asFull(call, context) : undefined);
    },
  ),
  defect('unsigned-token-accepted', INVALID, READS, ['authentication']).by(
    admits('invalid', ({ headers }) => /^Bearer [\w-]+\.[\w-]+\.$/.test(headers['authorization'] ?? '')),
  ),
  defect('status-with-an-invalid-token-500', UNEXPECTED, ['GET /status'], ['no-server-error']).by(
    at({ op: 'GET /status', when: ({ headers }) => headers['authorization'] !== undefined }).handles(() =>
      problem(500),
    ),
  ),
  defect('no-token-needed-with-status-in-the-query', UNAUTHENTICATED, READS, ['authentication']).by(
    admits('none', ({ query }) => query.includes('status')),
  ),
  defect('token-in-lower-case-accepted', INVALID, READS, ['authentication']).by(
    (context) => (call, next) =>
      next(
        call.headers['authorization'] === `Bearer ${context.tokens.full.toLowerCase()}`
          ? asFull(call, context)
          : undefined,
      ),
  ),
  defect('no-permission-needed-with-a-creator', FORBIDDEN, [LIST], ['authorisation']).by(
    admits('limited', (call) => hit(call, LIST) && call.search.has('filterCreator')),
  ),
  defect('expired-token-accepted-with-text-json', EXPIRED, [UPDATE_AGENT], ['authentication']).by(
    admits('expired', (call) => hit(call, UPDATE_AGENT) && call.headers['content-type'] === 'text/json'),
  ),
  defect('no-token-needed-with-other-json', UNAUTHENTICATED, [PATCH], ['authentication']).by(
    admits('none', (call) => hit(call, PATCH) && /vnd\..*\+json/.test(call.headers['content-type'] ?? '')),
  ),
  defect('no-permission-needed-for-an-empty-patch', FORBIDDEN, [PATCH], ['authorisation']).by(
    admits('limited', (call) => hit(call, PATCH) && call.body.toString() === '[]'),
  ),
  refusedButMade('approval-with-an-expired-token-made', 'expired', APPROVE, RESULTS, 'approvals'),
  refusedButMade('bulk-approval-without-a-token-made', 'none', BULK, RESULTS, 'approvals'),
  refusedButMade('order-with-an-invalid-token-set', 'invalid', SET, ORDER, 'refused-changes-nothing'),
  refusedButMade('run-with-an-expired-token-queued', 'expired', QUEUE, RUNS, 'refused-changes-nothing'),
];
