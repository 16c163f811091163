import type { Json, JsonObject } from '../../../spec/index.ts';
import { NIL_UUID } from './origin-code.ts';
import { emptyFilter } from './sample-policy.ts';

/** An agent that no job uses yet. */
export function sampleAgent(tag: string): JsonObject {
  return {
    name: tag,
    description: `Made by Assay (${tag}); safe to delete.`,
    instructions: 'Answer with one word.',
    metadata: { 'assay-tag': tag },
  };
}

/** A disabled job without a schedule, so that a deployment doesn't run it by itself. */
export function sampleJob(tag: string, aiAgentId: string = NIL_UUID, endpointId: string = NIL_UUID): JsonObject {
  return {
    name: tag,
    description: `Made by Assay (${tag}); safe to delete.`,
    metadata: { 'assay-tag': tag },
    prompt: 'Which of these records have no city?',
    allowedSkills: [],
    enableCronSchedule: false,
    cronSchedule: null,
    endpointId,
    aiAgentId,
    enabled: false,
    dataSources: [sampleDataSource()],
  };
}

function sampleDataSource(): JsonObject {
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
  };
}

/** A JSON Patch that fits each job document: `description` is always settable. */
export function samplePatch(tag: string): Json {
  return [{ op: 'replace', path: '/description', value: `Patched by Assay (${tag}).` }];
}

/** Approves (0) the given results as they are. */
export function sampleApproval(resultIds: readonly string[]): JsonObject {
  return { results: resultIds.map((resultId) => ({ resultId, userOverride: [] })), action: 0 };
}
