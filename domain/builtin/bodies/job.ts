import type { Json, JsonObject } from '../../../spec/index.ts';
import type { Draw } from '../../../generators/core/draw.ts';
import { randomUuid } from '../../../generators/schema/formats/identifiers.ts';
import type { BodyKind } from './domain-generator.ts';
import { field, list, members, size, textMap } from './fields.ts';
import { filterRule } from './filter.ts';
import { ENDPOINT_ID, NIL_UUID } from './identifiers.ts';

const name = field('job name', 1);
const description = field('job description');
const prompt = field('job prompt');
const skill = field('skill');
const sourceName = field('data source name');
const CRONS = ['0 0 * * *', '*/5 * * * *', '0 9 * * 1-5', '@daily', '0 0 29 2 *', ''];
const SAMPLE_SIZES = [0, 1, 1000, 999, 10, 100];

/** Jobs of an existing agent. They are disabled, so that no deployment runs them by itself. */
export function jobKind(aiAgentId: string = NIL_UUID): BodyKind {
  return { make: (draw) => makeJob(draw, aiAgentId), fixed: ['aiAgentId', 'enabled'] };
}

function makeJob(draw: Draw, aiAgentId: string): Json {
  const { random } = draw;
  return members(
    draw,
    { name: name(draw), aiAgentId, enabled: false },
    {
      description: () => description(draw),
      metadata: () => textMap(draw, size(draw, 'job metadata', 260)),
      prompt: () => prompt(draw),
      allowedSkills: () => list(draw, size(draw, 'skills', 60), () => skill(draw)),
      enableCronSchedule: () => random.chance(0.5),
      cronSchedule: () => random.pick(CRONS),
      endpointId: () => ENDPOINT_ID,
      dataSources: () => list(draw, size(draw, 'data sources', 30), () => makeDataSource(draw)),
    },
    ['description', 'metadata', 'prompt', 'allowedSkills', 'cronSchedule', 'dataSources'],
  );
}

function makeDataSource(draw: Draw): JsonObject {
  const { random } = draw;
  return members(
    draw,
    {},
    {
      id: () => randomUuid(random),
      name: () => sourceName(draw),
      type: () => 'Entity',
      filterRule: () => filterRule(draw, 2),
      sample: () => random.chance(0.5),
      sampleSize: () => draw.interesting(SAMPLE_SIZES, 2) ?? random.int(0, 1000),
      isReferenceData: () => random.chance(0.5),
      dataSetId: () => randomUuid(random),
      vocabularyKeys: () => list(draw, size(draw, 'vocabulary keys', 130), (index) => `assay.key${index}`),
      tail: () => random.chance(0.5),
    },
    ['name', 'type', 'sampleSize', 'isReferenceData', 'dataSetId', 'vocabularyKeys'],
  );
}
