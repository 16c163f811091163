import type { Json, JsonObject } from '../../../spec/index.ts';
import type { Draw } from '../../../generators/core/draw.ts';
import { field, list, members, size } from './fields.ts';
import { NIL_UUID } from './identifiers.ts';

/** Operators of filter rules that clients of the platform use. */
const OPERATORS = {
  equals: '0bafc522-8011-43ba-978a-babe222ba466',
  contains: '4988d076-3ec1-4414-9f56-5b9b30e25f72',
  endsWith: 'ff9a47ac-8e3c-4123-80ee-e0b660aa5f9f',
  exists: '306e5d29-832f-41e7-a6db-1c02eb5ebf74',
} as const;
const FIELDS = ['EntityType', 'Name', 'Codes', 'Properties[customer.name]', 'Properties[customer.email]'];

const operand = field('filter value');

/** A filter: a comparison of a field, or a group of filters, nested up to `depth`. */
export function filterRule(draw: Draw, depth: number = draw.profile.depth): JsonObject {
  const { random, profile } = draw;
  draw.budget -= 1;
  if (profile.optional === 0) return {};
  if (depth <= 0 || draw.budget < 0 || random.chance(0.3)) return leaf(draw);
  const deep = profile.depth > 5;
  const count = deep ? 1 : random.chance(profile.sizes / 2) ? size(draw, 'filters', 60) : random.int(0, 3);
  return group(
    draw,
    list(draw, count, (index) => (index < 12 ? filterRule(draw, depth - 1) : leaf(draw))),
  );
}

function group(draw: Draw, rules: readonly JsonObject[]): JsonObject {
  const { random } = draw;
  return members(
    draw,
    { condition: random.pick(['AND', 'OR']), rules },
    {
      objectTypeId: () => NIL_UUID,
      field: () => null,
      id: () => NIL_UUID,
      operator: () => NIL_UUID,
      type: () => 'rule',
      value: () => [],
    },
    ['type', 'value'],
  );
}

function leaf(draw: Draw): JsonObject {
  const { random } = draw;
  return members(
    draw,
    { field: random.pick(FIELDS), operator: random.pick(Object.values(OPERATORS)) },
    {
      condition: () => 'AND',
      objectTypeId: () => NIL_UUID,
      id: () => NIL_UUID,
      type: () => 'string',
      rules: () => [],
      value: () => values(draw),
    },
    ['condition', 'rules', 'value'],
  );
}

function values(draw: Draw): Json {
  return list(draw, size(draw, 'filter values', 130), (index) => (index < 20 ? operand(draw) : `value ${index}`));
}
