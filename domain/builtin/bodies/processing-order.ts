import type { Json } from '../../../spec/index.ts';
import type { Draw } from '../../../generators/core/draw.ts';
import { randomUuid } from '../../../generators/schema/formats/identifiers.ts';
import type { BodyKind } from './domain-generator.ts';

/** A policy in an order. */
export interface Orderable {
  readonly id: string;
  readonly name: string;
}

/** Ways to order the existing policies. */
export const ORDERINGS = [
  'permutation',
  'reversed',
  'subset',
  'repeats',
  'unknown',
  'empty',
  'same-order',
  'gaps',
] as const;
export type Ordering = (typeof ORDERINGS)[number];

type Arrange = (draw: Draw, known: readonly Orderable[]) => readonly Orderable[];

const ARRANGE = {
  permutation: (draw, known) => draw.random.shuffle(known),
  reversed: (_, known) => known.toReversed(),
  subset: (draw, known) => draw.random.shuffle(known).slice(0, draw.random.int(0, known.length)),
  repeats: (draw, known) => [...known, ...known.slice(0, draw.random.int(1, 3))],
  unknown: (draw, known) => draw.random.shuffle([...known, { id: randomUuid(draw.random), name: 'unknown' }]),
  empty: () => [],
  'same-order': (_, known) => known,
  gaps: (draw, known) => draw.random.shuffle(known),
} satisfies Record<Ordering, Arrange>;

/** A body that orders the known policies in that way. */
export function orderingBody(draw: Draw, ordering: Ordering, known: readonly Orderable[]): Json {
  const named = draw.random.chance(0.7);
  return ARRANGE[ordering](draw, known).map(({ id, name }, index) => ({
    id,
    ...(named ? { name } : {}),
    order: ordering === 'same-order' ? 0 : ordering === 'gaps' ? index * 10 + 5 : index,
  }));
}

/** Orders of the known policies, of all {@link ORDERINGS}. */
export function processingOrderKind(known: readonly Orderable[]): BodyKind {
  return { make: (draw) => orderingBody(draw, draw.interesting(ORDERINGS, 0) ?? draw.random.pick(ORDERINGS), known) };
}
