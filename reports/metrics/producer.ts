import type { Attributes, HrTime } from '@opentelemetry/api';
import { ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics';
import type { CollectionResult, DataPoint, MetricData, MetricProducer } from '@opentelemetry/sdk-metrics';
import type { MeasuredSlice } from '../../spec/index.ts';

/** Upper bounds of the buckets in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Distribution {
  readonly attributes: Attributes;
  readonly counts: number[];
  sum: number;
  count: number;
}

interface Counter {
  readonly attributes: Attributes;
  value: number;
}

const NAMES = {
  requests: ['assay.requests', 'Requests with an outcome: a status, or a kind of failure.', '{request}'],
  duration: [
    'assay.request_duration_seconds',
    'Latency, measured from the time at which the request was scheduled.',
    's',
  ],
  offered: ['assay.offered_rate', 'Scheduled requests, or iterations of a flow, per second.', ''],
  inFlight: ['assay.in_flight', 'Requests without a response.', ''],
  connections: ['assay.connections', 'Open connections.', ''],
  iterations: ['assay.iterations', 'Iterations of a flow.', '{iteration}'],
  running: ['assay.iterations_running', 'Iterations in progress.', ''],
  checks: ['assay.checks', 'Checks of a flow.', '{check}'],
} as const;

type Name = keyof typeof NAMES;
type Gauge = 'offered' | 'inFlight' | 'connections' | 'running';
type Sum = 'requests' | 'iterations' | 'checks';

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}

function bucketOf(seconds: number): number {
  const at = BOUNDS.findIndex((bound) => seconds <= bound);
  return at < 0 ? BOUNDS.length : at;
}

/**
 * The metrics of a load run for readers of the OpenTelemetry SDK. Counts are added a slice at a time, with the exact
 * numbers of the run: the SDK's own instruments take one value per call, which a fast run has no time for.
 */
export class LoadMetrics implements MetricProducer {
  readonly #resource: Resource;
  readonly #startedAt = Date.now();
  readonly #sums: Record<Sum, Map<string, Counter>> = { requests: new Map(), iterations: new Map(), checks: new Map() };
  readonly #gauges = new Map<Gauge, Map<string, Counter>>();
  readonly #durations = new Map<string, Distribution>();

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  add({ scenario, phase, offeredRate, inFlight, connections, parts, flow }: MeasuredSlice): void {
    for (const { part, operation, statuses, errors, latencies } of parts) {
      const own = { scenario, phase, part, operation };
      for (const [status, count] of statuses)
        this.#count('requests', { ...own, outcome: `${status}`, ok: true }, count);
      for (const [kind, count] of errors) this.#count('requests', { ...own, outcome: kind, ok: false }, count);
      this.#spread(own, latencies);
    }
    this.#set('offered', { scenario }, offeredRate);
    this.#set('inFlight', { scenario }, inFlight);
    this.#set('connections', { scenario }, connections);
    for (const { completed, failed, dropped, checks } of flow) {
      for (const [outcome, count] of Object.entries({ completed, failed, dropped }))
        this.#count('iterations', { scenario, phase, outcome }, count);
      for (const [check, passed, missed] of checks) {
        this.#count('checks', { scenario, phase, check, passed: true }, passed);
        this.#count('checks', { scenario, phase, check, passed: false }, missed);
      }
    }
    if (flow.length > 0)
      this.#set(
        'running',
        { scenario },
        flow.reduce((sum, { running }) => sum + running, 0),
      );
  }

  collect(): Promise<CollectionResult> {
    const metrics = [
      ...(Object.keys(this.#sums) as Sum[]).map((name) => this.#sumData(name)),
      ...[...this.#gauges.keys()].map((name) => this.#gaugeData(name)),
      this.#durationData(),
    ].filter(({ dataPoints }) => dataPoints.length > 0);
    const scopeMetrics = [{ scope: { name: 'assay' }, metrics }];
    return Promise.resolve({ resourceMetrics: { resource: this.#resource, scopeMetrics }, errors: [] });
  }

  #count(name: Sum, attributes: Attributes, count: number): void {
    if (count === 0) return;
    const key = JSON.stringify(attributes);
    const counter = this.#sums[name].get(key) ?? { attributes, value: 0 };
    counter.value += count;
    this.#sums[name].set(key, counter);
  }

  #set(name: Gauge, attributes: Attributes, value: number): void {
    const gauge = this.#gauges.get(name) ?? new Map<string, Counter>();
    gauge.set(JSON.stringify(attributes), { attributes, value });
    this.#gauges.set(name, gauge);
  }

  #spread(attributes: Attributes, pairs: Float64Array): void {
    if (pairs.length === 0) return;
    const key = JSON.stringify(attributes);
    const counts = Array.from({ length: BOUNDS.length + 1 }, () => 0);
    const own = this.#durations.get(key) ?? { attributes, counts, sum: 0, count: 0 };
    this.#durations.set(key, own);
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const [seconds, count] = [(pairs[at] as number) / 1e6, pairs[at + 1] as number];
      const bucket = bucketOf(seconds);
      own.counts[bucket] = (own.counts[bucket] ?? 0) + count;
      own.count += count;
      own.sum += seconds * count;
    }
  }

  #base(name: Name) {
    const [id, description, unit] = NAMES[name];
    const descriptor = { name: id, description, unit, valueType: ValueType.DOUBLE };
    return { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  }

  #points<T>(values: Iterable<{ readonly attributes: Attributes }>, valueOf: (one: never) => T): DataPoint<T>[] {
    const [startTime, endTime] = [hrTime(this.#startedAt), hrTime(Date.now())];
    return [...values].map((one) => ({ startTime, endTime, attributes: one.attributes, value: valueOf(one as never) }));
  }

  #sumData(name: Sum): MetricData {
    const dataPoints = this.#points(this.#sums[name].values(), ({ value }: Counter) => value);
    return { ...this.#base(name), dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  }

  #gaugeData(name: Gauge): MetricData {
    const values = this.#gauges.get(name)?.values() ?? [];
    const dataPoints = this.#points(values, ({ value }: Counter) => value);
    return { ...this.#base(name), dataPointType: DataPointType.GAUGE, dataPoints };
  }

  #durationData(): MetricData {
    const dataPoints = this.#points(this.#durations.values(), ({ counts, sum, count }: Distribution) => ({
      buckets: { boundaries: BOUNDS, counts: [...counts] },
      sum,
      count,
    }));
    return { ...this.#base('duration'), dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
}
