import type { JsonObject } from '../../../spec/index.ts';

/** The plainest raw data: a deployment that accepts it without a mapping accepts any shape. */
export const FLAT = 'flat';

/** Raw data of several shapes: the document allows any. */
export const RAW: Readonly<Record<string, JsonObject>> = {
  [FLAT]: { name: 'Ada', visits: 3, active: true, city: null },
  empty: {},
  nested: { person: { name: { first: 'Ada', last: 'Example' }, tags: ['a', 'b'] } },
  lists: { orders: [{ id: 1, lines: [[1, -2.5], [{}]] }, null], empty: [[]] },
  deep: Array.from({ length: 20 }).reduce<JsonObject>((inner) => ({ inner }), { leaf: 1 }),
  wide: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, at])),
  numbers: { large: 9_007_199_254_740_991, larger: 1e21, small: 5e-7, negative: -12_345_678_901 },
  'other-scripts': { имя: 'Ада', 名前: '💎' },
};
