import { Arbitrary, stream, Value } from 'fast-check';
import type { Random, Stream } from 'fast-check';
import { Draw, SWEEP_LENGTH } from './draw.ts';
import type { Generator } from './generator.ts';
import { hashText } from './hash.ts';
import { Prng } from './prng.ts';

/** Where a walk of shrinking stands: what it has tried, and where the next round begins. */
interface Walk {
  readonly tried: Map<number, number>;
  /** Entries of `tried` from this number on were added by others after this value was handed out. */
  readonly limit: number;
  readonly start: number;
}

/**
 * A {@link Generator} as a fast-check arbitrary. Shrinking needs no context: any value that the generator accepts
 * (an example, one from a log) shrinks just as well.
 */
export class CaseArbitrary<T> extends Arbitrary<T> {
  readonly #generator: Generator<T>;

  constructor(generator: Generator<T>) {
    super();
    this.#generator = generator;
  }

  override generate(mrng: Random): Value<T> {
    const random = new Prng(mrng.nextInt(), mrng.nextInt());
    return new Value(this.#generator.make(new Draw(random)), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#generator.accepts(value);
  }

  override shrink(value: T, context?: unknown): Stream<Value<T>> {
    return stream(
      this.#walk(value, isWalk(context) ? context : { tried: new Map([[identity(value), 0]]), limit: 1, start: 0 }),
    );
  }

  *#walk(value: T, walk: Walk): IterableIterator<Value<T>> {
    for (const [from, to] of [
      [walk.start, Infinity],
      [0, walk.start],
    ] as const) {
      let position = 0;
      for (const candidate of this.#generator.simpler(value)) {
        if (position >= to) break;
        const next = position < from ? undefined : this.#attempt(candidate(), walk, position);
        if (next !== undefined) yield next;
        position += 1;
      }
    }
  }

  #attempt(candidate: T, walk: Walk, position: number): Value<T> | undefined {
    const { tried } = walk;
    const key = identity(candidate);
    const order = tried.get(key);
    if (order !== undefined && order < walk.limit) return undefined;
    if (!this.#generator.accepts(candidate)) return undefined;
    if (order === undefined) tried.set(key, tried.size);
    return new Value(candidate, { tried, limit: tried.size, start: position } satisfies Walk);
  }

  /**
   * The first cases of a run: a systematic walk through what the schema leaves open, the same for the same seed.
   * Hand them to fast-check as `examples`; their number is fixed, so that a path still fits when the budget changes.
   */
  sweep(seed: number, count: number = SWEEP_LENGTH): T[] {
    return Array.from({ length: count }, (_, index) => this.#generator.make(Draw.sweep(index, seed)));
  }

  /** `count` values without fast-check in between, for pools and benchmarks. */
  sample(count: number, seed: number): T[] {
    return Array.from({ length: count }, (_, index) => this.at(index, seed));
  }

  /** Value number `index` of a seed. */
  at(index: number, seed: number): T {
    return this.#generator.make(new Draw(new Prng(seed, index)));
  }

  /** The simplest value. */
  get simplest(): T {
    return this.#generator.make(Draw.plain());
  }

  /** True where the generator could have made this value. */
  accepts(value: unknown): boolean {
    return this.#generator.accepts(value);
  }
}

function isWalk(context: unknown): context is Walk {
  return typeof context === 'object' && context !== null && 'tried' in context;
}

function identity(value: unknown): number {
  const text = JSON.stringify(value) ?? 'undefined';
  return hashText(text) * 2_097_152 + (text.length % 2_097_152);
}
