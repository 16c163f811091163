import { hash } from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Anything but undefined. */
export type Present = string | number | boolean | symbol | bigint | object | null;

/** Values used up after seeding, so that similar seeds give different numbers. */
const WARM_UP = 8;

/** Seeded random numbers, from the generator that fast-check uses: the same seeds give the same numbers on every machine. */
export class Prng {
  readonly #source: { next(): number };

  constructor(seed: number, stream = 0) {
    this.#source = xoroshiro128plus(hash(`${seed} ${stream}`));
    for (let count = 0; count < WARM_UP; count += 1) this.#source.next();
  }

  /** 32 random bits as a signed integer. */
  bits(): number {
    return this.#source.next();
  }

  /** At least 0, below 1. */
  real(): number {
    return (this.#source.next() >>> 0) / 4_294_967_296;
  }

  /** An integer from `min` to `max`, both included; spans over 2^32 are drawn with 53 bits. */
  int(min: number, max: number): number {
    const span = max - min + 1;
    if (span <= 4_294_967_296) return min + Math.floor(this.real() * span);
    const fraction = ((this.bits() >>> 5) * 67_108_864 + (this.bits() >>> 6)) / 9_007_199_254_740_992;
    return Math.min(max, Math.floor(min + fraction * span));
  }

  chance(probability: number): boolean {
    return this.real() < probability;
  }

  /** One of a list that is not empty. */
  pick<T extends Present>(list: readonly T[]): T {
    const item = list[Math.floor(this.real() * list.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** A new list in another order. */
  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, order: this.bits() }))
      .sort((one, other) => one.order - other.order)
      .map(({ item }) => item);
  }
}
