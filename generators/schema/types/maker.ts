import type { Json, SchemaRef } from '../../../spec/index.ts';
import type { Draft } from '../draft.ts';
import type { Draw } from '../../core/draw.ts';

/** What one type of one draft can make. */
export interface Maker {
  make(draw: Draw): Json;
  /** The simplest value whose nesting is at most `depth`; undefined where there is none. */
  simplest(depth: number): Json | undefined;
  /** Other values worth offering when shrinking. */
  readonly alternatives?: readonly Json[];
  /** True for texts with a shape of their own, such as dates. */
  readonly shaped?: boolean;
  /** The schemas of a member or item. */
  child?(token: string | number): Child | undefined;
}

/** The node that stands for a conjunction of schemas; one object for each conjunction. */
export interface Child extends Maker {
  /** False where no value fits. */
  readonly possible: boolean;
  /** Hash that tells fields apart. */
  readonly salt: number;
  suggest(): readonly Json[];
  drafts(): readonly Draft[];
}

/** Finds or makes the node of a conjunction of schemas. */
export type NodeOf = (refs: readonly SchemaRef[]) => Child;
