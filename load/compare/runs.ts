import type { RunRecord, ScenarioRecord, TickRecord } from '../../spec/index.ts';
import { BUSY, LEAST_LAG_MS } from '../generator-limit.ts';
import { chunks, hodgesLehmann, mannWhitney, median } from './statistics.ts';

const SIGNIFICANT = 0.01;
/** With fewer blocks in a run the comparison is uncertain. */
const LEAST_BLOCKS = 6;
const MOST_BLOCKS = 30;

export interface MetricChange {
  readonly metric: 'p50' | 'p99' | 'rate' | 'errors';
  readonly before: number;
  readonly after: number;
  /** Relative change with its 99% interval (Hodges–Lehmann of the logarithms); for errors the difference of the shares. */
  readonly change: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided p of the Mann–Whitney test on blocks of the runs. */
  readonly p: number;
  readonly verdict: 'better' | 'worse' | 'same' | 'unsure';
}

export interface RunComparison {
  readonly scenario: string;
  readonly metrics: readonly MetricChange[];
  /** At least one metric is worse by more than the noise. */
  readonly worse: boolean;
  readonly notes: readonly string[];
}

/** Smaller changes count as no change. */
const LEAST_CHANGE = 0.05;

/** The ticks of each run of a scenario, without the warm-up and the last, incomplete second. */
function seriesOf(records: readonly RunRecord[], name: string): TickRecord[][] {
  const runs: TickRecord[][] = [];
  let ticks: TickRecord[] = [];
  for (const record of records) {
    if (record.type === 'tick' && record.scenario === name) ticks.push(record);
    if (record.type !== 'scenario' || record.name !== name) continue;
    const warmup = (record.detail?.warmupMs ?? 2000) / 1000;
    const lasts = (record.detail?.durationMs ?? Infinity) / 1000;
    runs.push(ticks.filter(({ second }) => second >= warmup && second + 1 <= lasts));
    ticks = [];
  }
  return runs;
}

/** Medians of blocks of seconds, because neighbouring seconds are correlated. */
function blocks(runs: readonly TickRecord[][], pick: (tick: TickRecord) => number): number[] {
  const size = Math.max(1, Math.ceil(runs.reduce((sum, run) => sum + run.length, 0) / MOST_BLOCKS));
  return runs.flatMap((run) => chunks(run, size).map((block) => median(block.map(pick))));
}

const PICK: Readonly<Record<MetricChange['metric'], (tick: TickRecord) => number>> = {
  p50: (tick) => tick.latencyMs.p50,
  p99: (tick) => tick.latencyMs.p99,
  rate: (tick) => tick.rate,
  errors: ({ errors, rate }) => (errors + rate === 0 ? 0 : errors / (errors + rate)),
};

function verdictOf(metric: MetricChange['metric'], change: number, p: number): MetricChange['verdict'] {
  const enough = Math.abs(change) > (metric === 'errors' ? LEAST_CHANGE / 50 : LEAST_CHANGE);
  if (p >= SIGNIFICANT || !enough) return 'same';
  const grew = change > 0;
  return (metric === 'rate') === grew ? 'better' : 'worse';
}

type Interval = Pick<MetricChange, 'change' | 'low' | 'high'>;

function difference(a: readonly number[], b: readonly number[]): Interval {
  const { estimate, low, high } = hodgesLehmann(a, b);
  return { change: estimate, low, high };
}

/** Relative change by the shift of the logarithms, which cannot be below -100%. Zeros count as the smallest other value. */
function ratio(a: readonly number[], b: readonly number[]): Interval {
  const least = Math.min(...[...a, ...b].filter((value) => value > 0));
  if (!Number.isFinite(least)) return { change: 0, low: 0, high: 0 };
  const logs = (values: readonly number[]): number[] => values.map((value) => Math.log(Math.max(value, least)));
  const { change, low, high } = difference(logs(a), logs(b));
  return { change: Math.expm1(change), low: Math.expm1(low), high: Math.expm1(high) };
}

function compareMetric(
  metric: MetricChange['metric'],
  before: readonly TickRecord[][],
  after: readonly TickRecord[][],
): MetricChange {
  const a = blocks(before, PICK[metric]);
  const b = blocks(after, PICK[metric]);
  const { change, low, high } = metric === 'errors' ? difference(a, b) : ratio(a, b);
  const p = mannWhitney(a, b);
  const sure = Math.min(a.length, b.length) >= LEAST_BLOCKS;
  return {
    metric,
    before: median(a),
    after: median(b),
    change,
    low,
    high,
    p,
    verdict: sure ? verdictOf(metric, change, p) : 'unsure',
  };
}

/** What the generator may have added to the figures of a run: its lag in milliseconds, and whether its event loop was saturated. */
interface GeneratorShare {
  readonly p90: number;
  readonly p99: number;
  readonly isSaturated: boolean;
}

function generatorShare(scenarios: readonly ScenarioRecord[]): GeneratorShare {
  const details = scenarios.flatMap(({ detail }) => detail ?? []);
  const most = (percentile: 'p90' | 'p99'): number =>
    Math.max(0, ...details.map(({ lagMs }) => lagMs?.[percentile] ?? 0));
  return { p90: most('p90'), p99: most('p99'), isSaturated: details.some(({ busy }) => busy > BUSY) };
}

/** True if the generator, not the target, may be the reason of a change: `slower` is its share in the slower run. */
function mayStemFrom(slower: GeneratorShare, { metric, before, after, change }: MetricChange): boolean {
  if (metric === 'errors') return false;
  if (slower.isSaturated) return true;
  // A request that is sent late may count in the next second.
  if (metric === 'rate') return slower.p99 >= Math.abs(change) * 1000;
  const lagMs = slower[metric === 'p50' ? 'p90' : 'p99'];
  return lagMs > LEAST_LAG_MS && lagMs >= Math.abs(after - before);
}

function compareScenario(name: string, before: readonly RunRecord[], after: readonly RunRecord[]): RunComparison {
  const [a, b] = [seriesOf(before, name), seriesOf(after, name)];
  const compared = (Object.keys(PICK) as MetricChange['metric'][]).map((metric) => compareMetric(metric, a, b));
  const [old, now] = [before, after].map((records) =>
    records.filter((record): record is ScenarioRecord => record.type === 'scenario' && record.name === name),
  ) as [ScenarioRecord[], ScenarioRecord[]];
  const shares = { better: generatorShare(old), worse: generatorShare(now) };
  const notes = compared.some(({ verdict }) => verdict === 'unsure')
    ? [`too few seconds to compare: at least ${LEAST_BLOCKS} in each run, without the warm-up`]
    : [];
  const doubted = { better: [] as string[], worse: [] as string[] };
  const metrics = compared.map((change): MetricChange => {
    const { verdict, metric } = change;
    if (verdict === 'same' || verdict === 'unsure' || !mayStemFrom(shares[verdict], change)) return change;
    doubted[verdict].push(metric);
    return { ...change, verdict: 'unsure' };
  });
  for (const [verdict, run] of [
    ['better', 'earlier'],
    ['worse', 'later'],
  ] as const)
    if (doubted[verdict].length > 0) notes.push(generatorNote(shares[verdict], run, doubted[verdict]));
  const offered = [old, now].map(([first]) => first?.offeredRate);
  if (offered[0] !== offered[1]) notes.push(`the offered rates differ: ${offered[0]} and ${offered[1]} per second`);
  return { scenario: name, metrics, worse: metrics.some(({ verdict }) => verdict === 'worse'), notes };
}

function generatorNote(
  { p99, isSaturated }: GeneratorShare,
  run: 'earlier' | 'later',
  metrics: readonly string[],
): string {
  const why = isSaturated ? 'its event loop was saturated' : `its lag p99 was ${p99.toFixed(1)} ms`;
  return `the load generator, not the target, may be the reason for the change of ${metrics.join(', ')}: in the ${run} run, ${why}; repeat that run on a less busy machine`;
}

function names(records: readonly RunRecord[]): string[] {
  return records.flatMap((record) => (record.type === 'scenario' ? [record.name] : []));
}

/** Compares every scenario that both logs contain. If a log contains a scenario several times, all of its runs count. */
export function compareLoad(before: readonly RunRecord[], after: readonly RunRecord[]): RunComparison[] {
  const both = [...new Set(names(before))].filter((name) => names(after).includes(name));
  return both.map((name) => compareScenario(name, before, after));
}

/** A scenario with a missed threshold for each metric that is worse than in earlier runs; `ticks`: the records before it. */
export function judgedAgainst(
  before: readonly RunRecord[],
  ticks: readonly RunRecord[],
  scenario: ScenarioRecord,
): ScenarioRecord {
  const compared = compareLoad(before, [...ticks, scenario]).filter((each) => each.scenario === scenario.name);
  const worse = compared.flatMap(({ metrics }) => metrics).filter(({ verdict }) => verdict === 'worse');
  const missed = worse.map(({ metric, after }) => ({
    expression: `${metric} no worse than in the earlier run`,
    metric,
    value: metric === 'errors' ? after * 100 : after,
    held: false,
  }));
  return { ...scenario, thresholds: [...scenario.thresholds, ...missed] };
}
