import { POLICY_RULES } from './policies.ts';
import { CHOICES } from './choices.ts';
import { WIRE } from './wire.ts';
import { RULES } from './rules.ts';
import { REFUSALS } from './refusals.ts';
import { SHAPES } from './shapes.ts';
import { ANSWERS } from './answers.ts';
import { asObject, hit, items, parsed, problem, succeeded, withHeader, withItems, withJson } from '../proxy/edit.ts';
import type { Context, Make } from '../proxy/message.ts';
import { together } from '../proxy/compose.ts';
import { crowd, NEIGHBOURS, oddOnes, turnover } from './neighbours.ts';
import { hidesCreated, lateReads, others, slow, subjectOf, TIMING } from './timing.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { AUDIT, ORDER } from '../exam/operations.ts';

const LATE = 'policy changes can go through an approval pipeline, so that a 200 may take effect late (platform.md)';
const GATEWAY = '429 and 503 with Retry-After come from a gateway (platform.md)';
const SEVERAL = 'several healthy ways at once';

const OTHERS: readonly Variation[] = [
  ...ANSWERS,
  ...SHAPES,
  ...REFUSALS,
  ...RULES,
  ...TIMING,
  ...WIRE,
  ...CHOICES,
  ...NEIGHBOURS,
  ...POLICY_RULES,
];

/** The ways of variations that stand in other files. */
const ways = (...names: readonly string[]): Make =>
  together(
    ...names.map((name) => {
      const known = OTHERS.find((each) => each.name === name);
      if (known === undefined) throw new Error(`no variation ${name}`);
      return known.make;
    }),
  );

/** Every tenth answer, by chance, is a gateway's refusal, before anything happened. */
const refusing =
  (share: number): Make =>
  () =>
  (_, next) =>
    Math.random() < share ? withHeader(problem(Math.random() < 0.5 ? 503 : 429), 'retry-after', '0') : next();

/** Two nodes that take turns; the second lags behind, but shows nothing again that was seen replaced. */
const twoNodes =
  (milliseconds: number): Make =>
  (context) => {
    const late = lateReads(milliseconds)(context);
    const replaced = new Set<string>();
    let turn = 0;
    return async (call, next) => {
      const key = subjectOf(call);
      if (key === undefined || call.method !== 'GET') {
        const reply = await late(call, next);
        if (key !== undefined && succeeded(reply)) replaced.delete(key);
        return reply;
      }
      turn += 1;
      if (turn % 2 === 1 && !replaced.has(key)) return late(call, next);
      replaced.add(key);
      return next();
    };
  };

/** What was deleted stays in lists for a while. */
const deletedLate =
  (milliseconds: number): Make =>
  () => {
    const gone: { readonly at: number; readonly kind: string; readonly item: unknown }[] = [];
    return async (call, next) => {
      const kind = call.path.toLowerCase().includes('policies')
        ? 'policy'
        : call.path.toLowerCase().includes('aijob')
          ? 'job'
          : 'agent';
      if (call.method === 'DELETE' && call.role === 'full') {
        const before = await next({ method: 'GET' });
        const reply = await next();
        if (succeeded(reply) && succeeded(before)) gone.push({ at: performance.now(), kind, item: parsed(before) });
        return reply;
      }
      const reply = await next();
      if (
        !succeeded(reply) ||
        call.role !== 'full' ||
        call.search.size > 0 ||
        !hit(call, [ORDER, 'GET /aijob', 'GET /aiagent'])
      )
        return reply;
      const lately = gone
        .filter((each) => each.kind === kind && performance.now() - each.at < milliseconds)
        .map(({ item }) => item);
      const shown = call.path.toLowerCase().endsWith('byprocessingorder')
        ? lately.map((item) => ({ id: asObject(item)['id'], name: asObject(item)['name'], order: 0 }))
        : lately;
      return shown.length === 0
        ? reply
        : withJson(reply, withItems(parsed(reply), [...items(parsed(reply)), ...shown]));
    };
  };

/** What the audit log has shows late. */
const auditLate =
  (milliseconds: number): Make =>
  () => {
    const known = new Map<string, { readonly at: number; readonly reply: Awaited<ReturnType<Context['send']>> }[]>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, AUDIT) || call.role !== 'full' || !succeeded(reply)) return reply;
      const key = `${call.path}?${call.query}`;
      const seen = known.get(key) ?? [];
      known.set(key, [...seen, { at: performance.now(), reply }]);
      return (
        seen.findLast((each) => performance.now() - each.at > milliseconds)?.reply ??
        withJson(reply, withItems(parsed(reply), []))
      );
    };
  };

export const COMBINED: readonly Variation[] = [
  variation('two-nodes-one-lags', LATE, twoNodes(600)),
  variation('deletions-listed-late', LATE, deletedLate(600)),
  variation('audit-shows-late', 'what the audit log holds is not shown', auditLate(500)),
  variation('refuses-one-in-ten', GATEWAY, refusing(0.1)),
  variation(
    'refuses-and-slow',
    GATEWAY,
    together(
      refusing(0.03),
      slow(() => 20 + Math.random() * 60),
    ),
  ),
  variation('late-and-busy', SEVERAL, together(lateReads(500), hidesCreated(400, false)), { actor: others(40, true) }),
  variation('late-busy-and-refusing', SEVERAL, together(refusing(0.03), lateReads(500)), { actor: others(60, false) }),
  variation(
    'gateway-of-its-own',
    SEVERAL,
    together(
      ways(
        'upper-case-uuids',
        'extra-fields',
        'keys-reordered',
        'type-with-parameters',
        'pretty-printed',
        'errors-as-html',
        'extra-headers',
        'chunked',
      ),
    ),
    { prefix: '/t/1' },
  ),
  variation(
    'old-and-strict',
    SEVERAL,
    together(
      ways(
        'http-1.0-like',
        'malformed-uuid-404',
        'negative-query-400',
        'ill-typed-query-400',
        'odd-media-type-415',
        'unknown-members-400',
        'wrong-types-400',
        'names-required',
        'nul-refused-400',
        'nesting-limit-400',
        'errors-empty',
      ),
    ),
  ),
  variation(
    'odd-and-shifting',
    SEVERAL,
    together(turnover, ways('newest-first', 'policy-list-in-data', 'numbers-with-fraction')),
    { before: oddOnes },
  ),
  variation(
    'crowded-and-refusing',
    SEVERAL,
    together(
      refusing(0.02),
      ways('activate-active-409', 'deactivate-inactive-409', 'order-must-be-whole', 'max-take-100'),
    ),
    { before: (context) => crowd(context, 300, 30), actor: others(80, false) },
  ),
  variation('active-and-set-by-updates', SEVERAL, ways('initially-active', 'update-sets-the-state')),
  variation(
    'active-and-kept',
    SEVERAL,
    together(ways('initially-active', 'delete-active-409', 'activate-active-409', 'newest-first')),
  ),
  variation(
    'lenient-and-late',
    SEVERAL,
    together(
      ways('ill-typed-query-default', 'negative-query-default', 'upper-case-uuids'),
      slow(() => Math.random() * 20),
      lateReads(500),
    ),
  ),
  variation(
    'idle-and-slow',
    SEVERAL,
    slow(() => Math.random() * 40),
    { idleMs: 1000, requestsPerSocket: 40 },
  ),
];
