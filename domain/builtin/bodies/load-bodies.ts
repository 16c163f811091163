import type { Json, JsonObject } from '../../../spec/index.ts';
import type { Prng } from '../../../generators/core/prng.ts';
import { PLAIN_WORDS } from '../../../generators/values/strings.ts';
import { ORGANIZATION_ID, originCode } from './identifiers.ts';
import { emptyFilter } from './samples.ts';

/** What a body of a load scenario is built from. */
export interface LoadParts {
  readonly random: Prng;
  readonly id: string;
  readonly tag: string;
  /** Text that brings the body to its length. */
  readonly filler: string;
  readonly organizationId: string | undefined;
  readonly entityType: string | undefined;
}

export type LoadBody = (parts: LoadParts) => Json;

const SOURCES = ['crm', 'erp', 'hr', 'web'];
const ENTITY_TYPES = ['Person', 'Customer', 'Organization', 'Product'];

/** A realistic clue with five properties; its id is in every origin code. */
export const loadClue: LoadBody = ({ random, id, tag, filler, organizationId = ORGANIZATION_ID, ...given }) => {
  const entityType = given.entityType?.replace(/^\//, '') ?? random.pick(ENTITY_TYPES);
  const origin = originCode(entityType, tag, id);
  const common = { 'attribute-origin': origin, 'attribute-appVersion': `2.${random.int(10, 99)}.0.0` };
  const source = random.pick(SOURCES);
  return {
    clue: {
      'attribute-organization': organizationId,
      ...common,
      clueDetails: {
        data: {
          ...common,
          'attribute-inputSource': source,
          entityData: {
            ...common,
            'attribute-source': source,
            entityType: `/${entityType}`,
            codes: [origin],
            properties: bag(random, id, filler),
          },
        },
      },
    },
  };
};

function bag(random: Prng, id: string, filler: string): JsonObject {
  return {
    'attribute-type': '/Metadata/KeyValue',
    'property-assay.name': `${random.pick(PLAIN_WORDS)} ${random.pick(PLAIN_WORDS)}`,
    'property-assay.email': `${id}@example.org`,
    'property-assay.city': random.pick(PLAIN_WORDS),
    'property-assay.amount': String(random.int(1000, 9999)),
    'property-assay.note': filler,
  };
}

/** A flat record. */
export const loadRaw: LoadBody = ({ random, id, tag, filler }) => ({
  id,
  source: tag,
  name: `${random.pick(PLAIN_WORDS)} ${random.pick(PLAIN_WORDS)}`,
  email: `${id}@example.org`,
  visits: random.int(10, 99),
  active: random.chance(0.5),
  note: filler,
});

/** An inactive policy without rules; its name begins with the tag of the run. */
export const loadPolicy: LoadBody = ({ random, id, tag, filler }) => ({
  name: `${tag}-${id}`,
  description: `${random.pick(PLAIN_WORDS)} ${filler}`,
  condition: emptyFilter(),
  rules: [],
  isActive: false,
});
