import type { Json } from '../../../spec/index.ts';
import { weight } from '../../shrink/weight.ts';
import type { Draft, TypeName } from '../draft.ts';
import { arrayMaker } from './array.ts';
import type { Maker, NodeOf } from './maker.ts';
import { numberMaker } from './number.ts';
import { objectMaker } from './object.ts';
import { stringMaker } from './string.ts';

type MakerOf = (draft: Draft, salt: number, nodeOf: NodeOf) => Maker | undefined;

const MAKERS = {
  null: (_draft, salt) => fixedMaker([null], salt),
  boolean: () => ({ make: (draw) => draw.profile.optional > 0 && draw.random.chance(0.5), simplest: () => false }),
  number: numberMaker,
  string: stringMaker,
  array: arrayMaker,
  object: objectMaker,
} satisfies Record<TypeName, MakerOf>;

/** The maker for a type of a draft; undefined if there is no value. */
export function makerFor(type: TypeName, draft: Draft, salt: number, nodeOf: NodeOf): Maker | undefined {
  return MAKERS[type](draft, salt, nodeOf);
}

/** Generates the given values only. */
export function fixedMaker(values: readonly Json[], salt: number): Maker | undefined {
  const sorted = values.toSorted((one, other) => weight(one) - weight(other));
  const [simplest] = sorted;
  if (simplest === undefined) return undefined;
  return {
    make: (draw) => {
      if (draw.profile.optional === 0) return simplest;
      return draw.interesting(sorted, salt) ?? draw.random.pick(sorted);
    },
    simplest: () => simplest,
    alternatives: sorted,
  };
}
