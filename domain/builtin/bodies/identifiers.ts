/** An origin code or entity code: `/<EntityType>#<source>:<id>` (api.md section 2). */
export function originCode(entityType: string, source: string, id: string): string {
  return `/${entityType}#${source}:${id}`;
}

/** Stands for the id of an agent in generated bodies. */
export const AGENT_ID = '00000000-0000-4000-8000-0000000a6e27';

/** Stands for the organization of the tenant in generated bodies. */
export const ORGANIZATION_ID = '3f1c6d2e-8b4a-4f60-9d57-2c1a7be40f11';

/** Stands for an endpoint that jobs can use in generated bodies. */
export const ENDPOINT_ID = '00000000-0000-4000-8000-0000000e9d01';

/** The nil uuid: deployments return it where an id is not set. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
