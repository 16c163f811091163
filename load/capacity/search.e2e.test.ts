import { describe, expect, it } from 'vitest';
import type { CapacityRecord, RunRecord } from '../../spec/index.ts';
import { knownOptions, knownScenario } from '../testing/known-scenario.ts';
import { startKnownTarget } from '../testing/known-target.ts';
import { searchCapacity } from './search.ts';
import type { CapacityOptions } from './search.ts';

async function search(
  behaviour: Parameters<typeof startKnownTarget>[0],
  options: Partial<CapacityOptions>,
): Promise<{ records: RunRecord[]; capacity: CapacityRecord; repeated: number; stages: string[] }> {
  const target = await startKnownTarget(behaviour);
  const records: RunRecord[] = [];
  const stages = new Set<string>();
  try {
    const all = searchCapacity({
      ...knownOptions(target.baseUrl),
      scenario: knownScenario({ thresholds: ['p99<5s', 'errors<50%'] }),
      stepMs: 300,
      connections: 8,
      onLive: ({ stage, offeredRate }) =>
        stages.add(offeredRate === 0 && stage !== 'throughput' ? `idle ${stage}` : stage),
      ...options,
    });
    for await (const record of all) records.push(record);
    return {
      records,
      capacity: records.at(-1) as CapacityRecord,
      repeated: (await target.seen()).repeated,
      stages: [...stages],
    };
  } finally {
    await target.close();
  }
}

describe.concurrent('the search for the capacity', () => {
  it('stays below --max-rate and reports it as the limit', async () => {
    const { capacity, records, repeated, stages } = await search({}, { maxRate: 40 });
    expect(capacity).toMatchObject({
      type: 'capacity',
      scenario: 'known',
      rate: 40,
      low: 40,
      high: 40,
      limitedBy: 'max-rate',
      confirmed: true,
    });
    expect(capacity.generatorRate).toBeGreaterThan(40);
    expect(Math.max(...capacity.steps.map(({ offeredRate }) => offeredRate))).toBe(40);
    expect(records[0]).toMatchObject({
      type: 'scenario',
      name: 'known',
      offeredRate: 40,
      detail: { throughput: { engine: 'autocannon', connections: 8 } },
      thresholds: [{ held: true }, { held: true }],
    });
    expect(repeated).toBe(0);
    expect(stages[0]).toBe('throughput');
    expect(stages.filter((stage) => stage.startsWith('idle'))).toEqual([]);
  });

  it('reports that no rate meets the thresholds, and why', { tags: ['nightly'] }, async () => {
    const { capacity } = await search({ fails: { each: 1, status: 500 } }, { budgetMs: 30_000 });
    expect(capacity).toMatchObject({ rate: 0, limitedBy: 'errors' });
    expect(capacity.notes?.join()).toContain('no rate met the thresholds');
  });

  it('ends where some requests fail at any rate', { tags: ['nightly'] }, async () => {
    const scenario = knownScenario({ thresholds: ['p99<5s', 'errors<0.1%'] });
    const { capacity } = await search({ fails: { each: 20, status: 500 } }, { budgetMs: 60_000, scenario });
    expect(capacity).toMatchObject({ rate: 0, limitedBy: 'errors' });
    expect(capacity.steps.length).toBeLessThan(9);
    expect(capacity.notes?.join()).toContain('the load is not the reason');
  });
});
