import type { Json, JsonObject } from '../../../spec/index.ts';
import { NIL_UUID, ORGANIZATION_ID, originCode } from './identifiers.ts';

function description(tag: string): string {
  return `Created by Assay (${tag}); safe to delete.`;
}

/** A filter rule group without rules: it applies to everything. */
export function emptyFilter(): JsonObject {
  return {
    objectTypeId: NIL_UUID,
    condition: 'AND',
    field: null,
    id: NIL_UUID,
    operator: NIL_UUID,
    type: null,
    rules: [],
    value: null,
  };
}

/** An access control policy without rules, so that a deployment needs no registered action to accept it. */
export function samplePolicy(tag: string): JsonObject {
  return { name: tag, description: description(tag), condition: emptyFilter(), rules: [], isActive: false };
}

/** An agent that no job uses yet. */
export function sampleAgent(tag: string): JsonObject {
  return {
    name: tag,
    description: description(tag),
    instructions: 'Answer with one word.',
    metadata: { 'assay-tag': tag },
  };
}

/** A job without a schedule, disabled by default, so that no deployment runs it by itself. */
export function sampleJob(
  tag: string,
  aiAgentId: string = NIL_UUID,
  endpointId: string = NIL_UUID,
  enabled = false,
): JsonObject {
  return {
    name: tag,
    description: description(tag),
    metadata: { 'assay-tag': tag },
    prompt: 'Which of these records have no city?',
    allowedSkills: [],
    enableCronSchedule: false,
    cronSchedule: null,
    endpointId,
    aiAgentId,
    enabled,
    dataSources: [sampleDataSource()],
  };
}

/** A data source that selects all records; by default it samples ten of them. */
export function sampleDataSource(members: JsonObject = {}): JsonObject {
  return {
    id: NIL_UUID,
    name: 'records',
    type: 'Entity',
    filterRule: emptyFilter(),
    sample: true,
    sampleSize: 10,
    isReferenceData: false,
    vocabularyKeys: [],
    tail: false,
    ...members,
  };
}

/** A JSON Patch that applies to every job. */
export function samplePatch(tag: string): Json {
  return [{ op: 'replace', path: '/description', value: `Patched by Assay (${tag}).` }];
}

/** Approves (0) the given results as they are. */
export function sampleApproval(resultIds: readonly string[]): JsonObject {
  return { results: resultIds.map((resultId) => ({ resultId, userOverride: [] })), action: 0 };
}

/** A plain clue about a person, as a crawler would post it; `tag` is part of its id and its name. */
export function sampleClue(tag: string, organization = ORGANIZATION_ID, entityType = '/Person'): JsonObject {
  const origin = originCode(entityType.replace(/^\//, ''), 'assay', tag);
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
            entityType,
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

/** A flat record, as in an export of a customer table. */
export function sampleRaw(tag: string): JsonObject {
  return { id: tag, name: `Ada Example ${tag}`, email: 'ada@example.org', city: 'Copenhagen', visits: 3, active: true };
}
