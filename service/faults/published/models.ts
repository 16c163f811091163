import { published } from '../fault.ts';
import * as op from '../operations.ts';
import { before, body, fields, id, items } from '../parts.ts';
import { isFields } from '../../model/shape.ts';
import type { Call, Wrap } from '../../http/call.ts';

const REPLACED = 'PUT replaces: a map holds what was sent, and nothing else.';

/** Adds what is sent to the metadata that an item has. */
const merging = (known: (call: Call) => unknown): Wrap =>
  before((call) => {
    const [metadata, old] = [fields(call)['metadata'], known(call)];
    if (isFields(metadata) && isFields(old)) call.body = { ...fields(call), metadata: { ...old, ...metadata } };
  });

/** Defects that break only what is known of the service beyond its document, or follows from it. */
export const publishedFaults = {
  'nameless-agent-accepted': published(
    'An agent without a name is accepted',
    'A job or agent without a name is refused with 400.',
    [op.CREATE_AGENT],
    () => ({
      inner: before((call) => {
        const { name } = fields(call);
        if (name === undefined || name === '') call.body = { ...fields(call), name: 'unnamed' };
      }),
    }),
  ),
  'total-count-missing': published(
    'A page of runs does not say how many there are',
    'The paginated wrapper holds totalCount.',
    [op.RUNS],
    () => ({ inner: body((value) => (isFields(value) ? { ...value, totalCount: undefined } : value)) }),
  ),
  'skill-approves-in-words': published(
    'Whether a skill approves by itself is told as a text',
    'The fields of the models have their published types.',
    [op.SKILLS],
    () => ({ inner: items((skill) => ({ ...skill, autoApprove: String(skill['autoApprove']) })) }),
  ),
  'update-merges-metadata': published(
    'An update adds to the metadata of an agent what was there before',
    REPLACED,
    [op.UPDATE_AGENT],
    () => ({ inner: merging((call) => call.world.agents.get(id(call))?.['metadata']) }),
  ),
  'job-update-merges-metadata': published(
    'Updating a job keeps metadata that it no longer has',
    REPLACED,
    [op.UPDATE_JOB],
    () => ({ inner: merging((call) => call.world.jobs.get(id(call))?.metadata) }),
  ),
} as const;
