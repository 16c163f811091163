import type { Draft, TypeName } from '../draft.ts';
import { arrayMaker } from './array.ts';
import { booleanMaker } from './boolean.ts';
import { fixedMaker } from './fixed.ts';
import type { Maker, NodeOf } from './maker.ts';
import { numberMaker } from './number.ts';
import { objectMaker } from './object.ts';
import { stringMaker } from './string.ts';

type MakerOf = (draft: Draft, salt: number, nodeOf: NodeOf) => Maker | undefined;

const MAKERS = {
  null: (_draft, salt) => fixedMaker([null], salt),
  boolean: booleanMaker,
  number: numberMaker,
  string: stringMaker,
  array: arrayMaker,
  object: objectMaker,
} satisfies Record<TypeName, MakerOf>;

/** What makes values of a type that fit a draft; undefined where none can. */
export function makerFor(type: TypeName, draft: Draft, salt: number, nodeOf: NodeOf): Maker | undefined {
  return MAKERS[type](draft, salt, nodeOf);
}
