import type { Json, JsonObject } from '../../../spec/index.ts';
import type { Draw } from '../../../generators/core/draw.ts';
import { memberOf } from '../../items.ts';
import { randomUuid } from '../../../generators/schema/formats/identifiers.ts';
import type { BodyKind } from './domain-generator.ts';
import { field, list, members, size } from './fields.ts';
import { filterRule } from './filter.ts';

const name = field('policy name', 1);
const description = field('policy description');
const ruleName = field('rule name', 1);
const ruleDescription = field('rule description');
/** The last one needs 25 bits. */
const ORDERS = [0, 1, -1, 2_147_483_647, 2, 100, 16_777_217];

/** Policies with the members that clients send; ids, times and authors are set by the deployment. */
export const policyKind: BodyKind = { make: makePolicy, accepts: hasSortedRules };

function makePolicy(draw: Draw): Json {
  const { random } = draw;
  return members(
    draw,
    draw.profile.optional === 0 ? {} : { name: name(draw) },
    {
      description: () => description(draw),
      condition: () => filterRule(draw),
      rules: () => makeRules(draw),
      isActive: () => random.chance(0.5),
      order: () => draw.interesting(ORDERS, 3) ?? random.int(0, 50),
      requiresAttention: () => random.chance(0.3),
    },
    ['description', 'rules'],
  );
}

/** Rules in the order of their members `order`, by which a deployment may sort. */
function makeRules(draw: Draw): Json {
  const rules = list(draw, size(draw, 'rules', 110), (index) =>
    index < 10 ? makeRule(draw, index) : { name: `rule ${index}`, order: index },
  ).toSorted((a, b) => orderOf(a) - orderOf(b));
  return rules.length > 1 && draw.random.chance(0.1) ? [...rules, rules.at(-1) ?? {}] : rules;
}

/** False for rules that a deployment may sort otherwise. */
function hasSortedRules(policy: Json): boolean {
  const rules = memberOf(policy, 'rules');
  const orders = Array.isArray(rules) ? rules.map(orderOf) : [];
  return orders.every((order, at) => at === 0 || order >= (orders[at - 1] ?? order));
}

/** 0 where it is left out, as the framework reads it. */
function orderOf(rule: Json): number {
  const order = memberOf(rule, 'order');
  return typeof order === 'number' ? order : 0;
}

function makeRule(draw: Draw, index: number): JsonObject {
  const { random } = draw;
  return members(
    draw,
    { name: ruleName(draw) },
    {
      id: () => randomUuid(random),
      description: () => ruleDescription(draw),
      type: () => 'AccessControl',
      order: () => draw.interesting(ORDERS, 4) ?? index,
      isActive: () => random.chance(0.5),
      conditions: () => filterRule(draw, 2),
      actions: () => [],
    },
    ['description', 'type', 'actions'],
  );
}
