import { OPERATIONS } from './operations.ts';

/** The sentences about creating, updating and deleting, by what is created. */
interface LifecycleSentences {
  readonly create: readonly string[];
  readonly distinct?: string;
  readonly listed?: string;
  readonly update: readonly string[];
  readonly remove: readonly string[];
}

const KINDS: Readonly<Record<string, string>> = {
  [OPERATIONS.createPolicy]: 'policies',
  [OPERATIONS.createAgent]: 'agents',
  [OPERATIONS.createJob]: 'jobs',
};

/** The requirements that a resource's life cycle tries. */
export function lifecycleSentences(createId: string): LifecycleSentences {
  const kind = KINDS[createId];
  if (kind === undefined) return { create: [], update: [], remove: [] };
  const stores = kind === 'agents' ? [] : [`${kind}.create-stores`];
  return {
    create: [
      `${kind}.id-uuid`,
      `${kind}.list-has-created`,
      ...stores,
      ...(kind === 'policies' ? ['policies.create-distinct'] : []),
    ],
    ...(kind === 'policies' ? { distinct: 'policies.create-distinct' } : {}),
    listed: `${kind}.list-has-created`,
    update: [`${kind}.update-stores`],
    remove: [`${kind}.delete-removes`],
  };
}

/** Cause of a violation where the name or the description that was sent is not read back: sequences look at these two. */
export const NOT_AS_SENT = 'it is not as it was sent';
