import { describe, expect, it } from 'vitest';
import { isObject, loadContract, pointerTo, readPointer } from '../../../spec/index.ts';
import { brokenInvariants } from '../../../generators/testing/invariants.ts';
import { GeneratorArbitrary } from '../../../generators/core/generator-arbitrary.ts';
import { domainGenerator } from './domain-body.ts';
import { failingPatches } from './failing-patches.ts';
import { patched } from './json-patch.ts';
import { ENTITY_PATH } from './plain-clue.ts';
import { sampleJob } from './samples.ts';
import { hasSample, sampleBody, SAMPLES } from './sample-body.ts';

const contract = await loadContract();
const context = {
  policies: [
    { id: '00000000-0000-4000-8000-000000000001', name: 'one' },
    { id: '00000000-0000-4000-8000-000000000002', name: 'two' },
  ],
};

function bodiesOf(...given: Parameters<typeof domainGenerator>) {
  const generator = domainGenerator(...given) ?? expect.fail(`no bodies of ${given[1]}`);
  return new GeneratorArbitrary(generator);
}

function schemaOf(id: string) {
  const schema = contract.operation(id)?.body?.content[0]?.schema ?? expect.fail(`no body schema of ${id}`);
  return schema;
}

describe('bodies of the platform', () => {
  it('covers every operation with a body', () => {
    const bodies = contract.operations.filter(({ body }) => body !== undefined).map(({ id }) => id);
    expect(bodies.filter((id) => !hasSample(id))).toEqual([]);
  });

  it.each(Object.keys(SAMPLES))('a sample body of %s is valid', (id) => {
    expect(contract.validate(schemaOf(id), sampleBody(id, 'assay-1'))).toEqual([]);
  });

  it.each(Object.keys(SAMPLES))('generated bodies of %s are valid, reproducible and shrink to valid ones', (id) => {
    const arbitrary = bodiesOf(contract, id, context);
    expect(brokenInvariants(arbitrary, (value) => contract.validate(schemaOf(id), value).length === 0)).toEqual([]);
  });

  it('generates clues with no properties and with thousands', () => {
    const sizes = bodiesOf(contract, 'POST /clue')
      .sample(600, 1)
      .map((clue) => {
        const properties = readPointer(clue, pointerTo('', ...ENTITY_PATH, 'properties')) ?? null;
        return isObject(properties) ? Object.keys(properties).length : 0;
      });
    expect(Math.min(...sizes)).toBe(0);
    expect(Math.max(...sizes)).toBeGreaterThan(1000);
  });

  it('has the rules of a policy in the order of their members `order`, by which a deployment may sort', () => {
    const policies = bodiesOf(contract, 'POST /accesscontrolpolicies');
    const first = { name: 'first', order: 1 };
    const isValid = (...rules: readonly object[]): boolean => policies.accepts({ name: 'assay', rules });
    expect([isValid(first, { name: 'second', order: 2 }), isValid(first, { name: 'second' })]).toEqual([true, false]);
  });

  it('generates patches that apply; failing patches fail', () => {
    const job = sampleJob('assay');
    const patches = bodiesOf(contract, 'PATCH /aijob/{id}', { document: job });
    expect(patches.sample(100, 1).filter((patch) => patched(job, patch) === undefined)).toEqual([]);
    expect(patches.accepts([])).toBe(false);
    expect(failingPatches('assay').filter(({ patch }) => patched(job, patch) !== undefined)).toEqual([]);
  });
});
