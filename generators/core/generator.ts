import type { Json } from '../../spec/index.ts';
import type { ShrinkGuide } from '../shrink/json.ts';
import type { Draw } from './draw.ts';

/** Generates values and simplifies them. */
export interface Generator<T> {
  /** A new value; the same draw gives the same value. */
  generate(draw: Draw): T;
  /** True for a value that this generator could have generated, wherever the value comes from. */
  accepts(value: unknown): boolean;
  /** Simpler values, the largest simplification first; each is a thunk, so that skipping one is cheap. */
  simpler(value: T): Iterable<() => T>;
}

/** Generates JSON and guides its shrinking, so that it can be part of something larger. */
export interface JsonGenerator extends Generator<Json>, ShrinkGuide {
  accepts(value: unknown): boolean;
}
