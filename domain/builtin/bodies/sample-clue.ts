import type { JsonObject } from '../../../spec/index.ts';
import { originCode } from './origin-code.ts';

/** A plain clue about a person, as a crawler would post it; `tag` is part of its id and its name. */
export function sampleClue(tag: string, organization = '3f1c6d2e-8b4a-4f60-9d57-2c1a7be40f11'): JsonObject {
  const origin = originCode('Person', 'assay', tag);
  return {
    clue: {
      'attribute-organization': organization,
      'attribute-origin': origin,
      'attribute-appVersion': '2.17.0.0',
      clueDetails: {
        data: {
          'attribute-origin': origin,
          'attribute-appVersion': '2.17.0.0',
          'attribute-inputSource': 'assay',
          entityData: {
            'attribute-origin': origin,
            'attribute-appVersion': '2.17.0.0',
            'attribute-source': 'assay',
            entityType: '/Person',
            codes: [origin],
            properties: {
              'attribute-type': '/Metadata/KeyValue',
              'property-assay.person.name': `Ada Example ${tag}`,
              'property-assay.person.city': 'Copenhagen',
            },
          },
        },
      },
    },
  };
}

/** A flat record such as an export of a customer table holds. */
export function sampleRaw(tag: string): JsonObject {
  return { id: tag, name: `Ada Example ${tag}`, email: 'ada@example.org', city: 'Copenhagen', visits: 3, active: true };
}
