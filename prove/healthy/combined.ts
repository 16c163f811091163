import { hit, served } from '../proxy/call.ts';
import { asObject } from '../proxy/json.ts';
import { parsed, problem, relisted, succeeded, withHeader } from '../proxy/reply.ts';
import type { Make, Reply } from '../proxy/message.ts';
import { together } from '../proxy/compose.ts';
import { crowd, oddOnes, turnover } from './neighbours.ts';
import { hidesCreated, lateActivations, lateReads, others, slow, subjectOf } from './timing.ts';
import { SINGLE } from './single.ts';
import { GATEWAY, LATE, SEVERAL, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { AUDIT, ORDER } from '../defects/operations.ts';

/** Several variations of other files as one. */
const combination = (...names: readonly string[]): Make =>
  together(
    ...names.map((name) => {
      const known = SINGLE.find((each) => each.name === name);
      if (known === undefined) throw new Error(`no variation ${name}`);
      return known.make;
    }),
  );

/** A gateway refuses a share of the requests at random, before they reach the service. */
const refusing =
  (share: number): Make =>
  () =>
  (_, next) =>
    Math.random() < share ? withHeader(problem(Math.random() < 0.5 ? 503 : 429), 'retry-after', '0') : next();

/** Two nodes take turns in answering reads; the second is 600 ms behind until the first has shown a change. */
const twoNodes: Make = (context) => {
  const late = lateReads(600)(context);
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

/** Deleted items stay in lists for 600 ms. */
const listedAfterDeletion: Make = () => {
  const deleted: { readonly at: number; readonly kind: string; readonly item: unknown }[] = [];
  return async (call, next) => {
    const kind = /policies|aijob/i.exec(call.path)?.[0].toLowerCase() ?? 'agent';
    if (call.method === 'DELETE' && served(call)) {
      const before = await next({ method: 'GET' });
      const reply = await next();
      if (succeeded(reply) && succeeded(before)) deleted.push({ at: performance.now(), kind, item: parsed(before) });
      return reply;
    }
    const reply = await next();
    const isWholeList = served(call) && call.search.size === 0 && hit(call, [ORDER, 'GET /aijob', 'GET /aiagent']);
    if (!succeeded(reply) || !isWholeList) return reply;
    const shown = deleted
      .filter((each) => each.kind === kind && performance.now() - each.at < 600)
      .map(({ item }) =>
        hit(call, ORDER) ? { id: asObject(item)['id'], name: asObject(item)['name'], order: 0 } : item,
      );
    return shown.length === 0 ? reply : relisted(reply, (list) => [...list, ...shown]);
  };
};

/** Entries of the audit log appear after 500 ms. */
const auditLate: Make = () => {
  const known = new Map<string, { readonly at: number; readonly reply: Reply }[]>();
  return async (call, next) => {
    const reply = await next();
    if (!hit(call, AUDIT) || !served(call) || !succeeded(reply)) return reply;
    const key = `${call.path}?${call.query}`;
    const seen = known.get(key) ?? [];
    known.set(key, [...seen, { at: performance.now(), reply }]);
    return seen.findLast((each) => performance.now() - each.at > 500)?.reply ?? relisted(reply, () => []);
  };
};

/** Several variations at once, and lags in time. */
export const COMBINED: readonly Variation[] = [
  variation('two-nodes-one-lags', LATE).by(twoNodes),
  variation('deletions-listed-late', LATE).by(listedAfterDeletion),
  variation('audit-shows-late', 'the contents of the audit log are not shown').by(auditLate),
  variation('refuses-one-in-ten', GATEWAY).by(refusing(0.1)),
  variation('late-and-busy', SEVERAL).by(together(lateReads(500), hidesCreated(400)), { actor: others(40, true) }),
  variation('gateway-of-its-own', SEVERAL).by(
    combination(
      'upper-case-uuids',
      'extra-fields',
      'keys-reordered',
      'type-with-parameters',
      'pretty-printed',
      'errors-as-html',
      'extra-headers',
      'chunked',
    ),
    { prefix: '/t/1' },
  ),
  variation('old-and-strict', SEVERAL).by(
    combination(
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
  variation('odd-and-shifting', SEVERAL).by(
    together(turnover, combination('newest-first', 'policy-list-in-data', 'numbers-with-fraction')),
    { before: oddOnes },
  ),
  variation('crowded-and-refusing', SEVERAL).by(
    together(
      refusing(0.02),
      combination('activate-active-409', 'deactivate-inactive-409', 'order-must-be-whole', 'max-take-100'),
    ),
    { before: (context) => crowd(context, 300, 30), actor: others(80, false) },
  ),
  variation('crowded-behind-a-body-limit', SEVERAL).by(combination('body-limit-413'), {
    before: (context) => crowd(context, 1000, 0),
  }),
  variation('newest-first-and-sorted-by-name-only', SEVERAL).by(combination('newest-first', 'order-by-name-only')),
  variation('computed-fields-and-no-state', SEVERAL).by(
    combination('fields-computed-for-each-response', 'state-not-told'),
  ),
  variation('active-and-set-by-updates', SEVERAL).by(combination('initially-active', 'update-sets-the-state')),
  variation('active-and-kept', SEVERAL).by(
    combination('initially-active', 'update-active-409', 'delete-active-409', 'activate-active-409', 'newest-first'),
  ),
  variation('active-and-switches-late', SEVERAL).by(
    together(lateActivations('go on'), combination('initially-active', 'delete-active-409', 'order-lists-active-only')),
  ),
  variation('lenient-and-late', SEVERAL).by(
    together(
      combination(
        'ill-typed-query-default',
        'negative-query-default',
        'upper-case-uuids',
        'lenient-json',
        'agent-answers-empty',
      ),
      slow(() => Math.random() * 20),
      lateReads(500),
    ),
  ),
];
