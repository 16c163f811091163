import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import { OK, loadPaths } from '../../spec/testing/description-file.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { isUnsatisfiable } from '../schema/arbitrary-for.ts';
import { requestArbitrary } from './request-arbitrary.ts';

const contract = await loadContract();

describe('whole requests', () => {
  it.each(contract.operations.map(({ id }) => id))('of %s keep the invariants', (id) => {
    const operation = contract.operation(id);
    const arbitrary = operation === undefined ? undefined : requestArbitrary(contract, operation);
    if (arbitrary === undefined || isUnsatisfiable(arbitrary)) throw new Error('nothing to send');
    expect(brokenInvariants(arbitrary, (value) => arbitrary.accepts(value))).toEqual([]);
    const holes = [...(operation?.path.matchAll(/\{(\w+)\}/g) ?? [])].map(([, name]) => name ?? '');
    for (const { path } of arbitrary.sweep(1)) expect(holes.every((name) => (path[name] ?? '') !== '')).toBe(true);
  });

  it('keeps given ids through shrinking', () => {
    const operation = contract.operation('GET /accesscontrolpolicies/{id}') ?? expect.fail('unknown');
    const id = '11111111-2222-4333-8444-555555555555';
    const arbitrary = requestArbitrary(contract, operation, { path: { id } });
    if (isUnsatisfiable(arbitrary)) throw new Error(arbitrary.reason);
    const [first] = arbitrary.sample(1, 1);
    expect(first?.path).toEqual({ id });
    expect([...arbitrary.shrink(first ?? arbitrary.simplest)].every(({ value }) => value.path['id'] === id)).toBe(true);
  });

  it('have no query parameter without a value', async () => {
    const parameters = [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }];
    const described = await loadPaths({ '/a': { get: { parameters, responses: OK } } });
    const arbitrary = requestArbitrary(described, described.operation('GET /a') ?? expect.fail('no operation'));
    if (isUnsatisfiable(arbitrary)) throw new Error(arbitrary.reason);
    const sent = [arbitrary.simplest, ...arbitrary.sample(1, 200)].map(({ query }) => query['q']);
    expect(sent.filter((value) => value === undefined || value === '')).toEqual([]);
  });
});
