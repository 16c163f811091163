import { expect, describe, it } from 'vitest';
import { loadPaths, loadSchemas } from '../../testing/description-file.ts';

describe('schemas with identifiers (OpenAPI 3.1)', () => {
  it('are found by them, and are the root of the references in them', async () => {
    const { contract, judge } = await loadSchemas(
      {
        Person: {
          $id: 'https://example.org/person',
          $defs: { name: { type: 'string' } },
          type: 'object',
          properties: { name: { $ref: '#/$defs/name' }, age: { $ref: 'https://example.org/age' } },
        },
        Age: { $id: 'https://example.org/age', type: 'integer' },
        Name: { $ref: 'https://example.org/person#/$defs/name' },
      },
      '3.1.0',
    );
    expect(contract.problems.filter(({ code }) => code.endsWith('ref'))).toEqual([]);
    expect(judge('Person', { name: 1, age: 'a' })).toEqual(['/name type', '/age type']);
    expect(judge('Name', 1)).toEqual([' type']);
  });

  it('may define an anchor more than once: any value is allowed where it is used', async () => {
    const item = { $dynamicAnchor: 'item', type: 'string' };
    const { judge } = await loadSchemas(
      {
        List: { $id: 'list', $defs: { item: { $dynamicAnchor: 'item', not: {} } }, items: { $dynamicRef: '#item' } },
        Names: { $id: 'names', $defs: { item }, $ref: 'list' },
        Tree: { $dynamicAnchor: 'tree', properties: { next: { $dynamicRef: '#tree' } }, type: 'object' },
      },
      '3.1.0',
    );
    expect(judge('Names', ['a'])).toEqual([]);
    expect(judge('Tree', { next: { next: 1 } })).toEqual(['/next/next type']);
  });
});

describe('identifiers that are none', () => {
  it('of examples, callbacks and older drafts keep no schema from being used', async () => {
    const named = { $id: 'a', $anchor: 'b', type: 'string' };
    const responses = { 200: { description: '', content: { 'application/json': { schema: named } } } };
    const callbacks = { changed: { '{$request.body#/url}': { post: { responses } }, same: { post: { responses } } } };
    const Thing = {
      id: 'thing',
      properties: { id: { type: 'integer' } },
      required: ['id'],
      enum: [{ id: 1, $id: 'a' }],
    };
    const components = { schemas: { Thing }, examples: { one: { value: named }, two: { value: named } } };
    const contract = await loadPaths({ '/a': { post: { responses, callbacks } } }, { components });
    const ref = { pointer: '/components/schemas/Thing', schema: true };
    expect(contract.validate(ref, { id: 1, $id: 'a' })).toEqual([]);
    expect(contract.validate(ref, { id: 'a' })).toHaveLength(2);
  });
});

describe('values that are valid', () => {
  it.each<readonly [object, readonly unknown[], readonly unknown[]]>([
    [{ multipleOf: 0.01 }, [1_234_567.89, 19.99, 1e21], [1_234_567.891, 0.005]],
    [{ format: 'url' }, ['http://localhost:8080/a', 'urn:isbn:1'], ['http://a b', 'example.org/a']],
    [{ format: 'email' }, ['a@b', '"a b"@example.org', 'a@[10.0.0.1]'], ['a', 'a@', 'a..b@example.org', 'a@-b']],
    [
      { format: 'duration' },
      ['PT1.5S', '-PT1H', 'P1DT0.5S', 'PT-6H-3M', 'P1W2D', 'P3Y6M4DT12H30M5S', 'PT0S'],
      ['P', 'PT', 'P1DT', '1h', 'P1S', 'PT1D'],
    ],
    [{ properties: { constructor: { type: 'string' } } }, [{}, { constructor: 'a' }], [{ constructor: 1 }]],
    [{ pattern: String.raw`^\p{L}+$` }, ['Zoë'], ['1']],
  ])('of %j', async (schema, valid, invalid) => {
    const { judge } = await loadSchemas({ Value: schema });
    for (const value of valid) expect(judge('Value', value)).toEqual([]);
    for (const value of invalid) expect(judge('Value', value)).toHaveLength(1);
  });
});

describe('schemas that accept more than is meant', () => {
  const lax = { type: 'string', pattern: '(?i)^a' };
  const Loop = { allOf: [{ $ref: '#/components/schemas/Loop' }] };

  it.each<readonly [string, object, number]>([
    ['a pattern', lax, 0],
    ['a keyword', { type: 'string', maxLength: 'few' }, 0],
    ['a type', { type: 'thing' }, 0],
    ['a reference', { $ref: '#/components/schemas/Gone' }, 0],
    ['a circle', { $ref: '#/components/schemas/Loop' }, 0],
    ['nothing', { type: 'string', pattern: '^b' }, 1],
  ])('count neither as a second alternative nor under `not`, where %s was dropped', async (_, part, count) => {
    const Part = { anyOf: [part] };
    const schemas = { Loop, Part, One: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Part' }] } };
    const { judge } = await loadSchemas({ ...schemas, Not: { not: { $ref: '#/components/schemas/Part' } } });
    expect([judge('One', 'b'), judge('Not', 'b')].map(({ length }) => length)).toEqual([count, count]);
  });

  it('are named by their reference', async () => {
    const components = { schemas: { Part: {}, Not: { not: { $ref: '#/components/schemas/Part' } } } };
    const contract = await loadPaths({}, { components });
    const [violation] = contract.validate({ pointer: '/components/schemas/Not', schema: true }, 1);
    expect(violation?.message).toBe('must not match {"$ref":"#/components/schemas/Part"}');
  });
});
