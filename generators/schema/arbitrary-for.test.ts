import { readFileSync } from 'node:fs';
import { check, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadWritten, openapi } from '../../spec/testing/description-file.ts';
import type { Json, JsonSchema } from '../../spec/index.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { arbitraryFor, isUnsatisfiable } from './arbitrary-for.ts';

const { satisfiable, impossible } = parse(
  readFileSync(new URL('../testing/hard-schemas.yaml', import.meta.url), 'utf8'),
) as Record<'satisfiable' | 'impossible', Readonly<Record<string, JsonSchema>>>;
const contract = await loadWritten({
  ...openapi({}),
  openapi: '3.1.0',
  components: { schemas: { ...satisfiable, ...impossible } },
});

function arbitraryNamed(name: string) {
  return arbitraryFor(contract, refNamed(name));
}

function refNamed(name: string) {
  return { pointer: `/components/schemas/${name}`, schema: { $ref: `#/components/schemas/${name}` } as JsonSchema };
}

function counterexample(name: string, isWrong: (value: Json) => boolean, seed = 1): unknown {
  const arbitrary = arbitraryNamed(name);
  if (isUnsatisfiable(arbitrary)) throw new Error(arbitrary.reason);
  const examples = arbitrary.sweep(seed).map((value): [Json] => [value]);
  const first = check(
    property(arbitrary, (value) => !isWrong(value)),
    { seed, examples },
  );
  const path = first.counterexamplePath ?? '';
  const again = check(
    property(arbitrary, (value) => !isWrong(value)),
    { seed, examples, path, endOnFailure: true },
  );
  expect(again.counterexample).toEqual(first.counterexample);
  return first.counterexample?.[0];
}

describe('schemas of every kind', () => {
  it.each(Object.keys(satisfiable))('%s keeps the invariants', (name) => {
    const arbitrary = arbitraryNamed(name);
    if (isUnsatisfiable(arbitrary)) throw new Error(arbitrary.reason);
    expect(brokenInvariants(arbitrary, (value) => contract.validate(refNamed(name), value).length === 0)).toEqual([]);
    expect(arbitrary.stats.rejected).toBeLessThan(1 + arbitrary.stats.generated / 5);
  });

  it.each(Object.keys(impossible))('%s is reported as unsatisfiable', (name) => {
    expect(isUnsatisfiable(arbitraryNamed(name))).toBe(true);
  });
});

it.each(['uri', 'uri-reference'])('the longest %s is among the boundary values', async (format) => {
  const schema: JsonSchema = { type: 'string', format, maxLength: 2083 };
  const own = await loadWritten({ ...openapi({}), components: { schemas: { long: schema } } });
  const arbitrary = arbitraryFor(own, { pointer: '/components/schemas/long', schema });
  if (isUnsatisfiable(arbitrary)) throw new Error(arbitrary.reason);
  const longest = arbitrary.sweep(1).filter((value) => typeof value === 'string' && value.length === 2083);
  expect(longest).not.toEqual([]);
  expect(longest.flatMap((value) => own.validate({ pointer: '/components/schemas/long', schema }, value))).toEqual([]);
});

describe('shrinking', () => {
  it('leaves only the character that matters', () => {
    expect(counterexample('person', (value) => String(Object(value).name).includes(`'`))).toEqual({ name: `'` });
  });

  it('finds the shortest text that is too long', () => {
    expect(counterexample('person', (value) => String(Object(value).nickname ?? '').length > 64)).toEqual({
      name: 'a',
      nickname: 'a'.repeat(65),
    });
  });

  it('tells absent from null', () => {
    expect(counterexample('person', (value) => Object(value).nickname === null)).toEqual({ name: 'a', nickname: null });
    expect(counterexample('person', (value) => !Object.hasOwn(Object(value), 'nickname'))).toEqual({ name: 'a' });
  });

  it('finds the smallest number and the smallest list', () => {
    expect(counterexample('person', (value) => Object(value).age > 41)).toEqual({ name: 'a', age: 42 });
    expect(counterexample('person', (value) => Object(value).tags?.length > 9)).toEqual({
      name: 'a',
      tags: Array.from({ length: 10 }, () => ''),
    });
  });

  it('keeps the nesting that matters', () => {
    const depth = (value: Json): number => (Object(value).friend === undefined ? 0 : 1 + depth(Object(value).friend));
    expect(counterexample('person', (value) => depth(value) > 2)).toEqual({
      name: 'a',
      friend: { name: 'a', friend: { name: 'a', friend: { name: 'a' } } },
    });
  });
});

describe('pins', () => {
  it('stay in every value and every shrink', () => {
    const arbitrary = arbitraryFor(contract, refNamed('person'), { pins: { name: 'Ada' } });
    if (isUnsatisfiable(arbitrary)) throw new Error(arbitrary.reason);
    const values = arbitrary.sample(30, 1);
    const shrunk = values
      .slice(0, 5)
      .flatMap((value) => [...arbitrary.shrink(value).take(20)].map((next) => next.value));
    expect([...values, ...shrunk].every((value) => Object(value).name === 'Ada')).toBe(true);
  });
});
