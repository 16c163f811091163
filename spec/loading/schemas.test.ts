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
  it('allow null with nullable: with a type, an enum, a reference, a composition', async () => {
    const { judge } = await loadSchemas({
      Base: { type: 'object', properties: { a: { type: 'integer' } } },
      Typed: { type: 'string', nullable: true, minLength: 2 },
      Listed: { type: 'string', nullable: true, enum: ['a', 'b'] },
      Referred: { $ref: '#/components/schemas/Base', nullable: true },
      Composed: { nullable: true, allOf: [{ $ref: '#/components/schemas/Base' }] },
      Strict: { type: 'string' },
    });
    for (const name of ['Typed', 'Listed', 'Referred', 'Composed']) expect(judge(name, null), name).toEqual([]);
    expect(judge('Strict', null)).toEqual([' type']);
    expect(judge('Typed', 'x')).toEqual([' minLength']);
    expect(judge('Listed', 'c')).toEqual([' enum']);
    expect(judge('Referred', { a: 'x' })).toEqual(['/a type']);
    expect(judge('Composed', { a: 'x' })).toEqual(['/a type']);
  });

  it('have boolean exclusive bounds', async () => {
    const { judge } = await loadSchemas({
      Open: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    });
    expect(judge('Open', 0)).toEqual([' exclusiveMinimum']);
    expect(judge('Open', 9)).toEqual([]);
  });

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
  it('accepts uuids in either case, lenient times, and integers beyond 2^53', async () => {
    const { judge } = await loadSchemas({
      Id: { type: 'string', format: 'uuid' },
      When: { type: 'string', format: 'date-time' },
      Long: { type: 'integer', format: 'int64' },
      Int: { type: 'integer', format: 'int32' },
      Odd: { type: 'string', format: 'no-such-format' },
    });
    expect(judge('Id', '5B1F3A52-0C4E-4B5E-9D55-3F6F3C1D7A01')).toEqual([]);
    expect(judge('Id', '5B1F3A52-0C4E-4B5E-9D55')).toEqual([' format']);
    for (const when of ['2026-01-31T10:00:00Z', '2026-01-31 10:00:00.1234567+02:00', '2026-01-31T10:00:00'])
      expect(judge('When', when)).toEqual([]);
    for (const when of ['2026-13-31T10:00:00Z', '2026-01-31', 'yesterday'])
      expect(judge('When', when)).toEqual([' format']);
    expect(judge('Long', 2 ** 53 + 2)).toEqual([]);
    expect(judge('Long', 1e19)).toEqual([' format']);
    expect(judge('Int', 2_147_483_648)).toEqual([' format']);
    expect(judge('Odd', 'x')).toEqual([]);
  });

  it('explains the closest alternative only', async () => {
    const { judge } = await loadSchemas({
      Either: {
        oneOf: [
          { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
          { type: 'array', items: { type: 'integer' } },
        ],
      },
    });
    expect(judge('Either', ['x'])).toEqual(['/0 type']);
    expect(judge('Either', { a: 1 })).toEqual(['/a type']);
    expect(judge('Either', 'x')).toEqual([' oneOf']);
  });

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

  it('reads OpenAPI 3.1 unchanged', async () => {
    const { judge } = await loadSchemas(
      { A: { type: ['string', 'null'], exclusiveMinimum: 3 }, N: { type: 'number', exclusiveMinimum: 3 } },
      '3.1.0',
    );
    expect(judge('A', null)).toEqual([]);
    expect(judge('N', 3)).toEqual([' exclusiveMinimum']);
  });
});
