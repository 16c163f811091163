import { number, served, withQuery } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asObject, items } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { parsed, problem, relisted, succeeded, withJson } from '../proxy/reply.ts';
import type { Make } from '../proxy/message.ts';
import { together } from '../proxy/compose.ts';
import { numberedPageOf, wholeList } from './pages.ts';
import { FIELDS, NOT_STATED, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { APPROVE, BULK, RESULT, RESULTS, RUN_RESULTS } from '../defects/operations.ts';

const AT_ONCE = `approves results at once: ${NOT_STATED}`;
const APPROVALS = [APPROVE, BULK] as const;

type IsApproved = (result: JsonMap) => boolean;

/** Results that meet a condition are approved as soon as they exist, and stay approved. */
const approvedWhere = (isApproved: IsApproved): Make =>
  together(
    at(RESULT).rewrites((value) => approved(value, isApproved)),
    at({ op: [RESULTS, RUN_RESULTS], when: served }).handles(async (call, next) => {
      const wanted = call.search.get('state');
      const reply = await next(wholeList(call, { state: undefined }));
      if (!succeeded(reply)) return next();
      const all = items(parsed(reply)).map((each) => approved(each, isApproved));
      const chosen = all.filter(
        (each) => wanted === null || new RegExp(`^${String(asObject(each)['state'])}$`, 'i').test(wanted),
      );
      return withJson(reply, numberedPageOf(call, parsed(reply), chosen));
    }),
  );

function approved(value: unknown, isApproved: IsApproved): unknown {
  const result = asObject(value);
  return 'state' in result && isApproved(result) ? { ...result, state: 'Approved' } : value;
}

const approvedAtOnce = approvedWhere(() => true);

/** Results of a run, which have no ids, with equal contents, on pages of 10 at most. */
const alike: Make = at({ op: RUN_RESULTS, when: served }).handles(async (call, next) => {
  const reply = await next(number(call, 'pageSize', 10) > 10 ? withQuery(call, { pageSize: 10 }) : undefined);
  const duplicate = (each: unknown): JsonMap => ({ description: 'a duplicate', type: asObject(each)['type'] });
  return succeeded(reply) ? relisted(reply, (list) => list.map(duplicate)) : reply;
});

/** Two runs may have equal results of this form. */
function withoutIds(result: unknown): JsonMap {
  const { description, type, state } = asObject(result);
  return { description, type, state };
}

export const RESULTS_DECIDED: readonly Variation[] = [
  variation('run-results-alike', FIELDS).by(alike),
  variation('run-results-without-ids', FIELDS).by(at(RUN_RESULTS).relists((list) => list.map(withoutIds))),
  variation('results-approved-at-once', AT_ONCE).by(approvedAtOnce),
  variation('some-results-approved-at-once', AT_ONCE).by(approvedWhere(({ chatId }) => /[0-5]$/.test(String(chatId)))),
  variation('approved-results-409', `${AT_ONCE}; deciding again is a conflict (api.md 7)`).by(
    together(
      approvedAtOnce,
      at(APPROVALS).successes(() => problem(409)),
    ),
  ),
];
