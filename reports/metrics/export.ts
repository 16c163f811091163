import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { MetricReader, PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { count } from '../../spec/count.ts';
import { usageError } from '../../spec/index.ts';
import type { MeasuredSlice } from '../../spec/index.ts';
import { LoadMetrics } from './producer.ts';

/** Where the metrics of a run go. */
export interface MetricsOptions {
  /** Base URL of an OTLP/HTTP receiver, for example `http://127.0.0.1:4318`. */
  readonly otlp?: string | undefined;
  /** Port on the loopback interface at which Prometheus may scrape; 0: any. */
  readonly prometheus?: number | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly note: (text: string) => void;
  /** Receives what makes the exported metrics incomplete. */
  readonly warn: (text: string) => void;
  /** Called when the run begins to wait for the last scrape. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal;
}

/** Metrics that leave the process while a run lasts. */
export interface MetricsExport {
  add(slice: MeasuredSlice): void;
  /** Sends the last values, and waits for the last scrape if there was one before. */
  close(): Promise<void>;
}

const EVERY_MS = 1000;
const OTLP_TIMEOUT_MS = 900;
const LONGEST_WAIT_MS = 65_000;

interface Destination {
  readonly reader: MetricReader;
  /** Called when the last values are known, before the reader is closed. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

interface Exports {
  sent: number;
  failed: number;
}

/** Counts exports, and reports the first failure, which the SDK would ignore. */
function noting(exporter: PushMetricExporter, exports: Exports, warn: (text: string) => void): PushMetricExporter {
  return {
    export(metrics, done) {
      exporter.export(metrics, (result) => {
        exports.sent += 1;
        if (result.error !== undefined && (exports.failed += 1) === 1)
          warn(`the metrics receiver did not accept the data: ${result.error.message}`);
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

function otlpTo(url: string, metrics: LoadMetrics, warn: (text: string) => void): Destination {
  const exporter = new OTLPMetricExporter({
    url: `${url.replace(/\/+$/, '')}/v1/metrics`,
    timeoutMillis: OTLP_TIMEOUT_MS,
  });
  const exports = { sent: 0, failed: 0 };
  const reader = new PeriodicExportingMetricReader({
    exporter: noting(exporter, exports, warn),
    exportIntervalMillis: EVERY_MS,
    exportTimeoutMillis: OTLP_TIMEOUT_MS,
    metricProducers: [metrics],
  });
  const close = async (): Promise<void> => {
    const { sent, failed } = exports;
    if (failed > 0) warn(`${failed} of ${count(sent, 'export')} to ${url} failed: the metrics there are incomplete.`);
  };
  return { reader, settle: () => Promise.resolve(), close };
}

/** Serves the metrics; the end waits for a last scrape, without which Prometheus would miss the last values. */
async function scrapedAt(port: number, metrics: LoadMetrics, options: MetricsOptions): Promise<Destination> {
  const reader = new PrometheusExporter({ preventServerStart: true, metricProducers: [metrics] });
  const scrapes: number[] = [];
  const server = createServer((request, response) => {
    response.once('finish', () => scrapes.push(performance.now()));
    reader.getMetricsRequestHandler(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: Error) => {
    throw usageError(
      `cannot open port ${port} for Prometheus: ${cause.message}`,
      'choose another port with --prometheus',
      cause,
    );
  });
  options.note(`Metrics for Prometheus: http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`);
  return {
    reader,
    async settle() {
      const [count, last = 0, before = 0] = [scrapes.length, scrapes.at(-1), scrapes.at(-2)];
      if (count === 0) return;
      const interval = count > 1 ? last - before : LONGEST_WAIT_MS / 2;
      const until = performance.now() + Math.min(LONGEST_WAIT_MS, interval * 2);
      options.onWait?.();
      options.note('Waiting for the last Prometheus scrape; press Ctrl-C to skip it.');
      while (scrapes.length === count && performance.now() < until && options.signal?.aborted !== true) await sleep(50);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function exportMetrics(options: MetricsOptions): Promise<MetricsExport> {
  const resource = defaultResource().merge(resourceFromAttributes({ 'service.name': 'assay', ...options.attributes }));
  const metrics = new LoadMetrics(resource);
  const destinations = [
    ...(options.otlp === undefined ? [] : [otlpTo(options.otlp, metrics, options.warn)]),
    ...(options.prometheus === undefined ? [] : [await scrapedAt(options.prometheus, metrics, options)]),
  ];
  const provider = new MeterProvider({ resource, readers: destinations.map(({ reader }) => reader) });
  return {
    add: (slice) => metrics.add(slice),
    async close() {
      await provider.forceFlush().catch(() => undefined);
      for (const destination of destinations) await destination.settle();
      await provider.shutdown().catch(() => undefined);
      for (const destination of destinations) await destination.close();
    },
  };
}
