import { buildPool, ID_DIGITS } from '../../generators/index.ts';
import type { PoolKind } from '../../generators/index.ts';

/** Encoded bodies, each with the offsets of the fields that make it unique. */
export interface BodyPool {
  readonly bodies: readonly { readonly bytes: Uint8Array; readonly fields: readonly number[] }[];
  /** Bytes of each field. */
  readonly fieldWidth: number;
}

export interface PoolWish {
  readonly kind: PoolKind;
  readonly count: number;
  readonly bytes: number;
  readonly seed: number;
  readonly tag: string;
}

/** Bodies from the domain generators, of about so many bytes. */
export function poolOf(wish: PoolWish): BodyPool {
  const { bodies } = buildPool(wish);
  return {
    bodies: bodies.map(({ buffer, idOffsets }) => ({ bytes: buffer, fields: idOffsets })),
    fieldWidth: ID_DIGITS,
  };
}
