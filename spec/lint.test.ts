import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { descriptionFile, openapi } from './testing/description-file.ts';
import { lintDescription } from './lint.ts';

async function lines(content: unknown): Promise<readonly string[]> {
  const problems = await lintDescription(descriptionFile(content));
  return problems.map((item) => `${item.severity} ${item.code} ${item.line}:${item.column} ${item.pointer}`);
}

describe('lintDescription', () => {
  it('finds no problem in the built-in description', async () => {
    expect(await lintDescription()).toEqual([]);
  });

  it('lists the worst first, each with its line', async () => {
    const yaml = [
      'openapi: 3.0.0',
      'info: {title: T, version: "1"}',
      'paths:',
      '  /things/{id}:',
      '    get:',
      '      parameters:',
      '        - {name: ID, in: path, required: true, schema: {type: int}}',
      '      responses:',
      '        "200":',
      '          description: ok',
      '          content:',
      '            application/json:',
      '              schema: {$ref: "#/components/schemas/Gone"}',
    ].join('\n');
    const problems = await lines(yaml);
    expect(problems.slice(0, 3)).toEqual([
      'error ref 13:24 /paths/~1things~1{id}/get/responses/200/content/application~1json/schema/$ref',
      'warning type 7:57 /paths/~1things~1{id}/get/parameters/0/schema/type',
      'note path-parameter-case 7:11 /paths/~1things~1{id}/get/parameters/0',
    ]);
  });

  it('finds lines in JSON as well', async () => {
    const text = JSON.stringify(openapi({ '/a': { get: { responses: {} } } }), undefined, 2);
    const problems = await lintDescription(descriptionFile(text));
    expect(problems.find((item) => item.code === 'responses-missing')).toMatchObject({ line: 10, column: 9 });
  });

  it('finds lines in JSON with brackets and quotes in its texts', async () => {
    const summary = 'a "}", {[:, and \\';
    const text = `\uFEFF{"openapi": "3.0.0", "info": {"title": ${JSON.stringify(summary)}, "version": "1"},
      "paths": {"/a": {"get": {"tags": ["]", "\\"}"],
        "responses": {}}}}}`;
    expect(await lines(text)).toEqual(['warning responses-missing 3:9 /paths/~1a/get/responses']);
  });

  it.each<[string, object, readonly string[]]>([
    ['no valid place', { in: 'qurey' }, ['q has no valid "in".']],
    [
      'another value in one alternative',
      { in: 'query', style: 'simple' },
      ['A query parameter cannot have the style simple.'],
    ],
    [
      'a property that is missing',
      { in: 'query', schema: undefined },
      ['Not valid OpenAPI: must have the property schema or content.'],
    ],
    [
      'a property that is not allowed',
      { in: 'query', sort: 1 },
      ['Not valid OpenAPI: must not have the property sort.'],
    ],
    ['a wrong value', { in: 'query', schema: { type: 'text' } }, ['There is no type "text".']],
  ])('names the problem of a parameter once: %s', async (_, change, expected) => {
    const parameters = [{ name: 'q', schema: { type: 'string' }, ...change }];
    const path = descriptionFile(openapi({ '/a': { get: { parameters, responses: { 200: { description: 'ok' } } } } }));
    expect((await lintDescription(path)).map(({ message }) => message)).toEqual(expected);
  });

  it('names what a security scheme lacks, not those it is not', async () => {
    const schemes = { a: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' }, b: { type: 'apiKey', in: 'header' } };
    const paths = { '/a': { get: { responses: { 200: { description: 'ok' } } } } };
    const written = openapi(paths, { components: { securitySchemes: schemes }, security: [{ a: [], b: [] }] });
    const found = (await lintDescription(descriptionFile(written))).filter(({ code }) => code === 'invalid');
    expect(found.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/components/securitySchemes/b Not valid OpenAPI: must have the property name.',
    ]);
  });

  it('reports what is not valid OpenAPI but can be loaded', async () => {
    const path = descriptionFile(
      openapi({ '/a': { get: { responses: { 200: { description: 'ok' } }, operation: true, tags: 'x' } } }),
    );
    const problems = await lintDescription(path);
    expect(problems.map((item) => item.code)).toContain('invalid');
    expect(problems.every((item) => basename(item.file) === basename(path))).toBe(true);
  });
});
