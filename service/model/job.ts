import { blank, flag, filledText, int32, list, nullable, record, text, uuid } from './shape.ts';
import { NO_ID, filterRule, metadataShape } from './policy.ts';
import type { Stored } from './policy.ts';

/** The fields of an AI job that clients set (the update model). */
export interface JobFields {
  name: string;
  description: string | null;
  metadata: Record<string, string> | null;
  prompt: string | null;
  allowedSkills: string[] | null;
  enableCronSchedule: boolean;
  cronSchedule: string | null;
  endpointId: string;
  aiAgentId: string;
  enabled: boolean;
  dataSources: unknown[] | null;
}

export interface Job extends JobFields, Stored {
  jobProgressId: string | null;
  /** Number of the job; determines the results of its runs. */
  ordinal: number;
}

export type JobInput = Partial<JobFields> & { name: string };

const dataSource = record({
  id: uuid,
  name: nullable(text),
  type: nullable(text),
  filterRule,
  sample: flag,
  sampleSize: nullable(int32(0, 1000)),
  isReferenceData: nullable(flag),
  dataSetId: blank(uuid),
  vocabularyKeys: nullable(list(text)),
  tail: flag,
});

export const jobShape = record(
  {
    name: filledText,
    description: nullable(text),
    metadata: metadataShape,
    prompt: nullable(text),
    allowedSkills: nullable(list(text)),
    enableCronSchedule: flag,
    cronSchedule: nullable(text),
    endpointId: uuid,
    aiAgentId: uuid,
    enabled: flag,
    dataSources: nullable(list(dataSource)),
  },
  ['name'],
);

const DEFAULTS: Omit<JobFields, 'name'> = {
  description: null,
  metadata: {},
  prompt: null,
  allowedSkills: [],
  enableCronSchedule: false,
  cronSchedule: null,
  endpointId: NO_ID,
  aiAgentId: NO_ID,
  enabled: false,
  dataSources: [],
};

export const JOB_FIELDS = ['name', ...Object.keys(DEFAULTS)] as readonly (keyof JobFields)[];

/** The fields of the client, and defaults for the others. */
export function jobFields(input: JobInput): JobFields {
  const given = JOB_FIELDS.filter((name) => Object.hasOwn(input, name)).map((name) => [name, input[name]]);
  return { ...structuredClone(DEFAULTS), ...Object.fromEntries(given) } as JobFields;
}
