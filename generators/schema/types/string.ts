import type { Draw } from '../../core/draw.ts';
import { textMaker, fits } from '../../values/text.ts';
import type { TextBounds } from '../../values/text.ts';
import type { Draft } from '../draft.ts';
import { formatNamed } from '../formats/formats.ts';
import type { Format } from '../formats/format.ts';
import { patternTexts } from '../pattern/pattern-texts.ts';
import type { Maker } from './maker.ts';

export function stringMaker(draft: Draft, salt: number): Maker | undefined {
  const { min, max, patterns } = draft.text;
  if (min > max) return undefined;
  const bounds = { min, max };
  const format = draft.text.formats.map(formatNamed).find((known) => known !== undefined);
  if (patterns.length > 0) return pooled(patternTexts(patterns, bounds, format), salt);
  if (format !== undefined) return formatted(format, bounds, salt);
  const make = textMaker(bounds, salt);
  return { make, simplest: () => (min > 100_000 ? undefined : 'a'.repeat(min)) };
}

function pooled(texts: readonly string[], salt: number): Maker | undefined {
  const [simplest] = texts;
  if (simplest === undefined) return undefined;
  const edges = texts.slice(0, 32);
  return {
    make: (draw) =>
      draw.profile.optional === 0
        ? simplest
        : draw.remember(draw.interesting(edges, salt, texts) ?? draw.random.pick(texts)),
    simplest: () => simplest,
    alternatives: texts.slice(0, 5),
  };
}

function formatted(format: Format, bounds: TextBounds, salt: number): Maker | undefined {
  const samples = format.samples.filter((sample) => fits(sample, bounds));
  const simplest = fits(format.simplest, bounds) ? format.simplest : samples[0];
  if (simplest === undefined) return madeToFit(format, bounds);
  return {
    make: (draw) =>
      draw.profile.optional === 0
        ? simplest
        : (draw.interesting(samples, salt) ?? fittingOr(draw, format, bounds, simplest)),
    simplest: () => simplest,
    alternatives: samples,
    shaped: format.free !== true,
  };
}

function fittingOr(draw: Draw, format: Format, bounds: TextBounds, simplest: string): string {
  const text = format.make(draw.random);
  return fits(text, bounds) ? text : simplest;
}

/** Bounds that no sample fits: a long address, say. */
function madeToFit(format: Format, bounds: TextBounds): Maker | undefined {
  const padded = [...format.samples, format.simplest].flatMap((sample) => [
    sample + 'a'.repeat(Math.max(0, bounds.min - sample.length)),
    'a'.repeat(Math.max(0, bounds.min - sample.length)) + sample,
  ]);
  const texts = padded.filter((text) => fits(text, bounds));
  return pooled(texts, 0);
}
