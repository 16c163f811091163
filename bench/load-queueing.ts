/**
 * The open model against queueing theory: Poisson arrivals at the embedded service with one server of 2 ms mean, exponential, are an M/M/1
 * queue, whose response times are exponential with mean 1/(μ − λ) (Kleinrock, Queueing Systems I, 3.2). The service runs in a process of its own.
 * A run of SECONDS deviates by chance by a few percent, and by more at the highest rate.
 * Usage: tsx bench/load-queueing.ts [SECONDS]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Traffic } from '../load/engines/traffic.ts';
import { runTrial } from '../load/trial.ts';
import { startService } from '../service/start.ts';
import { median } from '../load/compare/statistics.ts';

const SERVICE_MS = 2;
const LOADS = [0.3, 0.5, 0.7];
const PERCENTILES = [50, 90, 99];
const ROUNDS = 3;

interface Ready {
  readonly baseUrl: string;
  readonly token: string;
}

function traffic({ baseUrl, token }: Ready): Traffic {
  const bytes = Buffer.from(
    `GET /api/v1/aijobskills HTTP/1.1\r\nHost: ${new URL(baseUrl).host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  return {
    bytes: new Uint8Array(bytes),
    starts: Uint32Array.from([0, bytes.length]),
    fields: [[]],
    fieldWidth: 12,
    accepts: [[]],
    partOf: [0],
    seriesOf: [0],
    series: [{ part: 'all', operation: 'GET /aijobskills' }],
    parts: [{ label: 'all', weight: 1 }],
  };
}

/** Response times in milliseconds at the percentiles. */
async function measured(ready: Ready, rate: number, seconds: number, seed: number): Promise<number[]> {
  const durationMs = seconds * 1000;
  const { measurement } = await runTrial({
    target: { baseUrl: ready.baseUrl },
    traffic: traffic(ready),
    model: 'open',
    warmupMs: 1000,
    connections: 50,
    maxConnections: 400,
    workers: 1,
    timeoutMs: 10_000,
    samplesPerSecond: 0,
    keepsIds: false,
    seed,
    schedule: { arrivals: 'poisson', segments: [{ durationMs, from: rate, to: rate }] },
  });
  return PERCENTILES.map((percentile) => measurement.steady.latencies.percentile(percentile));
}

function shown(values: readonly number[]): string {
  return values.map((value) => value.toFixed(2).padStart(9)).join('');
}

async function compare(ready: Ready, seconds: number): Promise<void> {
  console.log(''.padEnd(34) + PERCENTILES.map((percentile) => `p${percentile}`.padStart(9)).join(''));
  for (const load of LOADS) {
    const rounds: number[][] = [];
    for (let seed = 1; seed <= ROUNDS; seed += 1)
      rounds.push(await measured(ready, (load * 1000) / SERVICE_MS, seconds, seed));
    const ours = PERCENTILES.map((_, index) => median(rounds.map((round) => round[index] ?? 0)));
    const theory = PERCENTILES.map((percentile) => (-Math.log(1 - percentile / 100) * SERVICE_MS) / (1 - load));
    console.log(`${`${load * 100}% busy, theory`.padEnd(34)}${shown(theory)} ms`);
    console.log(
      `${`${load * 100}% busy, Assay, median of ${ROUNDS}`.padEnd(34)}${shown(ours)} ms  ${ours.map((value, index) => `${((value / (theory[index] ?? 1) - 1) * 100).toFixed(1)}%`).join(' ')}`,
    );
  }
}

if (process.argv[2] === 'serve') {
  const { baseUrl, tokens } = await startService({
    capacity: { servers: 1, serviceMs: SERVICE_MS, distribution: 'exponential' },
  });
  process.send?.({ baseUrl, token: tokens.full } satisfies Ready);
  process.once('disconnect', () => process.exit(0));
} else {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  const [ready] = (await once(child, 'message')) as [Ready];
  await compare(ready, Number(process.argv[2] ?? 20));
  child.disconnect();
}
