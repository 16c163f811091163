import type { Json, JsonObject } from '../../../spec/index.ts';
import type { Draw } from '../../../generators/core/draw.ts';
import { setProperty } from '../../../generators/core/set-property.ts';
import { INTERESTING_KEYS } from '../../../generators/values/keys.ts';
import type { BodyKind } from './domain-generator.ts';
import { field, list, size } from './fields.ts';
import { ORGANIZATION_ID, originCode } from './identifiers.ts';

/** Entity types of generated clues, without the slash. */
export const ENTITY_TYPES = [
  'Person',
  'Organization',
  'Customer',
  'Product',
  'Infrastructure/User',
  'Sales/Order',
  'X',
  'Caf\u00E9',
  'person',
];
const SOURCES = ['crm', 'assay', 'Salesforce', 'sap-erp', 'hr', 'x', 'M\u00FCller', 'a.b', 'A B'];
const VERSIONS = ['1.0.0', '2.17.0.0', '0', '1', '1.10.0', '01.002', '4294967296.0', '1.2.3.4.5.6.7.8', '2024.11.21'];
const KEYS = [
  'customer.name',
  'customer.email',
  'person.firstName',
  'hr.employee.id',
  'crm.city',
  'a.b',
  'product.sku',
];

const identifier = field('clue id', 1);
const inputSource = field('inputSource');
const propertyValue = field('property value');

/** Clues as crawlers post them. Most have the same origin and version on all levels, some do not. */
export const clueKind: BodyKind = { make: makeClue };

interface Origin {
  readonly entityType: string;
  readonly code: string;
}

function makeClue(draw: Draw): Json {
  const { random, profile } = draw;
  const origin = makeOrigin(draw);
  const consistent = !random.chance(profile.odd / 3);
  const version = random.pick(VERSIONS);
  const code = () => (consistent ? origin.code : makeOrigin(draw).code);
  const release = () => (consistent ? version : random.pick(VERSIONS));
  const isPresent = () => random.chance(0.5 + profile.optional / 2) && profile.optional > 0;
  const optional = (name: string, make: () => Json): JsonObject => (isPresent() ? { [name]: make() } : {});
  return {
    clue: {
      ...optional('attribute-organization', () => ORGANIZATION_ID),
      'attribute-origin': origin.code,
      ...optional('attribute-appVersion', release),
      clueDetails: {
        data: {
          ...optional('attribute-origin', code),
          ...optional('attribute-appVersion', release),
          ...optional('attribute-inputSource', () => inputSource(draw)),
          entityData: {
            'attribute-origin': code(),
            ...optional('attribute-appVersion', release),
            ...optional('attribute-source', () => random.pick(SOURCES)),
            entityType: consistent ? origin.entityType : makeOrigin(draw).entityType,
            ...optional('codes', () => makeCodes(draw, origin)),
            ...optional('properties', () => makeBag(draw)),
            ...propertyEntries(draw),
          },
        },
      },
    },
  };
}

function makeOrigin(draw: Draw): Origin {
  const entityType = draw.random.pick(ENTITY_TYPES);
  return {
    entityType: `/${entityType}`,
    code: originCode(entityType, draw.random.pick(SOURCES), oneLine(identifier(draw))),
  };
}

/** Origin codes have no line breaks. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\u2028\u2029]/g, ' ');
}

function makeCodes(draw: Draw, origin: Origin): Json {
  const codes = list(draw, size(draw, 'codes', 260), (index) => (index === 0 ? origin.code : makeOrigin(draw).code));
  const repeats = codes.length > 1 && draw.random.chance(0.1);
  return repeats ? [...codes, codes[0] ?? origin.code] : codes;
}

function makeBag(draw: Draw): Json {
  const bag: Record<string, Json> = {};
  if (draw.random.chance(0.8)) bag['attribute-type'] = '/Metadata/KeyValue';
  list(draw, size(draw, 'properties', 3000), (index) =>
    setProperty<Json>(bag, makeKey(draw, index), index < 25 ? propertyValue(draw) : `value ${index}`),
  );
  return bag;
}

function makeKey(draw: Draw, index: number): string {
  const odd = index < 25 ? draw.interesting(INTERESTING_KEYS, 11 + index) : undefined;
  const key = odd ?? (index < KEYS.length ? (KEYS[index] ?? 'a.b') : `assay.key${index}`);
  return draw.random.chance(0.5) ? `property-${key}` : key;
}

/** Entries directly under the entity: vocabulary keys with the prefix `prop`. */
function propertyEntries(draw: Draw): JsonObject {
  const { random, profile } = draw;
  if (!random.chance(profile.optional / 3)) return {};
  return Object.fromEntries(
    list(draw, random.int(1, 4), (index) => [
      `${random.pick(['property-', 'prop-', 'prop'])}${KEYS[index] ?? 'a.b'}`,
      propertyValue(draw),
    ]),
  );
}
