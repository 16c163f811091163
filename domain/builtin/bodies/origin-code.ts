/** An origin code or entity code: `/<EntityType>#<source>:<id>` (api.md section 2). */
export function originCode(entityType: string, source: string, id: string): string {
  return `/${entityType}#${source}:${id}`;
}

/** The nil uuid: what a deployment answers where an id is unset. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
