import { published } from '../fault.ts';
import * as op from '../operations.ts';
import { before, fields } from '../parts.ts';

/** Defects that break only what is known of the service beyond its document. */
export const publishedFaults = {
  'nameless-agent-accepted': published('An agent without a name is accepted', 'A job or agent without a name is refused with 400.', [op.CREATE_AGENT], () => ({
    inner: before((call) => {
      const { name } = fields(call);
      if (name === undefined || name === '') call.body = { ...fields(call), name: 'unnamed' };
    }),
  })),
} as const;
