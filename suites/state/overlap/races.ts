import type { RequestKind } from '../../oracle/index.ts';
import type { Family } from '../sequences/items.ts';

/** Calls that are sent at the same time. */
export interface Race {
  readonly family: Family;
  /** Kinds of calls, by the item that they are about. */
  readonly calls: readonly (readonly RequestKind[])[];
  /** Whether policies are activated before. */
  readonly isActive?: boolean;
}

type Calls = Omit<Race, 'family'>;

/** The same kinds of calls on each of three items. */
const each = (...kinds: readonly RequestKind[]): Race['calls'] => [kinds, kinds, kinds];

const FOR_POLICIES: readonly Calls[] = [
  { calls: [['update', 'activate']] },
  { calls: [['update', 'deactivate']], isActive: true },
  { calls: [['activate', 'activate']] },
  { calls: [['activate', 'delete']] },
  { calls: [['activate'], ['delete']] },
  { calls: each('activate') },
  { calls: each('deactivate'), isActive: true },
  { calls: [['activate', 'deactivate']] },
  { calls: [['activate'], ['deactivate']], isActive: true },
];

const FOR_ALL: readonly Calls[] = [
  { calls: [['update', 'update', 'update']] },
  { calls: each('update') },
  { calls: [['update', 'delete']] },
  { calls: [['update'], ['delete']] },
  { calls: [['delete', 'delete']] },
  { calls: each('delete') },
  { calls: [['update', 'read', 'read', 'update', 'read']] },
  { calls: each('read', 'read') },
];

const FOR_JOBS: readonly Calls[] = [{ calls: [['patch', 'update']] }, { calls: each('patch') }];

export const RACES: readonly Race[] = [
  ...FOR_POLICIES.map((race): Race => ({ ...race, family: 'policy' })),
  ...(['policy', 'agent', 'job'] as const).flatMap((family) => FOR_ALL.map((race): Race => ({ ...race, family }))),
  ...FOR_JOBS.map((race): Race => ({ ...race, family: 'job' })),
];

/** Identifies a race in findings: calls on one item are joined by `+`, items by `|`. */
export function raceSubject({ calls }: Pick<Race, 'calls'>): string {
  return calls.map((kinds) => kinds.join('+')).join('|');
}

const LIST = new Intl.ListFormat('en');

/** For example `overlapping update and activate of one policy`. */
export function raceTitle({ family, calls }: Race): string {
  const kinds = inSendOrder(calls).map(({ kind }) => kind);
  const where = calls.length === 1 ? `one ${family}` : `${calls.length} items (${family})`;
  return `overlapping ${LIST.format(kinds)} of ${where}`;
}

/** The calls in the order in which they are sent: the first of each item, then the second ones. */
export function inSendOrder(calls: Race['calls']): readonly { readonly item: number; readonly kind: RequestKind }[] {
  const most = Math.max(...calls.map((kinds) => kinds.length));
  return Array.from({ length: most }, (_, at) =>
    calls.flatMap((kinds, item) => {
      const kind = kinds[at];
      return kind === undefined ? [] : [{ item, kind }];
    }),
  ).flat();
}
