/** Compares the capacity that the search finds with the known capacity of a target. Usage: tsx bench/load-capacity.ts [NAME…] */
import { searchCapacity } from '../load/index.ts';
import { judgeKnown, knownOptions, knownScenario } from '../load/testing/known-scenario.ts';
import { startKnownTarget } from '../load/testing/known-target.ts';
import type { Behaviour } from '../load/testing/known-target.ts';

interface Case {
  readonly behaviour: Behaviour;
  /** Requests per second. */
  readonly known: number;
  readonly thresholds: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  '4 servers of 8 ms': {
    behaviour: { queue: { servers: 4, serviceMs: 8 } },
    known: 500,
    thresholds: ['p99<200', 'errors<1%'],
  },
  '10 servers of 5 ms': {
    behaviour: { queue: { servers: 10, serviceMs: 5 } },
    known: 2000,
    thresholds: ['p99<100', 'errors<1%'],
  },
  'slows down from 1000/s to 500/s in 20 s': {
    behaviour: { queue: { servers: 8, serviceMs: 8 }, tires: { times: 2, overMs: 20_000 } },
    known: 500,
    thresholds: ['p99<200', 'errors<1%'],
  },
  'freezes 500 ms in 5 s': {
    behaviour: { queue: { servers: 4, serviceMs: 8 }, freezes: { everyMs: 5000, forMs: 500 } },
    known: 450,
    thresholds: ['p99<2s', 'errors<1%'],
  },
  'wrong bodies above 10 in flight': {
    behaviour: { queue: { servers: 20, serviceMs: 20 }, wrongAbove: { inFlight: 10 } },
    known: 500,
    thresholds: ['p99<500', 'violations==0'],
  },
};

async function tryCase(name: string, { behaviour, known, thresholds }: Case): Promise<void> {
  const target = await startKnownTarget(behaviour);
  const began = performance.now();
  for await (const record of searchCapacity({
    ...knownOptions(target.baseUrl),
    scenario: knownScenario({ thresholds }),
    judge: judgeKnown,
  })) {
    if (record.type !== 'capacity') continue;
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `${name}: known ${known}/s, found ${record.rate}/s [${record.low}, ${record.high}] (${((record.rate / known - 1) * 100).toFixed(1)}%) in ${seconds} s, limited by ${record.limitedBy}, ${record.confirmed ? 'confirmed' : 'not confirmed'}`,
    );
    for (const { offeredRate, rate, held, latencyMs, reason } of record.steps)
      console.log(`    ${offeredRate}/s: ${rate}/s, p99 ${latencyMs.p99} ms, ${held ? 'held' : reason}`);
    for (const note of record.notes ?? []) console.log(`    note: ${note}`);
  }
  await target.close();
}

const wanted = process.argv.slice(2);
for (const [name, one] of Object.entries(CASES)) {
  if (wanted.length === 0 || wanted.some((word) => name.includes(word))) await tryCase(name, one);
}
