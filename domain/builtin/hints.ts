import type { Exchange } from '../../spec/index.ts';
import type { Fixtures } from '../fixtures.ts';
import { OPERATIONS } from './operations.ts';

type Name = 'organization' | 'endpoint' | 'entityType';

/** A fixture that only the tenant knows. */
interface TenantFixture {
  readonly name: Name;
  /** How a refusal mentions it. */
  readonly mention: RegExp;
  /** The creation whose body names it. */
  readonly creation: string;
  /** Only that creation names it: elsewhere, a refusal that mentions it is about something else. */
  readonly isOfCreation?: true;
}

const TENANT_FIXTURES: readonly TenantFixture[] = [
  { name: 'organization', mention: /organi[sz]ation/i, creation: OPERATIONS.clue },
  { name: 'endpoint', mention: /endpoint/i, creation: OPERATIONS.createJob },
  { name: 'entityType', mention: /entity ?type/i, creation: OPERATIONS.clue, isOfCreation: true },
];

/**
 * Advice for a refused request, where a fixture of the configuration may be missing or wrong: the response mentions it, or the
 * operation has not served any request so far.
 */
export function hintFor(refused: Exchange, wasServed: boolean, fixtures: Fixtures): string | undefined {
  const text = textOf(refused);
  const mentioned = TENANT_FIXTURES.find(
    ({ mention, creation, isOfCreation }) =>
      mention.test(text) && (isOfCreation !== true || creation === refused.operation),
  );
  if (mentioned !== undefined)
    return `the response mentions the ${WORDS[mentioned.name]}: ${advice(mentioned, fixtures)}`;
  const likely = TENANT_FIXTURES.find(({ creation }) => !wasServed && creation === refused.operation);
  return likely === undefined ? undefined : `nothing was created so far: ${advice(likely, fixtures)}`;
}

const WORDS: Readonly<Record<Name, string>> = {
  organization: 'organization',
  endpoint: 'endpoint',
  entityType: 'entity type',
};

/** Statuses that refuse a request because of its body, or because of the state of an item that it names. */
export const REFUSALS: ReadonlySet<number> = new Set([400, 409, 422]);

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
  const mention = TENANT_FIXTURES.find(({ name }) => name === 'endpoint')?.mention;
  const isRefused = USES_ENDPOINT.has(refused.operation) && REFUSALS.has(refused.response?.status ?? 0);
  return isRefused && mention?.test(textOf(refused)) === true;
}

function textOf({ response }: Exchange): string {
  return Buffer.from(response?.body ?? []).toString();
}

function advice({ name }: TenantFixture, fixtures: Fixtures): string {
  const value = fixtures[name];
  if (value === undefined) return `set fixtures.${name} in the configuration to one that exists in the tenant`;
  return `fixtures.${name} in the configuration, ${value}, may not exist in the tenant`;
}
