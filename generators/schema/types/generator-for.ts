import type { Json } from '../../../spec/index.ts';
import { weight } from '../../shrink/weight.ts';
import type { Constraints, TypeName } from '../constraints.ts';
import { arrayGenerator } from './array.ts';
import type { ValueGenerator, NodeOf } from './value-generator.ts';
import { numberGenerator } from './number.ts';
import { objectGenerator } from './object.ts';
import { stringGenerator } from './string.ts';

type GeneratorFactory = (constraints: Constraints, salt: number, nodeOf: NodeOf) => ValueGenerator | undefined;

const GENERATORS = {
  null: (_draft, salt) => fixedValues([null], salt),
  boolean: () => ({ generate: (draw) => draw.profile.optional > 0 && draw.random.chance(0.5), simplest: () => false }),
  number: numberGenerator,
  string: stringGenerator,
  array: arrayGenerator,
  object: objectGenerator,
} satisfies Record<TypeName, GeneratorFactory>;

/** The generator for one type; undefined if no value fits the constraints. */
export function generatorFor(
  type: TypeName,
  constraints: Constraints,
  salt: number,
  nodeOf: NodeOf,
): ValueGenerator | undefined {
  return GENERATORS[type](constraints, salt, nodeOf);
}

/** Generates the given values only. */
export function fixedValues(values: readonly Json[], salt: number): ValueGenerator | undefined {
  const sorted = values.toSorted((one, other) => weight(one) - weight(other));
  const [simplest] = sorted;
  if (simplest === undefined) return undefined;
  return {
    generate: (draw) => {
      if (draw.profile.optional === 0) return simplest;
      return draw.interesting(sorted, salt) ?? draw.random.pick(sorted);
    },
    simplest: () => simplest,
    alternatives: sorted,
  };
}
