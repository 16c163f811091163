import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { AssayError } from '../errors.ts';
import { isObject } from '../json.ts';
import { OK, loadWritten } from '../testing/description-file.ts';
import { buildContract } from './contract.ts';
import { BUILT_IN } from './index.ts';
import { dialectOf } from './source/dialect.ts';
import type { Contract, SchemaRef } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';

const WRITTEN = load(readFileSync(BUILT_IN, 'utf8')) as JsonObject;

const JUNK: readonly Json[] = [
  null,
  true,
  7,
  '',
  'junk',
  [],
  {},
  [null],
  { $ref: '#/nowhere' },
  { $ref: 5 },
  { $ref: '#' },
  { type: 'object', allOf: [{ $ref: '#' }] },
];

/** Replaces what a chain of picks leads to. */
function spoiled(node: Json, picks: readonly number[], junk: Json): Json {
  const [pick = 0, ...rest] = picks;
  if (picks.length === 0) return junk;
  if (Array.isArray(node) && node.length > 0)
    return (node as readonly Json[]).map((item, index) =>
      index === pick % node.length ? spoiled(item, rest, junk) : item,
    );
  if (!isObject(node) || Object.keys(node).length === 0) return junk;
  const keys = Object.keys(node);
  const key = keys[pick % keys.length] ?? '';
  return { ...node, [key]: spoiled(node[key] ?? null, rest, junk) };
}

function schemasOf(contract: Contract): readonly SchemaRef[] {
  return contract.operations.flatMap((operation) => [
    ...operation.parameters.map((parameter) => parameter.schema),
    ...(operation.body?.content ?? []).flatMap((media) => media.schema ?? []),
    ...operation.responses.flatMap((response) => response.content.flatMap((media) => media.schema ?? [])),
  ]);
}

function loaded(written: JsonObject): Contract | undefined {
  try {
    const dialect = dialectOf(written, 'spoiled', () => undefined);
    return buildContract({ source: 'spoiled', builtIn: false, dialect, written }, []);
  } catch (error) {
    if (error instanceof AssayError && error.exitCode === 2) return undefined;
    throw error;
  }
}

function content(name: string): JsonObject {
  return Object.fromEntries(
    ['application/json', 'text/json', 'text/plain'].map((type) => [
      type,
      { schema: { $ref: `#/components/schemas/${name}` } },
    ]),
  );
}

describe('a description that is spoiled anywhere', () => {
  it('never crashes what reads it, and what is left of it can be used', () => {
    const spoiling = fc.record({
      picks: fc.array(fc.nat(200), { minLength: 1, maxLength: 9 }),
      junk: fc.constantFrom(...JUNK),
    });
    fc.assert(
      fc.property(
        fc.array(spoiling, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('3.1.0', '3.0.4'),
        fc.nat(300),
        (spoilings, version, pick) => {
          const written = spoilings.reduce<Json>((node, { picks, junk }) => spoiled(node, picks, junk), {
            ...WRITTEN,
            openapi: version,
          });
          if (!isObject(written)) return;
          const contract = loaded(written);
          const schemas = contract === undefined ? [] : schemasOf(contract);
          const schema = schemas[pick % Math.max(1, schemas.length)];
          if (contract !== undefined && schema !== undefined) {
            for (const value of JUNK) contract.validate(schema, value);
            contract.resolve(schema);
          }
        },
      ),
      { numRuns: 60, seed: 20 },
    );
  });
});

describe('a large description', () => {
  it('of 1,200 operations and as many schemas is loaded whole', async () => {
    const count = 300;
    const names = Array.from({ length: count }, (_, index) => `Page\`1[[Thing${index}, Acme]]`);
    const schemas = Object.fromEntries(
      names.map((name, index) => [
        name,
        {
          type: 'object',
          additionalProperties: false,
          properties: {
            data: {
              type: 'array',
              nullable: true,
              items: { $ref: `#/components/schemas/${names[(index + 1) % count]}` },
            },
            ...Object.fromEntries(
              Array.from({ length: 20 }, (__, field) => [`f${field}`, { type: 'string', nullable: true }]),
            ),
          },
        },
      ]),
    );
    const paths = Object.fromEntries(
      names.flatMap((name, index) => {
        const answer = { responses: { 200: { description: '', content: content(name) } } };
        const id = [{ name: 'ID', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }];
        return [
          [`/api/things${index}`, { get: answer, post: { requestBody: { content: content(name) }, ...answer } }],
          [
            `/api/things${index}/{id}`,
            { get: { ...answer, parameters: id }, delete: { responses: OK, parameters: id } },
          ],
        ];
      }),
    );
    const contract = await loadWritten({
      openapi: '3.0.4',
      info: { title: 'Large', version: 'v1' },
      paths,
      components: { schemas },
    });
    expect(contract.operations).toHaveLength(1200);
    const schema = contract.operation('GET /things7')?.responses[0]?.content[0]?.schema;
    expect(
      schema &&
        contract.validate(schema, { data: [{ f3: 4 }], x: 1 }).map((item) => `${item.instancePointer} ${item.keyword}`),
    ).toEqual([' additionalProperties', '/data/0/f3 type']);
    expect(new Set(contract.problems.map((item) => item.code))).toEqual(
      new Set(['component-name', 'body-required', 'path-parameter-case']),
    );
  });
});
