import { check, property } from 'fast-check';
import type { GeneratorArbitrary } from '../core/generator-arbitrary.ts';

/** A violated invariant and the value that violates it. */
export interface BrokenInvariant {
  readonly invariant: string;
  readonly detail: string;
}

/** Values and shrinks that are checked. */
const VALUES = 20;
const SHRINKS = 25;

/**
 * Checks the invariants of every generator: the same seed gives the same values, values are valid and serialisable, shrinks are valid and
 * finite. Returns the violated ones.
 */
export function brokenInvariants<T>(
  arbitrary: GeneratorArbitrary<T>,
  isValid: (value: T) => boolean,
  seed = 42,
): BrokenInvariant[] {
  const values = [...arbitrary.sweep(seed), ...arbitrary.sample(VALUES, seed)];
  const again = [...arbitrary.sweep(seed), ...arbitrary.sample(VALUES, seed)];
  return [
    ...values
      .filter((value, index) => text(value) !== text(again[index]))
      .map((value) => broken('same seed, same values', value)),
    ...values.filter((value) => !isValid(value)).map((value) => broken('valid', value)),
    ...values.filter((value) => !isSerialisable(value)).map((value) => broken('serialisable', value)),
    ...values.slice(0, 6).flatMap((value) => brokenShrinks(arbitrary, isValid, value)),
    ...endlessShrinks(arbitrary, seed),
  ];
}

function brokenShrinks<T>(
  arbitrary: GeneratorArbitrary<T>,
  isValid: (value: T) => boolean,
  value: T,
): BrokenInvariant[] {
  const shrunk = [...arbitrary.shrink(value).take(SHRINKS)].map((next) => next.value);
  return shrunk.filter((next) => !isValid(next)).map((next) => broken('shrinks valid', next));
}

/** A property that always fails shrinks to the simplest value in a bounded number of steps. */
function endlessShrinks<T>(arbitrary: GeneratorArbitrary<T>, seed: number): BrokenInvariant[] {
  const details = check(
    property(arbitrary, () => false),
    { seed, numRuns: 1, interruptAfterTimeLimit: 20_000 },
  );
  if (details.interrupted) return [{ invariant: 'shrinks end', detail: text(details.counterexample) }];
  return details.numShrinks > 2000 ? [{ invariant: 'shrinks end', detail: `${details.numShrinks} steps` }] : [];
}

function isSerialisable(value: unknown): boolean {
  const json = text(value);
  return json !== '' && text(JSON.parse(json)) === json && !/\p{Surrogate}/u.test(json);
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function broken(invariant: string, value: unknown): BrokenInvariant {
  return { invariant, detail: text(value).slice(0, 300) };
}
