import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AssayError } from '../errors.ts';
import { isObject } from '../json.ts';
import { OK, loadWritten } from '../testing/description-file.ts';
import { buildContract } from './contract.ts';
import { BUILT_IN } from './load.ts';
import { dialectOf } from './dialect.ts';
import { reporterTo } from './report.ts';
import type { Contract, SchemaRef } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';

const WRITTEN = parse(readFileSync(BUILT_IN, 'utf8')) as JsonObject;

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

/** Replaces the node that a chain of picks leads to. */
function corrupted(node: Json, picks: readonly number[], junk: Json): Json {
  const [pick = 0, ...rest] = picks;
  if (picks.length === 0) return junk;
  if (Array.isArray(node) && node.length > 0)
    return (node as readonly Json[]).map((item, index) =>
      index === pick % node.length ? corrupted(item, rest, junk) : item,
    );
  if (!isObject(node) || Object.keys(node).length === 0) return junk;
  const keys = Object.keys(node);
  const key = keys[pick % keys.length] ?? '';
  return { ...node, [key]: corrupted(node[key] ?? null, rest, junk) };
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
    const dialect = dialectOf(
      written,
      'corrupted',
      reporterTo(() => undefined),
    );
    return buildContract({ source: 'corrupted', builtIn: false, dialect, written, requirements: [] }, []);
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

describe('a corrupted description', () => {
  it('never crashes the loader, and the rest of it can be used', () => {
    const corruption = fc.record({
      picks: fc.array(fc.nat(200), { minLength: 1, maxLength: 9 }),
      junk: fc.constantFrom(...JUNK),
    });
    fc.assert(
      fc.property(
        fc.array(corruption, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('3.1.0', '3.0.4'),
        fc.nat(300),
        (corruptions, version, pick) => {
          const written = corruptions.reduce<Json>((node, { picks, junk }) => corrupted(node, picks, junk), {
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
  it('of 1,200 operations and 300 schemas is loaded completely', async () => {
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
