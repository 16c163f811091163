import type { Draw } from './draw.ts';

/** What makes values and knows how to make them simpler. */
export interface Generator<T> {
  /** A new value; the same draw gives the same value. */
  make(draw: Draw): T;
  /** True where a value (also one from elsewhere) is one that this generator could have made. */
  accepts(value: unknown): boolean;
  /** Simpler values, boldest first; each is a thunk, so that passing over one costs nothing. */
  simpler(value: T): Iterable<() => T>;
}
