import { Prng } from './prng.ts';
import type { Present } from './prng.ts';
import { PROFILES, randomProfile } from './profile.ts';
import type { Profile } from './profile.ts';

/** Number of different cases of {@link Draw.sweep}: enough for each field to take each important value once. */
export const SWEEP_LENGTH = 64;

/** The state of a case while it is generated: random numbers, profile and remaining budget. */
export class Draw {
  readonly random: Prng;
  readonly profile: Profile;
  /** Nodes that may still be generated before the rest takes its simplest value. */
  budget = 400;
  /** Characters that long texts may still use. */
  characters = 12_000;
  /** Advances the systematic sweep, so that the items of a list differ. */
  offset = 0;
  /** Number of the case in the systematic sweep; undefined in random cases. */
  readonly #turn: number | undefined;
  /** Every field takes an interesting value. */
  readonly #all: boolean;
  readonly #seen: string[] = [];

  constructor(random: Prng, profile: Profile = randomProfile(random), turn?: number) {
    this.random = random;
    this.profile = profile;
    this.#turn = turn === undefined ? undefined : turn >> 1;
    this.#all = turn !== undefined && turn % 2 === 0;
  }

  /**
   * Case `index` of a systematic sweep: every field takes the next value of its pool each time. In even cases all fields take
   * interesting values, in odd cases a third of them, because one rejected value hides the effect of the others.
   */
  static sweep(index: number, seed: number): Draw {
    const random = new Prng(seed, index + 1);
    const opening = OPENING.get(index);
    return opening === undefined
      ? new Draw(random, SWEEPS[index % 4] ?? SWEEP_THIRD, index)
      : new Draw(random, opening);
  }

  static simplest(): Draw {
    return new Draw(new Prng(1), PROFILES.minimal);
  }

  /**
   * A value from a pool of interesting ones; undefined if the caller should generate a plain value.
   *
   * @param salt differs by field.
   * @param later the larger pool of random cases.
   */
  interesting<T extends Present>(pool: readonly T[], salt: number, later: readonly T[] = pool): T | undefined {
    if (pool.length === 0 || !this.#isInteresting(salt)) return undefined;
    if (this.#turn === undefined) return this.random.pick(later);
    return pool[(this.#turn + this.offset + salt) % pool.length];
  }

  #isInteresting(salt: number): boolean {
    if (this.#turn === undefined) return this.profile.odd > 0 && this.random.chance(this.profile.odd);
    return this.#all || (this.#turn + salt) % 3 === 0;
  }

  /** Sometimes a text that this case already contains, so that fields can be equal. */
  repeated(): string | undefined {
    return this.#seen.length > 0 && this.profile.odd > 0 && !this.#all && this.random.chance(0.06)
      ? this.random.pick(this.#seen)
      : undefined;
  }

  remember(text: string): string {
    if (this.#seen.length < 8) this.#seen.push(text);
    return text;
  }
}

const OPENING: ReadonlyMap<number, Profile> = new Map([
  [1, PROFILES.minimal],
  [3, PROFILES.plain],
  [5, PROFILES.nulls],
  [7, PROFILES.deep],
  [9, PROFILES.wide],
]);
const SWEEP_ALL: Profile = { optional: 0.97, nulls: 0.02, odd: 1, sizes: 0.5, depth: 2, few: 3 };
const SWEEP_FLAT: Profile = { ...SWEEP_ALL, depth: 1 };
const SWEEP_THIRD: Profile = { optional: 0.72, nulls: 0.28, odd: 1, sizes: 0.3, depth: 2, few: 3 };
const SWEEPS: readonly Profile[] = [SWEEP_FLAT, SWEEP_THIRD, SWEEP_ALL, SWEEP_THIRD];
