import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../spec/index.ts';
import { brokenInvariants } from '../../../generators/testing/invariants.ts';
import { entityOf } from './clue.ts';
import { domainBodyFor } from './domain-body.ts';
import { failingPatches } from './failing-patches.ts';
import { patched } from './json-patch.ts';
import { sampleJob } from './sample-ai.ts';
import { hasSample, sampleBody, SAMPLES } from './sample-body.ts';

const contract = await loadContract();
const context = {
  policies: [
    { id: '00000000-0000-4000-8000-000000000001', name: 'one' },
    { id: '00000000-0000-4000-8000-000000000002', name: 'two' },
  ],
};

function schemaOf(id: string) {
  const schema = contract.operation(id)?.body?.content[0]?.schema;
  if (schema === undefined) throw new Error(`no body schema of ${id}`);
  return schema;
}

describe('what the domain knows', () => {
  it('covers each operation with a body', () => {
    const bodies = contract.operations.filter(({ body }) => body !== undefined).map(({ id }) => id);
    expect(bodies.filter((id) => !hasSample(id))).toEqual([]);
  });

  it.each(Object.keys(SAMPLES))('a sample body of %s is valid', (id) => {
    expect(contract.validate(schemaOf(id), sampleBody(id, 'assay-1'))).toEqual([]);
  });

  it.each(Object.keys(SAMPLES))('bodies of %s keep the invariants', (id) => {
    const arbitrary = domainBodyFor(contract, id, context);
    if (arbitrary === undefined) throw new Error('unknown');
    expect(brokenInvariants(arbitrary, (value) => contract.validate(schemaOf(id), value).length === 0)).toEqual([]);
  });

  it('makes bags of properties from none to thousands', () => {
    const arbitrary = domainBodyFor(contract, 'POST /clue');
    const sizes =
      arbitrary?.sample(600, 1).map((clue) => Object.keys(entityOf(clue)?.['properties'] ?? {}).length) ?? [];
    expect(Math.min(...sizes)).toBe(0);
    expect(Math.max(...sizes)).toBeGreaterThan(1000);
  });

  it('makes patches that apply, and patches that fail', () => {
    const job = sampleJob('assay');
    const patches = domainBodyFor(contract, 'PATCH /aijob/{id}', { document: job })?.sample(100, 1) ?? [];
    expect(patches.filter((patch) => patched(job, patch) === undefined)).toEqual([]);
    expect(failingPatches('assay').filter(({ patch }) => patched(job, patch) !== undefined)).toEqual([]);
  });
});
