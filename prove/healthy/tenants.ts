import { asObject, at, items, json, parsed, problem, served, succeeded } from '../proxy/edit.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import { together } from '../proxy/compose.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { LIST } from '../exam/operations.ts';

const SOURCE = 'false-alarm list of platform.md: clues of another organization may be refused or ignored';

function organizationOf(call: Call): unknown {
  return asObject(asObject(call.json)['clue'])['attribute-organization'];
}

async function ownOrganization(context: Context): Promise<unknown> {
  const [policy] = items(parsed(await context.send('GET', '/api/accesscontrolpolicies?take=1')));
  return asObject(policy)['organizationId'];
}

/** Refuses clues of any organization but its own, compared letter by letter, as soon as a policy shows which that is. */
const checksOrganization: Make = at({ op: 'POST /clue', when: served }, async (call, next, context) => {
  const given = organizationOf(call);
  const own = await ownOrganization(context);
  return typeof given === 'string' && own !== undefined && own !== given ? problem(400) : next();
});

function withoutOrganization(value: unknown): unknown {
  const { organizationId: _id, ...policy } = asObject(value);
  return policy;
}

const hidesOrganization: Make = () => async (call, next) => {
  const reply = await next();
  const id = call.route?.id;
  if (!succeeded(reply)) return reply;
  if (id === LIST) return json(items(parsed(reply)).map(withoutOrganization));
  return id === `${LIST}/{id}` ? json(withoutOrganization(parsed(reply))) : reply;
};

/** Tenants that check what belongs to them. */
export const TENANTS: readonly Variation[] = [
  variation('tenant-checks-organization', SOURCE, checksOrganization),
  variation(
    'tenant-hides-its-organization',
    `${SOURCE}; the members of models are not shown (api.md 2)`,
    together(hidesOrganization, checksOrganization),
  ),
];
