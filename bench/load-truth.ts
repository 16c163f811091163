/**
 * Accuracy of latencies: 1,000 requests/s to a target that freezes for 500 ms every 5 s. The true latencies are known: a request
 * that is due during a freeze waits for its end, and the target then clears its queue at once.
 * Usage: tsx bench/load-truth.ts [SECONDS]
 */
import autocannon from 'autocannon';
import { startKnownTarget } from '../load/testing/known-target.ts';
import { PLAIN_TRIAL, steadily, testTraffic } from '../load/testing/traffic.ts';
import { runTrial } from '../load/trial.ts';

const RATE = 1000;
const PERIOD_MS = 5000;
const FREEZE_MS = 500;
const PERCENTILES = [50, 97.5, 99, 99.9] as const;

/** Latency at a percentile when arrivals are even: the share of requests that waits longer than w is (freeze − w) / period. */
function truth(percentile: number): number {
  const share = 1 - percentile / 100;
  return Math.max(0, FREEZE_MS - share * PERIOD_MS);
}

async function oursFor(seconds: number): Promise<number[]> {
  const target = await startKnownTarget({ freezes: { everyMs: PERIOD_MS, forMs: FREEZE_MS } });
  const { measurement } = await runTrial({
    ...PLAIN_TRIAL,
    target: { baseUrl: target.baseUrl },
    traffic: testTraffic({ count: 500, port: target.port, size: 1024 }),
    model: 'open',
    connections: 50,
    maxConnections: 200,
    schedule: steadily(RATE, seconds * 1000),
  });
  await target.close();
  return PERCENTILES.map((percentile) => measurement.whole.latencies.percentile(percentile));
}

async function autocannonFor(seconds: number): Promise<number[]> {
  const target = await startKnownTarget({ freezes: { everyMs: PERIOD_MS, forMs: FREEZE_MS } });
  const result = await autocannon({
    url: target.baseUrl,
    connections: 50,
    overallRate: RATE,
    duration: seconds,
    method: 'POST',
    body: '{"id":"0"}',
  });
  await target.close();
  const { p50, p97_5, p99, p99_9 } = result.latency;
  return [p50, p97_5, p99, p99_9];
}

const seconds = Number(process.argv[2] ?? 20);
const rows = {
  truth: PERCENTILES.map(truth),
  'Assay, open model': await oursFor(seconds),
  'autocannon, overallRate': await autocannonFor(seconds),
};
console.log(''.padEnd(26) + PERCENTILES.map((percentile) => `p${percentile}`.padStart(10)).join(''));
for (const [name, values] of Object.entries(rows))
  console.log(name.padEnd(26) + values.map((value) => value.toFixed(1).padStart(10)).join(''));
const off = PERCENTILES.slice(2).map((percentile, index) =>
  Math.abs((rows['Assay, open model'][index + 2] ?? 0) / truth(percentile) - 1),
);
console.log(`p99 and p99.9 of Assay are off by ${off.map((share) => `${(share * 100).toFixed(1)}%`).join(' and ')}`);
