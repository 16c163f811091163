import type { Draw } from '../../core/draw.ts';
import { INTERESTING_INTEGERS, INTERESTING_REALS } from '../../values/numbers.ts';
import type { Draft } from '../draft.ts';
import type { Maker } from './maker.ts';

interface Range {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
  readonly step: number | undefined;
}

const FORMAT_RANGES = new Map<string, readonly [min: number, max: number]>([
  ['int32', [-2_147_483_648, 2_147_483_647]],
  ['int64', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
  ['float', [-3.4e38, 3.4e38]],
]);

export function numberMaker(draft: Draft, salt: number): Maker | undefined {
  const range = rangeOf(draft);
  const simplest = nearestToZero(range, draft);
  if (simplest === undefined) return undefined;
  const pool = poolOf(range, draft);
  const first = pool.slice(0, 32);
  return {
    make: (draw) =>
      draw.profile.optional === 0
        ? simplest
        : (draw.interesting(first, salt, pool) ?? ordinary(draw, range, draft, simplest)),
    simplest: () => simplest,
  };
}

function rangeOf({ number }: Draft): Range {
  const whole = number.whole || number.formats.some((format) => format === 'int32' || format === 'int64');
  const steps = whole ? number.steps.map((step) => (Number.isInteger(step) ? step : stepToWhole(step))) : number.steps;
  let min = Math.max(number.min, number.above);
  let max = Math.min(number.max, number.below);
  for (const format of number.formats) {
    const [low, high] = FORMAT_RANGES.get(format) ?? [-Infinity, Infinity];
    min = Math.max(min, low);
    max = Math.min(max, high);
  }
  return { min, max, whole, step: steps.length === 0 ? undefined : steps.reduce(commonMultiple) };
}

function stepToWhole(step: number): number {
  for (let times = 1; times <= 1000; times += 1) if (Number.isInteger(step * times)) return step * times;
  return 1;
}

function commonMultiple(one: number, other: number): number {
  for (let times = 1; times <= 10_000; times += 1)
    if (Number.isInteger(round((one * times) / other))) return round(one * times);
  return one * other;
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}

function inRange(value: number, { min, max, whole, step }: Range, { number }: Draft): boolean {
  if (value < min || value > max || (whole && !Number.isInteger(value))) return false;
  if (value <= number.above || value >= number.below) return false;
  return step === undefined || Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

/** Numbers around a value that the range may hold. */
function around(value: number, range: Range): number[] {
  if (!Number.isFinite(value)) return [];
  const unit = range.step ?? (range.whole ? 1 : Math.max(0.001, Math.abs(value) / 1000));
  const base =
    range.step === undefined ? (range.whole ? Math.round(value) : value) : Math.round(value / range.step) * range.step;
  return [base, base + unit, base - unit, base + unit / 2].map((near) =>
    range.whole ? Math.round(near) : round(near),
  );
}

function nearestToZero(range: Range, draft: Draft): number | undefined {
  const middle = (Math.max(range.min, -1e9) + Math.min(range.max, 1e9)) / 2;
  const near = [
    0,
    1,
    -1,
    ...around(range.min, range),
    ...around(range.max, range),
    ...around(middle, range),
    middle,
    range.step ?? 0,
    -(range.step ?? 0),
  ];
  const fitting = near.filter((value) => inRange(value, range, draft));
  return fitting.toSorted((one, other) => Math.abs(one) - Math.abs(other) || other - one)[0];
}

function poolOf(range: Range, draft: Draft): readonly number[] {
  const known = range.whole ? INTERESTING_INTEGERS : [...INTERESTING_REALS, ...INTERESTING_INTEGERS.slice(0, 12)];
  const stepped =
    range.step === undefined
      ? known
      : known.map((value) => round(Math.round(value / (range.step ?? 1)) * (range.step ?? 1)));
  const all = [...around(range.max, range), ...around(range.min, range), ...stepped];
  return [...new Set(all)].filter((value) => Number.isFinite(value) && inRange(value, range, draft));
}

function ordinary(draw: Draw, range: Range, draft: Draft, simplest: number): number {
  const low = Math.max(range.min, Math.min(-100, range.max - 1000));
  const high = Math.min(range.max, Math.max(1000, range.min + 1000));
  const { random } = draw;
  const drawn =
    range.step === undefined
      ? drawnFrom(draw, range.whole, low, high)
      : round(random.int(Math.ceil(low / range.step), Math.floor(high / range.step)) * range.step);
  return inRange(drawn, range, draft) ? drawn : simplest;
}

function drawnFrom({ random }: Draw, whole: boolean, low: number, high: number): number {
  if (whole) return random.int(Math.ceil(low), Math.floor(high));
  const value = low + random.real() * (high - low);
  return random.chance(0.5) ? Number(value.toFixed(2)) : value;
}
