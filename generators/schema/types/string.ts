import type { Draw } from '../../core/draw.ts';
import { textGenerator, fits } from '../../values/text.ts';
import type { TextBounds } from '../../values/text.ts';
import type { Constraints } from '../constraints.ts';
import { formatNamed } from '../formats/formats.ts';
import type { Format } from '../formats/format.ts';
import { patternTexts } from '../pattern/pattern-texts.ts';
import type { ValueGenerator } from './value-generator.ts';

export function stringGenerator(constraints: Constraints, salt: number): ValueGenerator | undefined {
  const { min, max, patterns } = constraints.text;
  if (min > max) return undefined;
  const bounds = { min, max };
  const format = constraints.text.formats.map(formatNamed).find((known) => known !== undefined);
  if (patterns.length > 0) return pooled(patternTexts(patterns, bounds, format), salt);
  if (format !== undefined) return formatted(format, bounds, salt);
  const generate = textGenerator(bounds, salt);
  return { generate, simplest: () => (min > 100_000 ? undefined : 'a'.repeat(min)) };
}

function pooled(texts: readonly string[], salt: number): ValueGenerator | undefined {
  const [simplest] = texts;
  if (simplest === undefined) return undefined;
  const edges = texts.slice(0, 32);
  return {
    generate: (draw) =>
      draw.profile.optional === 0
        ? simplest
        : draw.remember(draw.interesting(edges, salt, texts) ?? draw.random.pick(texts)),
    simplest: () => simplest,
    alternatives: texts.slice(0, 5),
  };
}

/** A maximum length that is tested lies between these: longer than the samples, and no longer than a server takes. */
const LEAST_LONG = 64;
const MOST_LONG = 10_000;

function formatted(format: Format, bounds: TextBounds, salt: number): ValueGenerator | undefined {
  const { max } = bounds;
  const longest = format.ofLength !== undefined && max > LEAST_LONG && max <= MOST_LONG ? [format.ofLength(max)] : [];
  const samples = [...format.samples, ...longest].filter((sample) => fits(sample, bounds));
  const simplest = fits(format.simplest, bounds) ? format.simplest : samples[0];
  if (simplest === undefined) return padded(format, bounds);
  return {
    generate: (draw) =>
      draw.profile.optional === 0
        ? simplest
        : (draw.interesting(samples, salt) ?? generateFitting(draw, format, bounds, simplest)),
    simplest: () => simplest,
    alternatives: samples,
    hasFixedSyntax: format.isLenient !== true,
  };
}

function generateFitting(draw: Draw, format: Format, bounds: TextBounds, simplest: string): string {
  const text = format.generate(draw.random);
  return fits(text, bounds) ? text : simplest;
}

/** Pads samples if none fits the bounds, for example for a long address. */
function padded(format: Format, bounds: TextBounds): ValueGenerator | undefined {
  const candidates = [...format.samples, format.simplest].flatMap((sample) => [
    sample + 'a'.repeat(Math.max(0, bounds.min - sample.length)),
    'a'.repeat(Math.max(0, bounds.min - sample.length)) + sample,
  ]);
  const texts = candidates.filter((text) => fits(text, bounds));
  return pooled(texts, 0);
}
