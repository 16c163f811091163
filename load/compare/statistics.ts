/** Groups of `size` neighbouring values; an incomplete last group is omitted. */
export function chunks<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.floor(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}

/** NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Probability that a standard normal value is further from 0 than z: Abramowitz and Stegun 7.1.26, error below 1.5e-7. */
export function twoSided(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.min(1, polynomial * Math.exp(-x * x));
}

function tieSizes(values: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 1);
}

/** Two-sided p of the Mann–Whitney test (Mann and Whitney 1947), normal approximation with ties and continuity corrected. */
export function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const [n, m] = [a.length, b.length];
  if (n === 0 || m === 0) return 1;
  let u = 0;
  for (const x of a) for (const y of b) u += x < y ? 1 : x === y ? 0.5 : 0;
  const ties = tieSizes([...a, ...b]).reduce((sum, t) => sum + t ** 3 - t, 0);
  const total = n + m;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (variance <= 0) return 1;
  return twoSided(Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / Math.sqrt(variance));
}

export interface Shift {
  /** Hodges–Lehmann estimate: the median of all differences b − a. */
  readonly estimate: number;
  /** 99% confidence interval (Moses), from the order of the differences. */
  readonly low: number;
  readonly high: number;
}

/** The shift from a to b. */
export function hodgesLehmann(a: readonly number[], b: readonly number[]): Shift {
  const differences = a.flatMap((x) => b.map((y) => y - x)).sort((x, y) => x - y);
  const [n, m] = [a.length, b.length];
  const count = differences.length;
  const skip = Math.max(0, Math.floor((n * m) / 2 - 2.576 * Math.sqrt((n * m * (n + m + 1)) / 12)));
  return {
    estimate: median(differences),
    low: differences[skip] ?? Number.NaN,
    high: differences[count - 1 - skip] ?? Number.NaN,
  };
}

export interface Trend {
  /** Two-sided p of the Mann–Kendall test (Mann 1945, Kendall 1975), ties corrected. */
  readonly p: number;
  /** Theil–Sen slope: the median of all pairwise slopes, per step. */
  readonly slope: number;
  /** 95% confidence interval of the slope (Sen 1968). */
  readonly low: number;
  readonly high: number;
}

export function trend(values: readonly number[]): Trend {
  const n = values.length;
  if (n < 4) return { p: 1, slope: 0, low: -Infinity, high: Infinity };
  let s = 0;
  const slopes: number[] = [];
  for (let i = 0; i < n; i += 1) {
    for (let j = i + 1; j < n; j += 1) {
      const difference = (values[j] as number) - (values[i] as number);
      s += Math.sign(difference);
      slopes.push(difference / (j - i));
    }
  }
  const ties = tieSizes(values).reduce((sum, t) => sum + t * (t - 1) * (2 * t + 5), 0);
  const variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
  const z = variance > 0 ? Math.max(0, Math.abs(s) - 1) / Math.sqrt(variance) : 0;
  const sorted = slopes.toSorted((a, b) => a - b);
  const margin = 1.96 * Math.sqrt(Math.max(0, variance));
  const first = Math.floor((sorted.length - margin) / 2);
  const last = Math.ceil((sorted.length + margin) / 2);
  return {
    p: twoSided(z),
    slope: median(slopes),
    low: sorted[Math.max(0, first)] ?? 0,
    high: sorted[Math.min(sorted.length - 1, last)] ?? 0,
  };
}
