/** Anything but undefined. */
export type Present = string | number | boolean | symbol | bigint | object | null;

/** A small, fast, seeded source of randomness (sfc32): the same seeds give the same numbers on each machine. */
export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = stream | 0;
    this.#c = 0x9e3779b9;
    for (let warmUp = 0; warmUp < 12; warmUp += 1) this.bits();
  }

  /** 32 random bits as a signed integer. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum;
  }

  /** At least 0, below 1. */
  real(): number {
    return (this.bits() >>> 0) / 4_294_967_296;
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
