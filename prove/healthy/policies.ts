import { randomUUID } from 'node:crypto';
import { hit, itemId, served, withBody } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { isObject } from '../../spec/index.ts';
import { asList, asObject, idOf } from '../proxy/json.ts';
import { problem } from '../proxy/reply.ts';
import { isActive, moveTo, orderOf, POLICIES_PATH } from '../defects/items.ts';
import { DELETE, LIST, ORDER, POLICIES, READ, SET, UPDATE, WRITES } from '../defects/operations.ts';
import type { Call, Make } from '../proxy/message.ts';
import { together } from '../proxy/compose.ts';
import { FIELDS, NOT_STATED, variation } from './variation.ts';
import type { Variation } from './variation.ts';

const MEMBERS = 'the members of the models are not shown; 400 failed validation (api.md 2, 7)';
const sends = (call: Call, names: readonly string[]): boolean => names.some((name) => name in asObject(call.json));
const PLAIN = ['name', 'description', 'metadata', 'instructions', 'prompt', 'aiAgentId'];
const NIL = '00000000-0000-0000-0000-000000000000';
const isNamed = (rule: unknown): boolean => typeof asObject(rule)['name'] === 'string';

/** The order shows and sets only active policies; the others stay behind them. */
const activeOrder: Make = together(
  at({ op: ORDER, when: served }).relists(async (list, _, context) => {
    const active = new Set((await listAt(context, `${POLICIES_PATH}?filterActive=true&take=100000`)).map(idOf));
    return list.filter((entry) => active.has(idOf(entry)));
  }),
  at({ op: SET, when: (call) => served(call) && Array.isArray(call.json) }).handles(async (call, next, context) => {
    const named = new Set(asList(call.json).map(idOf));
    const rest = (await orderOf(context)).filter((entry) => !named.has(idOf(entry)));
    const whole = [...asList(call.json), ...rest];
    return next(withBody(whole.map((entry, order) => ({ ...asObject(entry), order }))));
  }),
);

/** An empty filter is stored as an empty group of conditions. */
const fillsEmptyFilter: Make = at({ op: POLICIES, when: served }).requests(({ json }) => {
  const { condition, ...rest } = asObject(json);
  const isEmpty = isObject(condition) && Object.keys(condition).length === 0;
  return isEmpty ? withBody({ ...rest, condition: { condition: 'AND', rules: [] } }) : undefined;
});

const hasEmptyFilter = (call: Call): boolean => {
  const { condition } = asObject(call.json);
  return condition !== undefined && condition !== null && asList(asObject(condition)['rules']).length === 0;
};

function withSortedRules(policy: unknown): unknown {
  const order = (rule: unknown): number => Number(asObject(rule)['order'] ?? 0);
  const { rules } = asObject(policy);
  return Array.isArray(rules)
    ? { ...asObject(policy), rules: rules.toSorted((a: unknown, b: unknown) => order(a) - order(b)) }
    : policy;
}

const hasNoCondition = (call: Call): boolean => {
  const condition = asObject(asObject(call.json)['condition']);
  return typeof condition['field'] !== 'string' && asList(condition['rules']).length === 0;
};

export const POLICY_RULES: readonly Variation[] = [
  variation('empty-filters-filled', FIELDS).by(fillsEmptyFilter),
  variation('delete-active-409', `refuses to delete an active policy: ${NOT_STATED}`).handles(
    DELETE,
    async (call, next, context) => ((await isActive(call, context)) ? problem(409) : next()),
  ),
  variation('update-active-409', `refuses to update an active policy, as to delete one: ${NOT_STATED}`).handles(
    UPDATE,
    async (call, next, context) => (call.json !== undefined && (await isActive(call, context)) ? problem(409) : next()),
  ),
  variation(
    'update-sets-the-state',
    'whether an update sets isActive is not stated by api.md: the fields are not shown (section 2)',
  ).by(
    at({ op: UPDATE, when: served }).also(async (call, context) => {
      const wanted = asObject(call.json)['isActive'];
      if (typeof wanted === 'boolean') await moveTo(context, itemId(call), wanted ? 'activate' : 'deactivate');
    }),
  ),
  variation(
    'rules-get-ids',
    'the fields of a rule are not shown (api.md 2): the service may assign ids to new rules',
  ).by(
    at({ op: POLICIES, when: (call) => served(call) && sends(call, ['rules']) }).handles((call, next) => {
      const body = asObject(call.json);
      if (!Array.isArray(body['rules'])) return next();
      const rules = asList(body['rules']).map((rule) =>
        isNamed(rule) && [undefined, null, NIL].includes(asObject(rule)['id'] as string | undefined)
          ? { ...asObject(rule), id: randomUUID() }
          : rule,
      );
      return next(withBody({ ...body, rules }));
    }),
  ),
  variation(
    'rules-sorted-by-order',
    'the fields of a rule are not shown (api.md 2): the service may sort rules by their member order',
  ).by(
    at([READ, LIST]).rewrites((value) => (Array.isArray(value) ? value.map(withSortedRules) : withSortedRules(value))),
  ),
  variation('order-lists-active-only', `the processing order lists active policies only: ${NOT_STATED}`).by(
    activeOrder,
  ),
  variation('empty-filter-400', `refuses a policy whose filter is empty: ${NOT_STATED}`).refuses(
    (call) => hit(call, POLICIES) && hasEmptyFilter(call),
  ),
  variation('filter-wanted-400', `refuses a policy that applies to everything: ${NOT_STATED}`).refuses(
    (call) => hit(call, POLICIES) && hasNoCondition(call),
  ),
  variation('rules-wanted-400', MEMBERS).refuses(
    (call) => hit(call, POLICIES) && asList(asObject(call.json)['rules']).length === 0,
  ),
  variation('smallest-bodies-only', MEMBERS).refuses(
    (call) => hit(call, WRITES) && Object.keys(asObject(call.json)).some((name) => !PLAIN.includes(name)),
  ),
];
