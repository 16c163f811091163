import { MOODS, randomMood } from './mood.ts';
import type { Mood } from './mood.ts';
import { Prng } from './prng.ts';
import type { Present } from './prng.ts';

/** How many leading cases {@link Draw.sweep} tells apart: enough for each field to take each important value once. */
export const SWEEP_LENGTH = 64;

/** One case in the making: its randomness, its mood, and what is left of its budget. */
export class Draw {
  readonly random: Prng;
  readonly mood: Mood;
  /** Nodes that may still be made before everything left takes its simplest value. */
  budget = 400;
  /** Characters that long texts may still spend. */
  ink = 12_000;
  /** Moves the systematic walk on, so that the items of a list differ. */
  offset = 0;
  readonly #turn: number | undefined;
  readonly #all: boolean;
  readonly #seen: string[] = [];

  constructor(random: Prng, mood: Mood = randomMood(random), turn?: number) {
    this.random = random;
    this.mood = mood;
    this.#turn = turn === undefined ? undefined : turn >> 1;
    this.#all = turn !== undefined && turn % 2 === 0;
  }

  /**
   * Case `index` of a systematic walk: every field takes the next value of its pool each time, in even cases all
   * fields at once, in odd ones a third of them, so that no single refusal hides what the others would have shown.
   */
  static sweep(index: number, seed: number): Draw {
    const random = new Prng(seed, index + 1);
    const mood = OPENING.get(index);
    return new Draw(random, mood ?? SWEEPS[index % 4] ?? SWEEP_THIRD, mood === undefined ? index : undefined);
  }

  /** The simplest case. */
  static plain(): Draw {
    return new Draw(new Prng(1), MOODS.minimal);
  }

  /**
   * Chooses from a pool of interesting values; undefined: take a plain value. `salt` tells fields
   * apart; `later` is the wider pool of the random part.
   */
  interesting<T extends Present>(pool: readonly T[], salt: number, later: readonly T[] = pool): T | undefined {
    if (pool.length === 0 || !this.#wants(salt)) return undefined;
    if (this.#turn === undefined) return this.random.pick(later);
    return pool[(this.#turn + this.offset + salt) % pool.length];
  }

  #wants(salt: number): boolean {
    if (this.#turn === undefined) return this.mood.odd > 0 && this.random.chance(this.mood.odd);
    return this.#all || (this.#turn + salt) % 3 === 0;
  }

  /** A text that this case already holds elsewhere, so that fields can agree. */
  again(): string | undefined {
    return this.#seen.length > 0 && this.mood.odd > 0 && !this.#all && this.random.chance(0.06)
      ? this.random.pick(this.#seen)
      : undefined;
  }

  remember(text: string): string {
    if (this.#seen.length < 8) this.#seen.push(text);
    return text;
  }
}

const OPENING: ReadonlyMap<number, Mood> = new Map([
  [1, MOODS.minimal],
  [3, MOODS.plain],
  [5, MOODS.nulls],
  [7, MOODS.deep],
  [9, MOODS.wide],
]);
const SWEEP_ALL: Mood = { optional: 0.97, nulls: 0.02, odd: 1, sizes: 0.5, depth: 2, few: 3 };
const SWEEP_FLAT: Mood = { ...SWEEP_ALL, depth: 1 };
const SWEEP_THIRD: Mood = { optional: 0.72, nulls: 0.28, odd: 1, sizes: 0.3, depth: 2, few: 3 };
const SWEEPS: readonly Mood[] = [SWEEP_FLAT, SWEEP_THIRD, SWEEP_ALL, SWEEP_THIRD];
