import type { Kind } from '../../oracle/index.ts';
import type { Family } from '../sequences/subject.ts';

/** Calls that are sent at once. */
export interface Contest {
  readonly family: Family;
  readonly title: string;
  /** Whether policies are made active before. */
  readonly active?: boolean;
  readonly calls: readonly { readonly on: number; readonly kind: Kind }[];
}

const on = (at: number, ...kinds: readonly Kind[]): Contest['calls'] => kinds.map((kind) => ({ on: at, kind }));
const each = (count: number, kind: Kind): Contest['calls'] =>
  Array.from({ length: count }, (_, at) => ({ on: at, kind }));

const POLICIES: readonly Omit<Contest, 'family'>[] = [
  { title: 'an update and an activation of one policy', calls: on(0, 'update', 'activate') },
  { title: 'an update and a deactivation of one policy', active: true, calls: on(0, 'update', 'deactivate') },
  { title: 'activations of one policy', calls: on(0, 'activate', 'activate') },
  { title: 'an activation and a deletion of one policy', calls: on(0, 'activate', 'delete') },
  { title: 'an activation of one, a deletion of another policy', calls: [...on(0, 'activate'), ...on(1, 'delete')] },
  { title: 'activations of different policies', calls: each(3, 'activate') },
  { title: 'deactivations of different policies', active: true, calls: each(3, 'deactivate') },
  { title: 'an activation and a deactivation of one policy', calls: on(0, 'activate', 'deactivate') },
  {
    title: 'an activation of one, a deactivation of another policy',
    active: true,
    calls: [...on(0, 'activate'), ...on(1, 'deactivate')],
  },
];

const ANY: readonly Omit<Contest, 'family'>[] = [
  { title: 'updates of one', calls: on(0, 'update', 'update', 'update') },
  { title: 'updates of different ones', calls: each(3, 'update') },
  { title: 'an update and a deletion of one', calls: on(0, 'update', 'delete') },
  { title: 'an update of one, a deletion of another', calls: [...on(0, 'update'), ...on(1, 'delete')] },
  { title: 'deletions of one', calls: on(0, 'delete', 'delete') },
  { title: 'deletions of different ones', calls: each(3, 'delete') },
  { title: 'reads of one while it is updated', calls: on(0, 'update', 'read', 'read', 'update', 'read') },
  { title: 'reads of different ones', calls: [...each(3, 'read'), ...each(3, 'read')] },
];

const JOBS: readonly Omit<Contest, 'family'>[] = [
  { title: 'a patch and an update of one', calls: on(0, 'patch', 'update') },
  { title: 'patches of different ones', calls: each(3, 'patch') },
];

/** What is tried at once, for everything that can be made. */
export const CONTESTS: readonly Contest[] = [
  ...POLICIES.map((contest): Contest => ({ ...contest, family: 'createPolicy' })),
  ...(['createPolicy', 'createAgent', 'createJob'] as const).flatMap((family) =>
    ANY.map((contest): Contest => ({ ...contest, family })),
  ),
  ...JOBS.map((contest): Contest => ({ ...contest, family: 'createJob' })),
];
