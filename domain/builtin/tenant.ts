import { isObject } from '../../spec/index.ts';
import type { Json, Operation } from '../../spec/index.ts';
import { Skip } from '../context.ts';
import type { ApiContext } from '../context.ts';
import type { Fixtures } from '../fixtures.ts';
import { isUuid, itemsIn } from '../items.ts';
import { sharedAgent } from './agents.ts';
import { endpointOf } from './jobs.ts';
import { ENTITY_TYPES } from './bodies/clue.ts';
import { AGENT_ID, ENDPOINT_ID, NIL_UUID, ORGANIZATION_ID } from './bodies/identifiers.ts';
import type { SampleContext } from './bodies/sample-body.ts';
import { operationOf, OPERATIONS } from './operations.ts';
import { freshPolicy } from './policies.ts';

function organizationIn(policy: Json | undefined): string | undefined {
  const id = isObject(policy) ? policy['organizationId'] : undefined;
  return isUuid(id) && id !== NIL_UUID ? id : undefined;
}

/** The organization that existing policies show, or else a new one. */
async function findOrganization(t: ApiContext): Promise<string | undefined> {
  const operation = operationOf(t, 'policies');
  const list = async (query: Readonly<Record<string, Json>>): Promise<string | undefined> => {
    const { response } = await t.sendQuietly(operation, { query, label: 'find the organization' });
    return itemsIn({ response })
      ?.map(organizationIn)
      .find((id) => id !== undefined);
  };
  const known = await list({ take: 5 });
  if (known !== undefined || !t.allows('reversible')) return known;
  return list({ take: 5, searchName: (await freshPolicy(t, 'organization')).name });
}

/** The organization of this tenant; undefined where neither the configuration nor the deployment shows it. */
export function knownOrganization(t: ApiContext, { organization }: Fixtures): Promise<string | undefined> {
  return organization === undefined ? t.once('organization', () => findOrganization(t)) : Promise.resolve(organization);
}

/** The organization of clues. Throws {@link Skip} where it is not known: a healthy tenant may refuse the clues of any other. */
export async function organizationOf(t: ApiContext, fixtures: Fixtures): Promise<string> {
  const organization = await knownOrganization(t, fixtures);
  if (organization !== undefined) return organization;
  throw new Skip('the organization of the tenant is not known: set fixtures.organization in the configuration');
}

function slashed(entityType: string): string {
  return `/${entityType.replace(/^\//, '')}`;
}

/** The references of samples that the configuration sets. */
export function defaultsOf({ organization, endpoint, entityType }: Fixtures): SampleContext {
  return {
    ...(organization === undefined ? {} : { organizationId: organization }),
    ...(endpoint === undefined ? {} : { endpointId: endpoint }),
    ...(entityType === undefined ? {} : { entityType: slashed(entityType) }),
  };
}

/** The placeholders in generated bodies, with the values that replace them. */
export async function placeholders(
  t: ApiContext,
  operation: Operation,
  fixtures: Fixtures,
): Promise<Readonly<Record<string, string>>> {
  const { entityType } = fixtures;
  if (operation.path.startsWith('/aijob') && t.allows('reversible'))
    return { [AGENT_ID]: (await sharedAgent(t)).id, [ENDPOINT_ID]: (await endpointOf(t, fixtures)) ?? NIL_UUID };
  if (operation.id !== OPERATIONS.clue) return {};
  const types = entityType === undefined ? [] : ENTITY_TYPES.map((each) => [`/${each}`, slashed(entityType)] as const);
  return { [ORGANIZATION_ID]: await organizationOf(t, fixtures), ...Object.fromEntries(types) };
}
