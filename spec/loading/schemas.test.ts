import { describe, expect, it } from 'vitest';
import { loadPaths, loadSchemas } from '../testing/description-file.ts';

describe('readOnly and writeOnly properties', () => {
  const account = {
    type: 'object',
    required: ['id', 'secret', 'name'],
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      secret: { type: 'string', writeOnly: true },
      name: { type: 'string' },
    },
  };
  const schemas = {
    Id: { type: 'integer', readOnly: true },
    Account: account,
    Extended: { allOf: [{ $ref: '#/components/schemas/Bare' }, { required: ['id', 'secret', 'name'] }] },
    Bare: { type: 'object', properties: account.properties },
    Listed: { type: 'array', items: { oneOf: [{ $ref: '#/components/schemas/Account' }, { type: 'string' }] } },
  };

  it.each([
    ['Account', (value: unknown): unknown => value],
    ['Extended', (value: unknown): unknown => value],
    ['Listed', (value: unknown): unknown => [value]],
  ])('are required of responses or of requests only: %s', async (name, wrap) => {
    const contract = await loadPaths({}, { components: { schemas } });
    const ref = { pointer: `/components/schemas/${name}`, schema: true };
    const valid = (value: unknown, direction: 'request' | 'response'): boolean =>
      contract.validate(ref, wrap(value), direction).length === 0;
    expect(valid({ secret: 's', name: 'n' }, 'request')).toBe(true);
    expect(valid({ id: 1, name: 'n' }, 'request')).toBe(false);
    expect(valid({ id: 1, name: 'n' }, 'response')).toBe(true);
    expect(valid({ secret: 's', name: 'n' }, 'response')).toBe(false);
    expect(valid({ id: 1, secret: 's' }, 'request')).toBe(false);
  });
});

describe('references', () => {
  it('lead through other references, as bundlers write them', async () => {
    const { contract, judge } = await loadSchemas({
      Size: { type: 'object', properties: { width: { type: 'integer' } } },
      Box: { type: 'object', properties: { size: { $ref: '#/components/schemas/Size' } } },
      Crate: { $ref: '#/components/schemas/Box' },
      Width: { $ref: '#/components/schemas/Crate/properties/size/properties/width' },
      Endless: { $ref: '#/components/schemas/Endless/properties/a' },
    });
    expect(judge('Width', 'x')).toEqual([' type']);
    expect(contract.problems.map((item) => `${item.code} ${item.pointer}`)).toEqual([
      'ref /components/schemas/Endless/$ref',
    ]);
  });
});

describe('OpenAPI 3.0 schemas', () => {
  it('ignore the keys beside a reference, and keep discriminators', async () => {
    const { contract, judge } = await loadSchemas({
      Cat: {
        type: 'object',
        properties: { kind: { type: 'string' } },
        discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
      },
      Alias: { $ref: '#/components/schemas/Cat', required: ['other'], description: 'kept' },
    });
    expect(judge('Alias', {})).toEqual([]);
    expect(contract.document).toMatchObject({
      components: { schemas: { Cat: { discriminator: { propertyName: 'kind' } } } },
    });
  });
});

describe('invalid schemas', () => {
  it('are repaired if the intent is clear, else allow any value, and are reported', async () => {
    const { contract, judge } = await loadSchemas({
      Int: { type: 'int' },
      Date: { type: 'datetime' },
      Nonsense: { type: 'wizard' },
      Number: { type: 'string', minLength: '3' },
      Pattern: { type: 'string', pattern: '(?i)^[a-z]+$' },
      Required: { type: 'object', required: true, properties: { a: { type: 'string', required: true } } },
      NoMap: { type: 'object', properties: [] },
      Text: 'string',
      Tuple: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] },
      Empty: { type: 'string', enum: [] },
      Lost: { $ref: '#/components/schemas/Nowhere' },
      Slip: { $ref: '#/definitions/int' },
      Identified: {
        $id: 'https://example.test/x',
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { a: { $ref: '#/components/schemas/Int' } },
      },
    });
    expect(judge('Int', 'x')).toEqual([' type']);
    expect(judge('Date', 'x')).toEqual([' format']);
    expect(judge('Nonsense', 7)).toEqual([]);
    expect(judge('Number', 'ab')).toEqual([' minLength']);
    expect(judge('Pattern', '???')).toEqual([]);
    expect(judge('Required', {})).toEqual([]);
    expect(judge('Tuple', ['a', 'b'])).toEqual(['/1 type']);
    expect(judge('Lost', 7)).toEqual([]);
    expect(judge('Slip', 'x')).toEqual([' type']);
    expect(judge('Identified', { a: 'x' })).toEqual(['/a type']);
    expect(contract.problems.map((item) => `${item.code} ${item.pointer}`).sort()).toEqual([
      'keyword /components/schemas/Empty/enum',
      'keyword /components/schemas/NoMap/properties',
      'keyword /components/schemas/Number/minLength',
      'keyword /components/schemas/Required/properties/a/required',
      'keyword /components/schemas/Required/required',
      'pattern /components/schemas/Pattern/pattern',
      'ref /components/schemas/Lost/$ref',
      'ref /components/schemas/Slip/$ref',
      'schema /components/schemas/Text',
      'type /components/schemas/Date/type',
      'type /components/schemas/Int/type',
      'type /components/schemas/Nonsense/type',
    ]);
    for (const problem of contract.problems) expect(problem.hint.length, problem.message).toBeGreaterThan(3);
  });

  it('can have invalid component names', async () => {
    const name = 'Page`1[[Acme.Thing, Acme, Version=1.0]]';
    const { contract, judge } = await loadSchemas({
      [name]: {
        type: 'object',
        properties: {
          data: { type: 'array', items: { $ref: '#/components/schemas/A+B' } },
          more: { $ref: '#/components/schemas/x~1y%25' },
        },
      },
      'A+B': { type: 'string' },
      'x/y%': { type: 'integer' },
      Use: { $ref: `#/components/schemas/${name}` },
      Encoded: { $ref: `#/components/schemas/${encodeURIComponent(name)}` },
    });
    expect(contract.problems.map((item) => item.code)).toEqual(['component-name', 'component-name', 'component-name']);
    for (const one of [name, 'Use', 'Encoded'])
      expect(judge(one, { data: [1], more: 'x' })).toEqual(['/data/0 type', '/more type']);
  });

  it('can refer to themselves, but a cycle for the same value is broken', async () => {
    const { contract, judge } = await loadSchemas({
      Tree: {
        type: 'object',
        properties: {
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          name: { type: 'string' },
        },
      },
      Chicken: { $ref: '#/components/schemas/Egg' },
      Egg: { $ref: '#/components/schemas/Chicken' },
      Ouroboros: { allOf: [{ $ref: '#/components/schemas/Ouroboros' }, { type: 'object' }] },
    });
    expect(judge('Tree', { children: [{ children: [{ name: 1 }] }] })).toEqual(['/children/0/children/0/name type']);
    expect(judge('Egg', 1)).toEqual([]);
    expect(judge('Ouroboros', 1)).toEqual([' type']);
    expect(contract.problems.map((item) => item.code)).toEqual(['circle', 'circle']);
  });

  it('do not mistake examples for keywords, or properties for prototypes', async () => {
    const schemas = JSON.parse(
      '{"A":{"type":"object","example":{"$id":"same","$ref":"#/nowhere"},"properties":{"__proto__":{"type":"string"},"$id":{"type":"string"}}},"B":{"type":"object","example":{"$id":"same"}}}',
    ) as unknown;
    const { contract, judge } = await loadSchemas(schemas);
    expect(contract.problems).toEqual([]);
    expect(judge('A', { $id: 5 })).toEqual(['/$id type']);
    expect(judge('B', {})).toEqual([]);
  });
});

describe('validation', () => {
  it('explains a failed alternative of a long list by its items', async () => {
    const { judge } = await loadSchemas({
      Either: {
        anyOf: [
          { type: 'array', items: { type: 'integer' } },
          { type: 'object', not: { type: 'array' } },
        ],
      },
    });
    for (const length of [1, 98, 99, 100, 200])
      expect(
        judge(
          'Either',
          Array.from({ length }, () => 'x'),
        ).every((each) => /^\/\d+ type$/.test(each)),
      ).toBe(true);
  });

  it('reports pointers into the description and the value', async () => {
    const { contract } = await loadSchemas({
      A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
      B: { enum: ['x', 'y'] },
    });
    const [violation] = contract.validate({ pointer: '/components/schemas/A', schema: true }, { b: 'z' });
    expect(violation).toEqual({
      instancePointer: '/b',
      schemaPointer: '/components/schemas/B/enum',
      keyword: 'enum',
      grade: 'documented',
      message: 'must be one of ["x","y"], but is "z"',
      expected: 'one of ["x","y"]',
    });
  });

  it('survives values of any depth', async () => {
    const { judge } = await loadSchemas({ Tree: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } });
    let deep: unknown = [];
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect(judge('Tree', deep)).toEqual([]);
  });
});

const BASE = { $ref: '#/components/schemas/Base' };
const EITHER = {
  oneOf: [
    { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    { type: 'array', items: { type: 'integer' } },
  ],
};

it.each<[what: string, schema: object, allowed: readonly unknown[], refused: readonly (readonly [unknown, string])[]]>([
  ['no null', { type: 'string' }, [], [[null, ' type']]],
  ['null beside a type', { type: 'string', nullable: true, minLength: 2 }, [null], [['x', ' minLength']]],
  ['null beside an enumeration', { type: 'string', nullable: true, enum: ['a', 'b'] }, [null], [['c', ' enum']]],
  ['null beside a reference', { ...BASE, nullable: true }, [null], [[{ a: 'x' }, '/a type']]],
  ['null beside a composition', { nullable: true, allOf: [BASE] }, [null], [[{ a: 'x' }, '/a type']]],
  [
    'a boolean exclusive minimum',
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    [1],
    [[0, ' exclusiveMinimum']],
  ],
  ['a boolean exclusive maximum', { type: 'number', maximum: 9, exclusiveMaximum: false }, [9], []],
  [
    'uuids in either case',
    { type: 'string', format: 'uuid' },
    ['5B1F3A52-0C4E-4B5E-9D55-3F6F3C1D7A01'],
    [['5B1F3A52-0C4E-4B5E-9D55', ' format']],
  ],
  [
    'lenient times',
    { type: 'string', format: 'date-time' },
    ['2026-01-31T10:00:00Z', '2026-01-31 10:00:00.1234567+02:00', '2026-01-31T10:00:00'],
    ['2026-13-31T10:00:00Z', '2026-01-31', 'yesterday'].map((when) => [when, ' format']),
  ],
  ['integers beyond 2^53', { type: 'integer', format: 'int64' }, [2 ** 53 + 2], [[1e19, ' format']]],
  ['integers of 32 bits', { type: 'integer', format: 'int32' }, [], [[2_147_483_648, ' format']]],
  ['an unknown format', { type: 'string', format: 'no-such-format' }, ['x'], []],
  [
    'the closest alternative',
    EITHER,
    [],
    [
      [['x'], '/0 type'],
      [{ a: 1 }, '/a type'],
      ['x', ' oneOf'],
    ],
  ],
])('a schema with %s', async (_, schema, allowed, refused) => {
  const base = { type: 'object', properties: { a: { type: 'integer' } } };
  const { judge } = await loadSchemas({ Base: base, Tested: schema });
  for (const each of allowed) expect(judge('Tested', each)).toEqual([]);
  for (const [each, violation] of refused) expect(judge('Tested', each)).toEqual([violation]);
});

it.each([
  [{ type: ['string', 'null'], exclusiveMinimum: 3 }, null, []],
  [{ type: 'number', exclusiveMinimum: 3 }, 3, [' exclusiveMinimum']],
])('a schema of OpenAPI 3.1 is read unchanged: %j', async (schema, value, expected) => {
  const { judge } = await loadSchemas({ Tested: schema }, '3.1.0');
  expect(judge('Tested', value)).toEqual(expected);
});
