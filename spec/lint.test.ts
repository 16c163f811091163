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
    expect(problems.find((item) => item.code === 'responses-missing')).toMatchObject({ line: 9, column: 7 });
  });

  it('names the values of all alternatives at once', async () => {
    const parameters = [{ name: 'q', in: 'qurey', schema: { type: 'string' } }];
    const path = descriptionFile(openapi({ '/a': { get: { parameters, responses: { 200: { description: 'ok' } } } } }));
    const found = (await lintDescription(path)).filter(({ code }) => code === 'invalid');
    expect(found.map(({ message }) => message)).toEqual([
      'Not valid OpenAPI: must be one of path, query, header, cookie.',
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
