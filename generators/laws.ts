import { check, property } from 'fast-check';
import type { CaseArbitrary } from './core/case-arbitrary.ts';

/** What a law was broken with. */
export interface BrokenLaw {
  readonly law: string;
  readonly detail: string;
}

/** How many values and shrinks a law looks at. */
const VALUES = 20;
const SHRINKS = 25;

/** Tries the laws of every generator: same seed same values, valid, serialisable, shrinks valid and finite. Empty: all hold. */
export function brokenLaws<T>(arbitrary: CaseArbitrary<T>, isValid: (value: T) => boolean, seed = 42): BrokenLaw[] {
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

function brokenShrinks<T>(arbitrary: CaseArbitrary<T>, isValid: (value: T) => boolean, value: T): BrokenLaw[] {
  const shrunk = [...arbitrary.shrink(value).take(SHRINKS)].map((next) => next.value);
  return shrunk.filter((next) => !isValid(next)).map((next) => broken('shrinks valid', next));
}

/** A property that always fails ends at the simplest value. */
function endlessShrinks<T>(arbitrary: CaseArbitrary<T>, seed: number): BrokenLaw[] {
  const details = check(
    property(arbitrary, () => false),
    { seed, numRuns: 1, interruptAfterTimeLimit: 20_000 },
  );
  if (details.interrupted) return [{ law: 'shrinks end', detail: text(details.counterexample) }];
  return details.numShrinks > 2000 ? [{ law: 'shrinks end', detail: `${details.numShrinks} steps` }] : [];
}

function isSerialisable(value: unknown): boolean {
  const json = text(value);
  return json !== '' && text(JSON.parse(json)) === json && !/\p{Surrogate}/u.test(json);
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function broken(law: string, value: unknown): BrokenLaw {
  return { law, detail: text(value).slice(0, 300) };
}
