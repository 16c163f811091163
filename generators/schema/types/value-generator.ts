import type { Json, SchemaRef } from '../../../spec/index.ts';
import type { Constraints } from '../constraints.ts';
import type { Draw } from '../../core/draw.ts';

/** Generates the values of one type within constraints. */
export interface ValueGenerator {
  generate(draw: Draw): Json;
  /** The simplest value nested at most `depth` levels; undefined if there is none. */
  simplest(depth: number): Json | undefined;
  /** Other candidates for shrinking. */
  readonly alternatives?: readonly Json[];
  /** True for texts with a fixed syntax, such as dates. */
  readonly hasFixedSyntax?: boolean;
  /** The schemas of a member or item. */
  child?(token: string | number): Child | undefined;
}

/** Generates the values to which several schemas apply. */
export interface Child extends ValueGenerator {
  /** False if there is no value. */
  readonly possible: boolean;
  /** Differs by field. */
  suggest(): readonly Json[];
  variants(): readonly Constraints[];
}

/** Returns the node of several schemas. */
export type NodeOf = (refs: readonly SchemaRef[]) => Child;
