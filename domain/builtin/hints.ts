import type { Exchange } from '../../spec/index.ts';
import type { Fixtures } from '../fixtures.ts';
import { OPERATIONS } from './operations.ts';

type Name = 'entityType' | 'organization' | 'endpoint';

const WORDS: Readonly<Record<Name, string>> = {
  entityType: 'entity type',
  organization: 'organization',
  endpoint: 'endpoint',
};

/** Fixtures that only the tenant knows, how a refusal mentions them, and the creations whose bodies name them. */
const TENANT_FIXTURES: readonly (readonly [name: Name, mention: RegExp, creations: ReadonlySet<string>])[] = [
  ['entityType', /entity ?type/i, new Set([OPERATIONS.clue])],
  ['organization', /organi[sz]ation/i, new Set([OPERATIONS.clue])],
  ['endpoint', /endpoint/i, new Set([OPERATIONS.createJob])],
];

/**
 * Advice for a refused request, where a fixture of the configuration may be missing or wrong: the response mentions it, or the
 * operation has not served any request so far.
 */
export function hintFor(refused: Exchange, wasServed: boolean, fixtures: Fixtures): string | undefined {
  const text = textOf(refused);
  const [name] =
    TENANT_FIXTURES.find(
      ([each, mention, creations]) => mention.test(text) && (each !== 'entityType' || creations.has(refused.operation)),
    ) ?? [];
  if (name !== undefined) return `the response mentions the ${WORDS[name]}: ${advice(name, fixtures)}`;
  const [likely] =
    TENANT_FIXTURES.find(
      ([each, , creations]) => !wasServed && each !== 'entityType' && creations.has(refused.operation),
    ) ?? [];
  return likely === undefined ? undefined : `nothing was created so far: ${advice(likely, fixtures)}`;
}

/** Statuses that refuse a request because of its body, or because of the state of an item that it names. */
export const REFUSALS: ReadonlySet<number> = new Set([400, 409, 422]);

/** Operations that need the endpoint of a job. */
const USES_ENDPOINT: ReadonlySet<string> = new Set([
  OPERATIONS.createJob,
  OPERATIONS.updateJob,
  OPERATIONS.patchJob,
  OPERATIONS.queue,
  OPERATIONS.dryRun,
  OPERATIONS.preview,
]);

/** True for a refusal that mentions the endpoint of a job, which only the tenant knows. */
export function isRefusedForEndpoint(refused: Exchange): boolean {
  const mention = TENANT_FIXTURES.find(([name]) => name === 'endpoint')?.[1];
  const isRefused = USES_ENDPOINT.has(refused.operation) && REFUSALS.has(refused.response?.status ?? 0);
  return isRefused && mention?.test(textOf(refused)) === true;
}

function textOf({ response }: Exchange): string {
  return Buffer.from(response?.body ?? []).toString();
}

function advice(name: Name, fixtures: Fixtures): string {
  const value = fixtures[name];
  if (value === undefined) return `set fixtures.${name} in the configuration to one that exists in the tenant`;
  return `fixtures.${name} in the configuration, ${value}, may not exist in the tenant`;
}
