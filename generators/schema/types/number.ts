import type { Draw } from '../../core/draw.ts';
import { INTERESTING_INTEGERS, INTERESTING_REALS } from '../../values/numbers.ts';
import type { Constraints } from '../constraints.ts';
import type { ValueGenerator } from './value-generator.ts';

interface Range {
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
  readonly step: number | undefined;
}

const FORMAT_RANGES = new Map<string, readonly [min: number, max: number]>([
  ['int32', [-2_147_483_648, 2_147_483_647]],
  ['int64', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
  ['float', [-3.4e38, 3.4e38]],
]);

export function numberGenerator(constraints: Constraints, salt: number): ValueGenerator | undefined {
  const range = rangeOf(constraints);
  const simplest = nearestToZero(range, constraints);
  if (simplest === undefined) return undefined;
  const pool = poolOf(range, constraints);
  const first = pool.slice(0, 32);
  return {
    generate: (draw) =>
      draw.profile.optional === 0
        ? simplest
        : (draw.interesting(first, salt, pool) ?? ordinary(draw, range, constraints, simplest)),
    simplest: () => simplest,
  };
}

function rangeOf({ number }: Constraints): Range {
  const integer = number.integer || number.formats.some((format) => format === 'int32' || format === 'int64');
  const steps = integer
    ? number.multiples.map((step) => (Number.isInteger(step) ? step : integerStep(step)))
    : number.multiples;
  let min = Math.max(number.min, number.exclusiveMin);
  let max = Math.min(number.max, number.exclusiveMax);
  for (const format of number.formats) {
    const [low, high] = FORMAT_RANGES.get(format) ?? [-Infinity, Infinity];
    min = Math.max(min, low);
    max = Math.min(max, high);
  }
  return { min, max, integer, step: steps.length === 0 ? undefined : steps.reduce(commonMultiple) };
}

function integerStep(step: number): number {
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

function inRange(value: number, { min, max, integer, step }: Range, { number }: Constraints): boolean {
  if (value < min || value > max || (integer && !Number.isInteger(value))) return false;
  if (value <= number.exclusiveMin || value >= number.exclusiveMax) return false;
  return step === undefined || Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

/** Numbers close to a value; some may be out of range. */
function around(value: number, range: Range): number[] {
  if (!Number.isFinite(value)) return [];
  const unit = range.step ?? (range.integer ? 1 : Math.max(0.001, Math.abs(value) / 1000));
  const base =
    range.step === undefined
      ? range.integer
        ? Math.round(value)
        : value
      : Math.round(value / range.step) * range.step;
  return [base, base + unit, base - unit, base + unit / 2].map((near) =>
    range.integer ? Math.round(near) : round(near),
  );
}

function nearestToZero(range: Range, constraints: Constraints): number | undefined {
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
  const fitting = near.filter((value) => inRange(value, range, constraints));
  return fitting.toSorted((one, other) => Math.abs(one) - Math.abs(other) || other - one)[0];
}

function poolOf(range: Range, constraints: Constraints): readonly number[] {
  const known = range.integer ? INTERESTING_INTEGERS : [...INTERESTING_REALS, ...INTERESTING_INTEGERS.slice(0, 12)];
  const stepped =
    range.step === undefined
      ? known
      : known.map((value) => round(Math.round(value / (range.step ?? 1)) * (range.step ?? 1)));
  const all = [...around(range.max, range), ...around(range.min, range), ...stepped];
  return [...new Set(all)].filter((value) => Number.isFinite(value) && inRange(value, range, constraints));
}

function ordinary(draw: Draw, range: Range, constraints: Constraints, simplest: number): number {
  const low = Math.max(range.min, Math.min(-100, range.max - 1000));
  const high = Math.min(range.max, Math.max(1000, range.min + 1000));
  const { random } = draw;
  const drawn =
    range.step === undefined
      ? drawBetween(draw, range.integer, low, high)
      : round(random.int(Math.ceil(low / range.step), Math.floor(high / range.step)) * range.step);
  return inRange(drawn, range, constraints) ? drawn : simplest;
}

function drawBetween({ random }: Draw, integer: boolean, low: number, high: number): number {
  if (integer) return random.int(Math.ceil(low), Math.floor(high));
  const value = low + random.real() * (high - low);
  return random.chance(0.5) ? Number(value.toFixed(2)) : value;
}
