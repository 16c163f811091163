import type { EntityName } from '../world/clues.ts';
import { dictionary, fit, list, matching, record, text, uuid } from './shape.ts';
import type { Fields } from './shape.ts';

/** The stored part of a clue. */
export interface ClueFacts extends EntityName {
  readonly vocabularyKeys: readonly string[];
}

interface Clue {
  readonly clue: {
    readonly 'attribute-origin': string;
    readonly clueDetails: { readonly data: { readonly entityData: EntityData } };
  };
}

type EntityData = Fields & { readonly entityType: string; readonly properties?: Readonly<Record<string, string>> };

const originCode = matching(/^\/[^#]+#[^:]+:./s, 'Must be an origin code.');
const common = {
  'attribute-origin': originCode,
  'attribute-appVersion': matching(/^[0-9]+(\.[0-9]+)*$/, 'Must be a version.'),
};

const properties = dictionary(text, { 'attribute-type': matching(/^\/[^/]+\/[^/]+$/, 'Must be a property type.') });

const entityData = record(
  {
    ...common,
    'attribute-source': text,
    entityType: matching(/^\/[^#]+$/, 'Must be an entity type.'),
    codes: list(originCode),
    properties,
  },
  ['attribute-origin', 'entityType'],
);

const data = record({ ...common, 'attribute-inputSource': text, entityData }, ['entityData']);

const clueShape = record(
  {
    clue: record({ ...common, 'attribute-organization': uuid, clueDetails: record({ data }, ['data']) }, [
      'attribute-origin',
      'clueDetails',
    ]),
  },
  ['clue'],
);

/** Reads a clue. @throws Refusal 400. */
export function clueFacts(body: unknown): ClueFacts {
  const { clue } = fit<Clue>(clueShape, body);
  const origin = clue['attribute-origin'];
  const entity = clue.clueDetails.data.entityData;
  const name = nameIn(entity) ?? nameIn(entity.properties ?? {}) ?? origin;
  return { origin, name, entityType: entity.entityType, vocabularyKeys: vocabularyKeys(entity) };
}

const PREFIX = /^prop(?:erty)?[-_.:]?/;

function vocabularyKeys(entity: EntityData): string[] {
  const inBag = Object.keys(entity.properties ?? {}).filter((key) => key !== 'attribute-type');
  const beside = Object.keys(entity).filter((key) => key.startsWith('prop') && key !== 'properties');
  return [...inBag.map((key) => key.replace(/^property-/, '')), ...beside.map((key) => key.replace(PREFIX, ''))];
}

function nameIn(part: Fields): string | undefined {
  for (const key of Object.keys(part)) {
    const value = part[key];
    if ((key === 'name' || key.endsWith('.name')) && typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
