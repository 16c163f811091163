import { published } from '../fault.ts';
import * as op from '../operations.ts';
import { before, body, fields, items } from '../parts.ts';
import { isFields } from '../../model/shape.ts';

/** Defects that break only what is known of the service beyond its document. */
export const publishedFaults = {
  'nameless-agent-accepted': published('An agent without a name is accepted', 'A job or agent without a name is refused with 400.', [op.CREATE_AGENT], () => ({
    inner: before((call) => {
      const { name } = fields(call);
      if (name === undefined || name === '') call.body = { ...fields(call), name: 'unnamed' };
    }),
  })),
  'total-count-missing': published('A page of runs does not say how many there are', 'The paginated wrapper holds totalCount.', [op.RUNS], () => ({
    inner: body((value) => (isFields(value) ? { ...value, totalCount: undefined } : value)),
  })),
  'skill-approves-in-words': published('Whether a skill approves by itself is told as a text', 'The fields of the models have their published types.', [op.SKILLS], () => ({
    inner: items((skill) => ({ ...skill, autoApprove: String(skill['autoApprove']) })),
  })),
} as const;
