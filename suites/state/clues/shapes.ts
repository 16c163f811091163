import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';

/** Members of one level of a clue. */
export type ClueMembers = Record<string, Json>;

/** Changes the entity of a clue; `levels` are the three levels of the clue, outermost first. */
export type ClueChange = (entity: ClueMembers, name: string, levels: readonly ClueMembers[]) => void;

const set =
  (member: string, value: Json): ClueChange =>
  (entity) => {
    entity[member] = value;
  };
const add =
  (properties: JsonObject): ClueChange =>
  (entity) => {
    entity['properties'] = { ...(isObject(entity['properties']) ? entity['properties'] : {}), ...properties };
  };
export const onAllLevels =
  (member: string, value: (name: string) => Json): ClueChange =>
  (_entity, name, levels) => {
    for (const level of levels) level[member] = value(name);
  };
const version = (value: string): ClueChange => onAllLevels('attribute-appVersion', () => value);
const fields = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`property-assay.person.field${at}`, `value ${at}`]));
/** Of 300 KB: more than a message of many queues can hold. */
const LONG_VALUES: JsonObject = Object.fromEntries(Object.keys(fields(300)).map((key) => [key, 'a'.repeat(1000)]));
const TYPE = { 'attribute-type': '/Metadata/KeyValue' };

export const PLAIN = 'plain';

/** Clues of the documented shape, each with one difference to the plain one, and the requirement that it verifies. */
export const CLUES: Readonly<Record<string, readonly [requirement: string, change: ClueChange]>> = {
  [PLAIN]: ['clue.post', () => undefined],
  'no-properties': ['clue.property-bag', set('properties', TYPE)],
  'one-property': ['clue.property-bag', set('properties', { ...TYPE, 'assay.name': 'one' })],
  '10-properties': ['clue.property-bag', add(fields(10))],
  '100-properties': ['clue.property-bag', add(fields(100))],
  '1000-properties': ['clue.property-bag', add(fields(1000))],
  'empty-value': ['clue.property-bag', add({ 'assay.empty': '' })],
  'long-value': ['clue.property-bag', add({ 'assay.long': 'a'.repeat(2000) })],
  '300-long-values': ['clue.property-bag', add(LONG_VALUES)],
  'other-scripts': ['clue.property-bag', add({ 'assay.names': 'Łódź 東京 مرحبا 💎 é' })],
  markup: ['clue.property-bag', add({ 'assay.text': `O'Neil said "<b>&amp;</b>" \\ / \n\t` })],
  'no-codes': ['clue.codes', set('codes', [])],
  '50-codes': [
    'clue.codes',
    (entity, name) => {
      entity['codes'] = Array.from({ length: 50 }, (_, at) => `/Person#assay${at}:${name}`);
    },
  ],
  'other-entity-type': ['clue.entity-type', set('entityType', '/Organization')],
  'nested-entity-type': ['clue.entity-type', set('entityType', '/Infrastructure/User')],
  'origin-with-colon': ['clue.origin-code', onAllLevels('attribute-origin', (name) => `/Person#assay:${name}:17`)],
  'version-of-one-number': ['clue.app-version', version('1')],
  'version-of-two-numbers': ['clue.app-version', version('1.0')],
  'version-of-five-numbers': ['clue.app-version', version('2026.11.21.4711.1')],
  'direct-properties': [
    'clue.direct-properties',
    (entity) => {
      entity['prop-assay.person.name'] = 'Ada';
      entity['propassay.person.city'] = 'Paris';
    },
  ],
};

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
  'long-values': LONG_VALUES,
  numbers: { large: 9_007_199_254_740_991, larger: 1e21, small: 5e-7, negative: -12_345_678_901 },
  'other-scripts': { имя: 'Ада', 名前: '💎' },
};
