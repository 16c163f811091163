import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { SchemaRef } from '../../spec/index.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { arbitraryFor, isUnsatisfiable } from './arbitrary-for.ts';

const contract = await loadContract();
const names = Object.keys(Object((contract.document['components'] as { schemas?: object } | undefined)?.schemas));

describe('schemas of the built-in description', () => {
  it.each(names)('%s keeps the invariants', (name) => {
    const ref: SchemaRef = { pointer: `/components/schemas/${name}`, schema: { $ref: `#/components/schemas/${name}` } };
    const arbitrary = arbitraryFor(contract, ref);
    if (isUnsatisfiable(arbitrary)) throw new Error(arbitrary.reason);
    expect(brokenInvariants(arbitrary, (value) => contract.validate(ref, value).length === 0)).toEqual([]);
    expect(arbitrary.stats.rejected).toBeLessThan(1 + arbitrary.stats.generated / 20);
  });
});
