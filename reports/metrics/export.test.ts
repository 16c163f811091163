import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { MeasuredSlice } from '../../spec/index.ts';
import { exportMetrics } from './export.ts';
import type { MetricsOptions } from './export.ts';

const SLICE: MeasuredSlice = {
  scenario: 's',
  phase: 'steady',
  offeredRate: 40,
  inFlight: 2,
  connections: 5,
  parts: [
    {
      part: 'readers',
      operation: 'GET /x',
      statuses: [[200, 8]],
      errors: [
        ['503', 1],
        ['timeout', 1],
      ],
      latencies: Float64Array.of(1000, 7, 400_000, 1),
    },
  ],
  flow: [{ completed: 3, failed: 1, dropped: 0, running: 2, checks: [['ok', 3, 1]] }],
};

interface Otlp {
  readonly resourceMetrics: {
    readonly scopeMetrics: {
      readonly metrics: {
        readonly name: string;
        readonly sum?: { readonly dataPoints: { readonly asDouble: number }[] };
        readonly histogram?: { readonly dataPoints: { readonly count: number; readonly sum: number }[] };
      }[];
    }[];
  }[];
}

const into = (notes: string[]): Pick<MetricsOptions, 'note' | 'warn'> => ({
  note: (text) => notes.push(text),
  warn: (text) => notes.push(text),
});

it('sends OTLP over HTTP; the last values are the sums of all slices', async () => {
  const received: Otlp[] = [];
  const receiver = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(pieces).toString()) as Otlp);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const notes: string[] = [];
  const metrics = await exportMetrics({
    otlp: `http://127.0.0.1:${port}/`,
    attributes: { 'service.instance.id': 'r1' },
    ...into(notes),
  });
  for (let count = 0; count < 5; count += 1) metrics.add(SLICE);
  await metrics.close();
  receiver.close();
  const last = received.at(-1)?.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
  const sumOf = (name: string): number[] =>
    last.find((metric) => metric.name === name)?.sum?.dataPoints.map(({ asDouble }) => asDouble) ?? [];
  expect(sumOf('assay.requests')).toEqual([40, 5, 5]);
  expect(sumOf('assay.iterations')).toEqual([15, 5]);
  expect(sumOf('assay.checks')).toEqual([15, 5]);
  const [duration] = last.find(({ name }) => name === 'assay.request_duration_seconds')?.histogram?.dataPoints ?? [];
  expect([Number(duration?.count), duration?.sum]).toEqual([40, expect.closeTo(2.035)]);
  expect(notes).toEqual([]);
});

it('says at first and at the end that a receiver does not accept metrics', async () => {
  const notes: string[] = [];
  const metrics = await exportMetrics({ otlp: 'http://127.0.0.1:9', attributes: {}, ...into(notes) });
  metrics.add(SLICE);
  await metrics.close();
  expect(notes).toEqual([
    expect.stringMatching(/^the metrics receiver did not accept the data: /),
    expect.stringMatching(/^(\d+) of \1 exports to http:\/\/127.0.0.1:9 failed: /),
  ]);
});

it('serves metrics for Prometheus', async () => {
  const notes: string[] = [];
  const onWait = (): void => void notes.push('on wait');
  const metrics = await exportMetrics({ prometheus: 0, attributes: {}, onWait, ...into(notes) });
  metrics.add(SLICE);
  const url = notes[0]?.split(' ').at(-1) ?? '';
  const text = await (await fetch(url)).text();
  expect(text).toMatch(
    /assay_requests_total\{scenario="s",phase="steady",part="readers",operation="GET \/x",outcome="timeout",ok="false"[^}]*\} 1\n/,
  );
  expect(text).toMatch(/assay_request_duration_seconds_bucket\{[^}]*le="0.001"\} 7\n/);
  const dashboard = readFileSync(new URL('../../docs/grafana-dashboard.json', import.meta.url), 'utf8');
  const named = new Set(dashboard.match(/assay_[a-z_]+/g));
  expect(named.size).toBeGreaterThan(5);
  for (const name of named) expect(text).toContain(`\n${name}{`);
  expect(text).toMatch(/assay_offered_rate\{scenario="s"[^}]*\} 40\n/);
  const ended = metrics.close();
  while (!notes.some((note) => note.startsWith('Waiting'))) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(notes).toContain('on wait');
  expect((await fetch(url)).status).toBe(200);
  await ended;
  await expect(fetch(url)).rejects.toThrow();
});
