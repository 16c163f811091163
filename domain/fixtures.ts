import { isObject } from '../spec/index.ts';
import type { Json, Operation } from '../spec/index.ts';
import type { ApiKnowledge, BodyReferences } from './knowledge.ts';

/** Values of the configuration that only the tenant knows. */
export interface Fixtures {
  /** Id (uuid) of the organization that clues belong to; left out: the one that the policies of the deployment show. */
  readonly organization?: string;
  /** Id (uuid) of an endpoint that jobs can use. */
  readonly endpoint?: string;
  /** The entity type of all clues, for example `/Customer`. */
  readonly entityType?: string;
  /**
   * Valid bodies by operation id, in place of the samples. `{name}` in a text becomes a unique name; where no text has it,
   * the member `name` does. `{aiAgentId}` is the id of an agent of the run, and `{organizationId}` that of the organization.
   */
  readonly bodies?: Readonly<Record<string, Json>>;
}

const replaced = (value: Json, texts: ReadonlyMap<string, string>): Json => {
  if (typeof value === 'string') return value.replaceAll(/\{(\w+)\}/g, (whole, key: string) => texts.get(key) ?? whole);
  if (Array.isArray(value)) return value.map((each: Json) => replaced(each, texts));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, texts)]));
};

/** The body that the configuration gives an operation; undefined where it gives none. */
export function configuredBody(
  { bodies = {} }: Fixtures,
  operationId: string,
  name: string,
  references: BodyReferences = {},
): Json | undefined {
  const body = Object.hasOwn(bodies, operationId) ? bodies[operationId] : undefined;
  if (body === undefined) return undefined;
  const known = Object.entries({ ...references, name }).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const filled = replaced(body, new Map(known));
  const isNamed = JSON.stringify(body).includes('{name}');
  return !isNamed && isObject(filled) && typeof filled['name'] === 'string' ? { ...filled, name } : filled;
}

/** Knowledge whose samples are the bodies of the configuration, where it gives any. */
export function withBodies(knowledge: ApiKnowledge, fixtures: Fixtures): ApiKnowledge {
  if (fixtures.bodies === undefined) return knowledge;
  return {
    ...knowledge,
    sampleBody: (operation: Operation, name: string, references?: BodyReferences) =>
      configuredBody(fixtures, operation.id, name, references) ?? knowledge.sampleBody(operation, name, references),
  };
}
