import { Arbitrary, hash, stream, Value } from 'fast-check';
import type { Random, Stream } from 'fast-check';
import { Draw, SWEEP_LENGTH } from './draw.ts';
import type { Generator } from './generator.ts';
import { Prng } from './prng.ts';

/** State of shrinking: the candidates tried so far, and the position at which the next round starts. */
interface ShrinkContext {
  readonly tried: Map<number, number>;
  /** Entries of `tried` from this number on were added after this value was returned. */
  readonly limit: number;
  readonly start: number;
}

/**
 * A {@link Generator} as a fast-check arbitrary. Shrinking needs no context: any value that the generator accepts, such as an
 * example or one from a log, shrinks just as well.
 */
export class GeneratorArbitrary<T> extends Arbitrary<T> {
  readonly #generator: Generator<T>;

  constructor(generator: Generator<T>) {
    super();
    this.#generator = generator;
  }

  override generate(mrng: Random): Value<T> {
    const random = new Prng(mrng.nextInt(), mrng.nextInt());
    return new Value(this.#generator.generate(new Draw(random)), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#generator.accepts(value);
  }

  override shrink(value: T, context?: unknown): Stream<Value<T>> {
    const first = { tried: new Map([[identity(value), 0]]), limit: 1, start: 0 };
    return stream(this.#candidates(value, (context as ShrinkContext | undefined) ?? first));
  }

  /** Candidates from the position of the last success on, then those before it. */
  *#candidates(value: T, context: ShrinkContext): IterableIterator<Value<T>> {
    for (const [from, to] of [
      [context.start, Infinity],
      [0, context.start],
    ] as const) {
      let position = 0;
      for (const candidate of this.#generator.simpler(value)) {
        if (position >= to) break;
        const next = position < from ? undefined : this.#untried(candidate(), context, position);
        if (next !== undefined) yield next;
        position += 1;
      }
    }
  }

  #untried(candidate: T, { tried, limit }: ShrinkContext, position: number): Value<T> | undefined {
    const key = identity(candidate);
    const order = tried.get(key);
    if ((order !== undefined && order < limit) || !this.#generator.accepts(candidate)) return undefined;
    if (order === undefined) tried.set(key, tried.size);
    return new Value(candidate, { tried, limit: tried.size, start: position } satisfies ShrinkContext);
  }

  /**
   * The first cases of a run: systematic, and the same for the same seed. Pass them to fast-check as `examples`. Their number
   * is fixed, so that a path still fits when the number of runs changes.
   */
  sweep(seed: number, count: number = SWEEP_LENGTH): T[] {
    return Array.from({ length: count }, (_, index) => this.#generator.generate(Draw.sweep(index, seed)));
  }

  /** `count` values without fast-check. */
  sample(count: number, seed: number): T[] {
    return Array.from({ length: count }, (_, index) => this.at(index, seed));
  }

  /** Value number `index` of a seed. */
  at(index: number, seed: number): T {
    return this.#generator.generate(new Draw(new Prng(seed, index)));
  }

  get simplest(): T {
    return this.#generator.generate(Draw.simplest());
  }

  /** True for a value that the generator could have generated. */
  accepts(value: unknown): boolean {
    return this.#generator.accepts(value);
  }
}

function identity(value: unknown): number {
  const text = JSON.stringify(value) ?? 'undefined';
  return hash(text) * 2_097_152 + (text.length % 2_097_152);
}
