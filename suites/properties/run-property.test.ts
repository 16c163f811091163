import { asyncProperty, check } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { GeneratedRequest } from '../../generators/index.ts';
import { CaseArbitrary, decodeCase, encodeCase, withBodyValue } from './case.ts';
import { generatedRequests } from './cases/plain.ts';
import { commonText, placeNames, neutral, placesOf } from './places.ts';

const contract = await loadContract();
const policies = contract.operation('POST /accesscontrolpolicies') ?? expect.fail('the description has no policies');
const arbitrary = generatedRequests(contract, policies) ?? expect.fail('no policy can be generated');

async function shrunk(
  body: Parameters<typeof withBodyValue>[1],
  fails: (request: GeneratedRequest) => boolean,
): Promise<GeneratedRequest> {
  const start = { form: 0, request: withBodyValue(arbitrary.simplest, body) };
  const cases = new CaseArbitrary(undefined, arbitrary);
  const passes = asyncProperty(cases, ({ request }) => Promise.resolve(!fails(request)));
  const { counterexample } = await check(passes, { numRuns: 1, examples: [[start]] });
  return counterexample?.[0]?.request ?? start.request;
}

describe('shrinking a case', () => {
  it('ends at the member and the length that matter', async () => {
    const body = {
      name: 'x'.repeat(300),
      description: 'long',
      rules: [{ name: 'one' }, { name: 'two' }],
      isActive: true,
    };
    const least = await shrunk(body, (request) => nameOf(request.body?.value).length > 64);
    expect(least.body?.value).toEqual({ name: 'a'.repeat(65) });
    expect(placeNames(placesOf(contract, policies, least, arbitrary.simplest))).toEqual(['/name']);
  });

  it.each([
    ['long texts, whatever their length', 'a'.repeat(4001), 'a'.repeat(8193), true],
    ['the same unusual text', 'a\u0000', 'a\u0000', true],
    ['short texts of letters', 'aa', 'aa', false],
  ])('tells the same defect by %s', (_title, name, description, isKnown) => {
    const textOf = (member: string, value: string) => {
      const request = withBodyValue(arbitrary.simplest, { [member]: value });
      return commonText(request, placesOf(contract, policies, request, arbitrary.simplest));
    };
    const text = textOf('name', name);
    expect(text !== undefined && text === textOf('description', description)).toBe(isKnown);
  });

  it('keeps two members where both matter', async () => {
    const body = { name: 'plain', description: 'long', rules: [{ name: 'one' }], isActive: true, order: 3 };
    const least = await shrunk(body, (request) => {
      const text = JSON.stringify(request.body);
      return text.includes('"isActive":true') && text.includes('"rules":[{');
    });
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

  it('is neutral with the places as in a plain one', () => {
    const unusual = withBodyValue(arbitrary.simplest, { name: 'x', rules: [{ name: 'one' }] });
    const places = placesOf(contract, policies, unusual, arbitrary.simplest).filter((each) =>
      each.name.startsWith('/rules'),
    );
    expect(places.map((each) => each.name)).toEqual(['/rules/*/name']);
    expect(neutral(unusual, arbitrary.simplest, places).body?.value).toEqual({ name: 'x' });
  });
});

function nameOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : '';
}
