import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../spec/index.ts';
import type { Operation } from '../../../spec/index.ts';
import { requestsOf } from '../cases/plain.ts';
import { decodeCase, encodeCase, withBody } from './case.ts';
import { namesOf, neutral, placesOf } from './places.ts';
import { shrink } from './shrink.ts';

const contract = await loadContract();

function creating(id: string): Operation {
  const operation = contract.operation(id);
  if (operation === undefined) throw new Error(`no ${id}`);
  return operation;
}

const policies = creating('POST /accesscontrolpolicies');
const arbitrary = requestsOf(contract, policies);

describe('shrinking a request', () => {
  it('ends at the member and the length that matter', async () => {
    if (arbitrary === undefined) throw new Error('no policies');
    const start = withBody(arbitrary.simplest, {
      name: 'x'.repeat(300),
      description: 'long',
      rules: [{ name: 'one' }, { name: 'two' }],
      isActive: true,
    });
    const fails = (request: typeof start): Promise<boolean> => Promise.resolve(nameOf(request.body?.value).length > 64);
    const least = await shrink(arbitrary, start, fails, () => false);
    expect(least.body?.value).toEqual({ name: 'a'.repeat(65) });
    expect(namesOf(placesOf(contract, policies, least, arbitrary.simplest))).toEqual(['/name']);
  });

  it('keeps two members where both matter', async () => {
    if (arbitrary === undefined) throw new Error('no policies');
    const start = withBody(arbitrary.simplest, {
      name: 'plain',
      description: 'long',
      rules: [{ name: 'one' }],
      isActive: true,
      order: 3,
    });
    const fails = ({ body }: typeof start): Promise<boolean> =>
      Promise.resolve(/"isActive":true/.test(JSON.stringify(body)) && /"rules":\[\{/.test(JSON.stringify(body)));
    const least = await shrink(arbitrary, start, fails, () => false);
    expect(Object.keys(least.body?.value ?? {}).sort()).toEqual(['isActive', 'rules']);
  });
});

describe('a case', () => {
  it('is the same after a path', () => {
    const value = {
      form: 1,
      variant: 'escapes',
      request: {
        path: {},
        query: { a: ['\u{1F600}'] },
        headers: {},
        body: { type: 'text/json', value: { name: 'é'.repeat(5000) } },
      },
    };
    const path = encodeCase(value);
    expect(decodeCase(path)).toEqual(value);
    expect(path.length).toBeLessThan(300);
    expect(decodeCase('no path')).toBeUndefined();
  });

  it('is neutral without what is odd in it', () => {
    if (arbitrary === undefined) throw new Error('no policies');
    const odd = withBody(arbitrary.simplest, { name: 'x', rules: [{ name: 'one' }] });
    const places = placesOf(contract, policies, odd, arbitrary.simplest).filter((each) =>
      each.name.startsWith('/rules'),
    );
    expect(places.map((each) => each.name)).toEqual(['/rules/*/name']);
    expect(neutral(odd, arbitrary.simplest, places).body?.value).toEqual({ name: 'x' });
  });
});

function nameOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : '';
}
