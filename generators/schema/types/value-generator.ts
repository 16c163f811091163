import type { Json, SchemaRef } from '../../../spec/index.ts';
import type { Draft } from '../draft.ts';
import type { Draw } from '../../core/draw.ts';

/** Generates the values of one type of a draft. */
export interface Maker {
  make(draw: Draw): Json;
  /** The simplest value nested at most `depth` levels; undefined if there is none. */
  simplest(depth: number): Json | undefined;
  /** Other candidates for shrinking. */
  readonly alternatives?: readonly Json[];
  /** True for texts with a fixed syntax, such as dates. */
  readonly shaped?: boolean;
  /** The schemas of a member or item. */
  child?(token: string | number): Child | undefined;
}

/** The node of a conjunction of schemas. */
export interface Child extends Maker {
  /** False if there is no value. */
  readonly possible: boolean;
  /** Distinguishes fields. */
  readonly salt: number;
  suggest(): readonly Json[];
  drafts(): readonly Draft[];
}

/** Returns the node of a conjunction of schemas. */
export type NodeOf = (refs: readonly SchemaRef[]) => Child;
