import { served } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asObject } from '../proxy/json.ts';
import { problem } from '../proxy/reply.ts';
import type { Context, Make } from '../proxy/message.ts';
import { clueParts, POLICIES_PATH } from '../defects/items.ts';
import { together } from '../proxy/compose.ts';
import { FALSE_ALARMS, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { LIST, READ } from '../defects/operations.ts';

const SOURCE = `${FALSE_ALARMS}: clues of another organization may be refused or ignored`;

async function ownOrganization(context: Context): Promise<unknown> {
  const [policy] = await listAt(context, `${POLICIES_PATH}?take=1`);
  return asObject(policy)['organizationId'];
}

/** Refuses clues of other organizations, compared case-sensitively, once a policy shows its own organization. */
const checksOrganization: Make = at({ op: 'POST /clue', when: served }).handles(async (call, next, context) => {
  const given = clueParts(call.json)[0]['attribute-organization'];
  const own = await ownOrganization(context);
  return typeof given === 'string' && own !== undefined && own !== given ? problem(400) : next();
});

function withoutOrganization(value: unknown): unknown {
  const { organizationId: _id, ...policy } = asObject(value);
  return policy;
}

const hidesOrganization: Make = at([LIST, READ]).rewrites((value) =>
  Array.isArray(value) ? value.map(withoutOrganization) : withoutOrganization(value),
);

/** Organizations are compared as they are written. */
const COMPARED = { decides: 'form of organizations' } as const;

export const TENANTS: readonly Variation[] = [
  variation('tenant-checks-organization', SOURCE).by(checksOrganization, COMPARED),
  variation('tenant-hides-its-organization', `${SOURCE}; the members of models are not shown (api.md 2)`).by(
    together(hidesOrganization, checksOrganization),
    COMPARED,
  ),
];
