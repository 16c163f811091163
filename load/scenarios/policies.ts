import { concurrently } from './concurrently.ts';
import type { ScenarioContext } from './scenario.ts';

export const CREATE = 'POST /accesscontrolpolicies';
export const REMOVE = 'DELETE /accesscontrolpolicies/{id}';
export const LIST = 'GET /accesscontrolpolicies';

export interface Policies {
  readonly count: number;
  /** The beginning of their names. */
  readonly tag: string;
}

export async function createPolicies({ api, items, signal }: ScenarioContext): Promise<Policies> {
  // Imported here to keep `--help`, which lists the scenarios, fast.
  const { freshPolicy } = await import('../../domain/builtin/policies.ts');
  let count = 0;
  const create = async (): Promise<void> => {
    await freshPolicy(api, 'load');
    count += 1;
  };
  await concurrently(Array.from({ length: items }), create, signal);
  return { count, tag: api.tag };
}
