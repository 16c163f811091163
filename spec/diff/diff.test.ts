import { beforeAll, describe, expect, it } from 'vitest';
import { loadContract } from '../loading/load.ts';
import { loadPaths, loadWritten } from '../testing/description-file.ts';
import { diffContracts } from './diff.ts';
import { description, THING, tree } from './testing/things.ts';
import type { Contract } from '../contract.ts';
import type { Draft } from './testing/things.ts';

let base: Contract;
beforeAll(async () => {
  base = await loadWritten(description());
});

async function changes(change: Parameters<typeof description>[0]): Promise<readonly string[]> {
  return diffContracts(base, await loadWritten(description(change))).map(
    (item) => `${item.class} ${item.side} ${item.operation}: ${item.message}`,
  );
}

const LIST = 'GET /things';
const CREATE = 'POST /things/new';

describe('diffContracts', () => {
  it('finds no changes between equal descriptions', async () => {
    expect(await changes({})).toEqual([]);
    const builtIn = await loadContract();
    expect(diffContracts(builtIn, await loadContract())).toEqual([]);
  });

  it('reports added and removed operations and forms', async () => {
    expect(
      await changes({
        paths: { '/api/v1/things': { get: { responses: {} } }, '/api/more': { get: { responses: {} } } },
      }),
    ).toContain('harmless operation GET /more: GET /more was added');
    const other = await loadPaths({});
    expect(diffContracts(base, other).map((item) => `${item.class} ${item.message}`)).toEqual([
      `breaking ${LIST} was removed`,
      `breaking ${CREATE} was removed`,
    ]);
  });

  const property = (properties: Draft): Draft => ({ properties: { ...THING.properties, ...properties } });
  const size = (aspects: Draft): Draft => property({ size: { ...THING.properties.size, ...aspects } });
  const kinds = (...values: readonly string[]): Draft => property({ kind: { type: 'string', enum: values } });
  const wider = property({ size: { type: 'number', maximum: 10 } });
  const nullable = property({ kind: { ...THING.properties.kind, nullable: true } });
  const notNull = property({ note: { type: 'string' } });
  const { note: _note, ...others } = THING.properties;

  it.each<readonly [string, Draft, inRequest: string, inResponse: string, member: string, change: string]>([
    ['a type', property({ size: { type: 'string' } }), 'breaking', 'breaking', 'size', 'is now string, was integer'],
    ['a wider type', wider, 'harmless', 'breaking', 'size', 'is now number, was integer'],
    ['null let in', nullable, 'harmless', 'breaking', 'kind', 'can now be null'],
    ['null shut out', notNull, 'breaking', 'harmless', 'note', 'can no longer be null'],
    ['a value less', kinds('a'), 'breaking', 'harmless', 'kind', 'no longer has the values b'],
    ['a value more', kinds('a', 'b', 'c'), 'harmless', 'risky', 'kind', 'has new values c'],
    ['a tighter bound', size({ maximum: 5 }), 'breaking', 'harmless', 'size', 'maximum is now 5, was 10'],
    ['a wider format', size({ format: 'int64' }), 'harmless', 'risky', 'size', 'format is now int64, was int32'],
    ['a member more required', { required: ['id', 'size'] }, 'breaking', 'harmless', 'size', 'is now required'],
    ['a member less required', { required: [] }, 'harmless', 'breaking', 'id', 'is no longer required'],
    ['a member gone', { properties: others }, 'risky', 'breaking', 'note', 'was removed'],
  ])('classifies %s of a schema', async (_, thing, inRequest, inResponse, member, change) => {
    expect([...(await changes({ thing }))].sort()).toEqual(
      [
        `${inRequest} request ${CREATE}: ${member} in the request body ${change}`,
        `${inResponse} response ${LIST}: ${member} in items of the response 200 ${change}`,
      ].sort(),
    );
  });

  it.each<readonly [what: string, change: Parameters<typeof description>[0], expected: readonly string[]]>([
    [
      'a new required member',
      { thing: { required: ['id', 'x'], ...property({ x: { type: 'string' } }) } },
      [
        `breaking request ${CREATE}: x in the request body was added and is required`,
        `harmless response ${LIST}: x in items of the response 200 was added`,
      ],
    ],
    [
      'members shut out',
      { thing: { additionalProperties: false } },
      [
        `breaking request ${CREATE}: the request body no longer accepts undescribed properties`,
        `harmless response ${LIST}: items of the response 200 no longer accepts undescribed properties`,
      ],
    ],
    [
      'a default',
      { get: { parameters: [{ name: 'take', in: 'query', schema: { type: 'integer', default: 10 } }] } },
      [`risky request ${LIST}: the query parameter take now has the default 10, was 20`],
    ],
    [
      'a parameter required',
      {
        get: { parameters: [{ name: 'take', in: 'query', required: true, schema: { type: 'integer', default: 20 } }] },
      },
      [`breaking request ${LIST}: the query parameter take is now required`],
    ],
    [
      'parameters that come and go',
      {
        get: {
          parameters: [
            { name: 'must', in: 'query', required: true, schema: {} },
            { name: 'may', in: 'query', schema: {} },
          ],
        },
      },
      [
        `breaking request ${LIST}: the query parameter must was added and is required`,
        `risky request ${LIST}: the query parameter take was removed`,
        `harmless request ${LIST}: the query parameter may was added`,
      ],
    ],
    [
      'statuses',
      { get: { responses: { 201: { description: '' }, 404: { description: '' } } } },
      [
        `breaking response ${LIST}: the response 200 was removed`,
        `risky response ${LIST}: the response 201 was added`,
        `harmless response ${LIST}: the response 404 was added`,
      ],
    ],
    [
      'a request media type',
      {
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } }, 'application/xml': {} },
          },
        },
      },
      [
        `breaking request ${CREATE}: the request body is no longer accepted as text/json`,
        `harmless request ${CREATE}: the request body is now accepted as application/xml too`,
      ],
    ],
    [
      'a body that is not needed',
      {
        post: {
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } }, 'text/json': {} },
          },
        },
      },
      [
        `harmless request ${CREATE}: the request body no longer has a schema`,
        `harmless request ${CREATE}: the request body is no longer required`,
      ],
    ],
    ['the permission', { get: { 'x-permission': 'RACI:x' } }, []],
  ])('classifies %s', async (_, change, expected) => {
    expect([...(await changes(change))].sort()).toEqual([...expected].sort());
  });

  it('points into both descriptions and reports a shared schema once', async () => {
    const two = {
      ...description(),
      paths: {
        ...(description()['paths'] as Draft),
        '/api/copy': { get: (description()['paths'] as Record<string, Draft>)['/api/things']?.['get'] },
      },
    };
    const changed = { ...two, components: { schemas: { Thing: { ...THING, required: [] } } } };
    const found = diffContracts(await loadWritten(two), await loadWritten(changed)).filter(
      (item) => item.side === 'response',
    );
    expect(found).toEqual([
      {
        class: 'breaking',
        side: 'response',
        operation: 'GET /things',
        others: ['GET /copy'],
        message: 'id in items of the response 200 is no longer required',
        pointerA: '/components/schemas/Thing/properties/id',
        pointerB: '/components/schemas/Thing/properties/id',
      },
    ]);
  });

  it('compares recursive and composed schemas', async () => {
    const found = diffContracts(await loadWritten(tree('string')), await loadWritten(tree('integer')));
    expect(found.map((item) => `${item.message} ${item.pointerA}`)).toEqual([
      'name in the response 200 is now integer, was string /components/schemas/B/properties/name',
    ]);
  });
});

describe('a change of a schema that allOf includes', () => {
  const text = { type: 'string' };
  const count = { type: 'integer' };

  it.each<readonly [string, Draft, Draft, string]>([
    ['an alternative', { oneOf: [text, count] }, { oneOf: [text] }, 'lost an alternative'],
    ['items', { items: { properties: { a: text } } }, { items: { properties: { a: count } } }, 'is now integer'],
    ['other members', { additionalProperties: text }, { additionalProperties: count }, 'is now integer'],
    ['patterns', { patternProperties: { a: text } }, { patternProperties: { a: count } }, 'patternProperties changed'],
    ['a contained item', { contains: text }, { contains: count }, 'contains changed'],
  ])('is found: %s', async (_, before, after, message) => {
    const load = async (part: Draft): Promise<Contract> => {
      const schema = { allOf: [part, { description: 'other' }] };
      const requestBody = { content: { 'application/json': { schema } } };
      return loadPaths({ '/a': { post: { requestBody, responses: { 200: { description: '' } } } } });
    };
    const found = diffContracts(await load(before), await load(after));
    expect(found.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
  });
});
