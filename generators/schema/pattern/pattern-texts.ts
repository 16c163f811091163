import { sample, stringMatching } from 'fast-check';
import { weight } from '../../shrink/weight.ts';
import { FIRST_LENGTHS, FIRST_TEXTS, MORE_TEXTS, PLAIN_WORDS } from '../../values/strings.ts';
import { fits } from '../../values/text.ts';
import type { TextBounds } from '../../values/text.ts';
import type { Format } from '../formats/format.ts';
import { regExp } from '../subschemas.ts';
import { commonShapes } from './common-shapes.ts';
import { minLengthOf } from './min-length.ts';
import { withoutLookarounds } from './lookaround.ts';

/** Different texts that match every pattern and fit the bounds, simplest first; empty if none was found. */
export function patternTexts(patterns: readonly string[], bounds: TextBounds, format: Format | undefined): string[] {
  const expressions = patterns.map(regExp).filter((expression) => expression !== undefined);
  const candidates = [
    ...patterns.flatMap((pattern) => [...sampled(pattern), ...stretched(pattern, bounds)]),
    ...runs(bounds),
    ...FIRST_TEXTS,
    ...MORE_TEXTS,
    ...PLAIN_WORDS,
    ...commonShapes,
    ...(format === undefined ? [] : [format.simplest, ...format.samples]),
  ];
  const matching = candidates.filter(
    (text) => fits(text, bounds) && expressions.every((expression) => expression.test(text)),
  );
  return [...new Set(matching)]
    .filter((text) => !/\p{Surrogate}/u.test(text))
    .toSorted((one, other) => weight(one) - weight(other));
}

/** Longer texts are not generated: they take too long. */
const MAX_LENGTH = 5_000;

/** Approximate limit for the characters of all samples of a pattern. */
const MAX_CHARACTERS = 100_000;

function sampled(pattern: string): string[] {
  const length = minLengthOf(pattern);
  if (length > MAX_LENGTH) return [];
  for (const attempt of [pattern, withoutLookarounds(pattern)]) {
    try {
      return sample(stringMatching(new RegExp(attempt), { size: 'small' }), {
        seed: 1,
        numRuns: Math.max(4, Math.min(120, Math.floor(MAX_CHARACTERS / Math.max(1, length)))),
      });
    } catch {
      continue;
    }
  }
  return [];
}

/** Texts of the pattern with `+` and `*` replaced by many repetitions, for schemas that require long texts. */
function stretched(pattern: string, { min, max }: TextBounds): string[] {
  if (min < 5 && max === Infinity) return [];
  const length = max === Infinity ? min : Math.min(max, 4097);
  return [Math.max(1, min), length].flatMap((goal) => sampled(repeated(pattern, Math.min(goal, 1000))).slice(0, 10));
}

/** Nested repetitions multiply, so each gets only a root of the length. */
function repeated(pattern: string, goal: number): string {
  const written = [1, 2, 3, 4].map((depth) =>
    pattern.replaceAll(/(?<!\\)[+*]/g, `{${Math.ceil(goal ** (1 / depth))}}`),
  );
  return written.find((each) => minLengthOf(each) <= MAX_LENGTH) ?? pattern;
}

function runs({ min, max }: TextBounds): string[] {
  const lengths = [min, min + 1, max, max - 1, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, ...FIRST_LENGTHS].filter(
    (length) => length > 0 && length <= 20_001,
  );
  return [...new Set(lengths)].flatMap((length) =>
    ['a', 'A', '0', '1', 'aA0', '-'].map((unit) => unit.repeat(length).slice(0, length)),
  );
}
