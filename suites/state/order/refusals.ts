import type { RequestSpec } from '../../kit/context.ts';

type Entry = { readonly id: string };

/** An order that is, or may be, refused. */
export interface OrderRefusal {
  readonly label: string;
  readonly identity?: RequestSpec['identity'];
  readonly change: (entries: readonly Entry[], own: readonly string[]) => readonly Entry[];
}

const UNKNOWN_POLICY = { id: '7e57ab1e-0000-4000-8000-000000000000' };

/** The own policies in reverse order before those of others, which keep their order, should this one be accepted. */
function reversed(entries: readonly Entry[], own: readonly string[]): readonly Entry[] {
  const isOwn = ({ id }: Entry): boolean => own.includes(id.toLowerCase());
  return [...entries.filter(isOwn).toReversed(), ...entries.filter((each) => !isOwn(each))];
}

export const ORDER_REFUSALS: readonly OrderRefusal[] = [
  { label: 'without the permission', identity: 'limited', change: reversed },
  { label: 'without a token', identity: 'none', change: reversed },
  { label: 'with an unknown policy', change: (entries, own) => [...reversed(entries, own), UNKNOWN_POLICY] },
  {
    label: 'with a policy twice',
    change: (entries, own) => [...reversed(entries, own), ...entries.filter(({ id }) => id.toLowerCase() === own[0])],
  },
];
