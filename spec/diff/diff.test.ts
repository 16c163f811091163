import { beforeAll, describe, expect, it } from 'vitest';
import { loadContract } from '../loading/load.ts';
import { loadWritten, openapi } from '../testing/description-file.ts';
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
const IN_LIST = 'in items of the response 200';
const IN_BODY = 'in the request body';

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
    const other = await loadWritten(openapi({}));
    expect(diffContracts(base, other).map((item) => `${item.class} ${item.message}`)).toEqual([
      `breaking ${LIST} was removed`,
      `breaking ${CREATE} was removed`,
    ]);
  });

  const rows: readonly (readonly [
    what: string,
    change: Parameters<typeof description>[0],
    expected: readonly string[],
  ])[] = [
    [
      'a type',
      { thing: { properties: { ...THING.properties, size: { type: 'string' } } } },
      [
        `breaking request ${CREATE}: size ${IN_BODY} is now string, was integer`,
        `breaking response ${LIST}: size ${IN_LIST} is now string, was integer`,
      ],
    ],
    [
      'a wider type',
      { thing: { properties: { ...THING.properties, size: { type: 'number', maximum: 10 } } } },
      [
        `breaking response ${LIST}: size ${IN_LIST} is now number, was integer`,
        `harmless request ${CREATE}: size ${IN_BODY} is now number, was integer`,
      ],
    ],
    [
      'null let in',
      { thing: { properties: { ...THING.properties, kind: { type: 'string', enum: ['a', 'b'], nullable: true } } } },
      [
        `breaking response ${LIST}: kind ${IN_LIST} can now be null`,
        `harmless request ${CREATE}: kind ${IN_BODY} can now be null`,
      ],
    ],
    [
      'null shut out',
      { thing: { properties: { ...THING.properties, note: { type: 'string' } } } },
      [
        `breaking request ${CREATE}: note ${IN_BODY} can no longer be null`,
        `harmless response ${LIST}: note ${IN_LIST} can no longer be null`,
      ],
    ],
    [
      'a value less',
      { thing: { properties: { ...THING.properties, kind: { type: 'string', enum: ['a'] } } } },
      [
        `breaking request ${CREATE}: kind ${IN_BODY} no longer has the values b`,
        `harmless response ${LIST}: kind ${IN_LIST} no longer has the values b`,
      ],
    ],
    [
      'a value more',
      { thing: { properties: { ...THING.properties, kind: { type: 'string', enum: ['a', 'b', 'c'] } } } },
      [
        `risky response ${LIST}: kind ${IN_LIST} has new values c`,
        `harmless request ${CREATE}: kind ${IN_BODY} has new values c`,
      ],
    ],
    [
      'a tighter bound',
      { thing: { properties: { ...THING.properties, size: { type: 'integer', format: 'int32', maximum: 5 } } } },
      [
        `breaking request ${CREATE}: size ${IN_BODY} maximum is now 5, was 10`,
        `harmless response ${LIST}: size ${IN_LIST} maximum is now 5, was 10`,
      ],
    ],
    [
      'a member more required',
      { thing: { required: ['id', 'size'] } },
      [
        `breaking request ${CREATE}: size ${IN_BODY} is now required`,
        `harmless response ${LIST}: size ${IN_LIST} is now required`,
      ],
    ],
    [
      'a member less required',
      { thing: { required: [] } },
      [
        `breaking response ${LIST}: id ${IN_LIST} is no longer required`,
        `harmless request ${CREATE}: id ${IN_BODY} is no longer required`,
      ],
    ],
    [
      'a member gone',
      { thing: { properties: { id: THING.properties.id, size: THING.properties.size, kind: THING.properties.kind } } },
      [
        `breaking response ${LIST}: note ${IN_LIST} was removed`,
        `risky request ${CREATE}: note ${IN_BODY} was removed`,
      ],
    ],
    [
      'a new required member',
      { thing: { required: ['id', 'x'], properties: { ...THING.properties, x: { type: 'string' } } } },
      [
        `breaking request ${CREATE}: x ${IN_BODY} was added and is required`,
        `harmless response ${LIST}: x ${IN_LIST} was added`,
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
      'a wider format',
      { thing: { properties: { ...THING.properties, size: { type: 'integer', format: 'int64', maximum: 10 } } } },
      [
        `risky response ${LIST}: size ${IN_LIST} format is now int64, was int32`,
        `harmless request ${CREATE}: size ${IN_BODY} format is now int64, was int32`,
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
        `risky request ${LIST}: the query parameter take was removed`,
        `risky response ${LIST}: the response 201 was added`,
        `harmless response ${LIST}: the response 404 was added`,
      ].filter((line) => !line.includes('take')),
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
  ];
  it.each(rows)('classifies %s', async (_, change, expected) => {
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
        message: `id ${IN_LIST} is no longer required`,
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
      return loadWritten(openapi({ '/a': { post: { requestBody, responses: { 200: { description: '' } } } } }));
    };
    const found = diffContracts(await load(before), await load(after));
    expect(found.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
  });
});
