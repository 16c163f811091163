import { sample } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, Operation } from '../../../spec/index.ts';
import { loadContract } from '../../../spec/index.ts';
import { ENTITY_PATH, isPlainClue, isPlainRaw } from '../../../domain/builtin/bodies/plain-clue.ts';
import { familiesOf } from './families.ts';
import type { CaseFamily } from './families.ts';
import { LENGTHS, TEXTS } from './values.ts';
import { ENCODINGS, encodingsOf } from './encodings.ts';
import { UNKNOWN_MEMBERS, withMember } from './unknown-members.ts';
import { memberStates, replaced } from './parts.ts';
import { generatedRequests } from './plain.ts';
import { constraintOf, invalidCases, invalidShrinker } from './invalid.ts';
import { sampleBody } from '../../../domain/builtin/bodies/sample-body.ts';

const contract = await loadContract();
const clue = sampleBody('POST /clue', 'assay-1') ?? null;

function take(seed: number): string[] {
  const states = memberStates({ a: 'x', b: [1], c: true }, [], () => true);
  return sample(states, { seed, numRuns: 50 }).map((value) => JSON.stringify(value));
}

describe('deviations', () => {
  const base: Json = { name: 'a', rules: [{ name: 'b' }], isActive: false, metadata: { 'key-1': 'x' } };

  it('change every member of a body at once', () => {
    const families = familiesOf(base, { isOpen: true, isValid: () => true });
    expect(families.map((each) => each.name)).toEqual(['members', 'number of members', 'unusual members']);
    const [first] = families[0]?.cases() ?? [];
    expect(first?.value).toEqual({ name: '', rules: [{ name: '' }], isActive: null, metadata: { 'key-1': '' } });
  });

  it('reach every value of every member, in few bodies', () => {
    const [{ cases }] = familiesOf(base, { isValid: () => true }) as [CaseFamily];
    const names = new Set([...cases()].map(({ value }) => JSON.stringify((value as { name?: Json }).name)));
    for (const text of TEXTS) expect(names).toContain(JSON.stringify(text));
    for (const length of LENGTHS) expect(names).toContain(JSON.stringify('a'.repeat(length)));
    expect([...cases()].length).toBeLessThan(700);
  });

  it('know the members of the entity in a clue', () => {
    const names = familiesOf(clue, { envelope: ENTITY_PATH, isOpen: true, isValid: () => true }).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['members', 'outside', 'ids', 'number of members', 'unusual members']);
  });

  it('combine states of members, the same for the same seed', () => {
    expect(take(3)).toEqual(take(3));
    expect(new Set(take(3)).size).toBeGreaterThan(20);
  });
});

describe('encodings', () => {
  it('are those in media types that are offered', () => {
    const typesFor = (...offered: readonly string[]): readonly string[] =>
      encodingsOf({ body: { content: offered.map((type) => ({ type })) } } as unknown as Operation).map(
        ([name]) => name,
      );
    expect(typesFor('application/json')).not.toContain('text/json');
    expect(typesFor('application/json')).toContain('upper-case-type');
    expect(typesFor('application/json', 'application/*+json')).toContain('application/vnd.assay+json');
  });

  const value: Json = { 'a/b': ['\u{1F600}\u001F\\', { c: 'x"y' }], d: null };
  it.each(Object.entries(ENCODINGS))('%s says the same', (_, encoding) => {
    expect(JSON.parse(encoding.write(value))).toEqual(value);
  });

  it.each(Object.entries(UNKNOWN_MEMBERS))('%s is well-formed JSON', (_, member) => {
    expect(() => {
      JSON.parse(withMember('{"a":1}', member));
    }).not.toThrow();
    expect(() => {
      JSON.parse(withMember('{}', member));
    }).not.toThrow();
  });
});

describe('plain clues', () => {
  const at = [...ENTITY_PATH, 'properties', 'assay.key'];
  it('are the documented shape with any values', () => {
    expect(isPlainClue(clue)).toBe(true);
    for (const text of ['', '<b>', '\u{1F600}', 'x'.repeat(2000), 'null'])
      expect(isPlainClue(replaced(clue, at, text))).toBe(true);
  });

  it('are not what a deployment may refuse', () => {
    for (const part of [5, null, 'a\u0000b', 'a\u0001b', 'x'.repeat(2001), '\uD800'])
      expect(isPlainClue(replaced(clue, at, part))).toBe(false);
    expect(isPlainClue(replaced(clue, ['clue', 'attribute-origin'], 'no origin'))).toBe(false);
    expect(isPlainClue(replaced(clue, [...ENTITY_PATH, 'properties', 'no key at all'], 'x'))).toBe(false);
  });

  it('raw data of any shape is plain, unless it is nested too deeply', () => {
    expect(isPlainRaw({ a: [{ b: null }, 1.5, false, []] })).toBe(true);
    expect(isPlainRaw([])).toBe(false);
    expect(isPlainRaw(Array.from({ length: 60 }).reduce<Json>((inner) => ({ inner }), {}))).toBe(false);
  });
});

describe('invalid requests', () => {
  it('become smaller and stay invalid in the same way', () => {
    const operation = contract.operation('POST /aiagent') ?? expect.fail('no agents');
    const arbitrary = generatedRequests(contract, operation) ?? expect.fail('no requests');
    const shrinker = invalidShrinker(contract, operation, arbitrary);
    for (const { request, rawBody } of [...invalidCases(contract, operation, arbitrary)].slice(0, 30)) {
      if (rawBody !== undefined) continue;
      const broken = constraintOf(contract, operation, request.body?.value);
      for (const { value } of [...shrinker.shrink(request)].slice(0, 10))
        expect(constraintOf(contract, operation, value.body?.value)).toBe(broken);
    }
  });
});
