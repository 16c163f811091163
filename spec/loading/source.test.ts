import { createServer } from 'node:http';
import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayError } from '../errors.ts';
import { OK, descriptionFile, loadPaths, loadWritten, openapi } from '../testing/description-file.ts';
import { loadContract } from './load.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

async function refusal(source: string): Promise<AssayError> {
  const error: unknown = await loadContract(source).catch((error: unknown) => error);
  return error instanceof AssayError ? error : expect.fail(`${source} was loaded, or failed otherwise`);
}

/** Paths with one operation, whose response has that schema. */
const answering = (schema: object): object => ({
  '/a': { get: { responses: { 200: { description: '', content: { 'application/json': { schema } } } } } },
});

let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const url = request.url ?? '';
    if (url === '/openapi.json') response.end(JSON.stringify(openapi({ '/x': { get: { responses: OK } } })));
    else if (url === '/page') response.setHeader('content-type', 'text/html').end('<!DOCTYPE html><html></html>');
    else if (url === '/broken')
      response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy());
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('an unreadable source', () => {
  it.each([
    ['not YAML', 'openapi: 3.0.0\npaths: {a: [}\n', /:2:\d+ is neither JSON nor YAML/],
    ['broken JSON', '{"openapi": "3.0.0",\n "paths": {"a" "b"}}', /:2:16 is not valid JSON: Colon .* expected/],
    ['JSON without a comma', '\uFEFF{"openapi": "3.0.0"\n "paths": {}}', /:2:2 is not valid JSON: Comma .* expected/],
    ['a web page', '<!doctype html><html><body>swagger-ui</body></html>', /web page/],
    ['text', 'hello', /not an OpenAPI description/],
    ['empty', '', /not an OpenAPI description/],
    ['a list', '[1, 2]', /not an OpenAPI description/],
    ['another kind of YAML', 'apiVersion: v1\nkind: Pod\n', /neither the key openapi nor swagger/],
    ['OpenAPI 4', 'openapi: 4.0.0\npaths: {}\n', /OpenAPI 4\.0\.0 \(at #\/openapi\)/],
    ['Swagger 1', 'swagger: "1.2"\npaths: {}\n', /Swagger 1\.2 \(at #\/swagger\)/],
    ['no paths', 'openapi: 3.0.0\ninfo: {title: x, version: "1"}\n', /no paths \(at #\/paths\)/],
    [
      'aliases of aliases',
      `openapi: 3.0.0\npaths: {}\nx0: &x0 [x]\n${Array.from({ length: 9 }, (_, level) => `x${level + 1}: &x${level + 1} [${`*x${level}, `.repeat(9)}]`).join('\n')}\n`,
      /expands to more than 20 million values/,
    ],
    [
      'thousands of levels',
      `{"openapi": "3.0.0", "paths": {}, "x-a": ${'['.repeat(9999)}${']'.repeat(9999)}}`,
      /nested too deeply/,
    ],
    ['an alias within itself', 'openapi: 3.0.0\npaths: {}\nx-a: &a {b: [*a]}\n', /expands to more than/],
    ['paths of the wrong kind', 'openapi: 3.0.0\npaths: [a]\n', /no paths \(at #\/paths\)/],
  ])('%s: message, place, hint and exit code 2', async (_, text, message) => {
    const file = descriptionFile(text);
    const error = await refusal(file);
    expect(error.message).toMatch(message);
    expect(error.message).toContain(file);
    expect(error.exitCode).toBe(2);
    expect(error.hint.length).toBeGreaterThan(10);
  });

  it('reports missing files and URLs', async () => {
    expect((await refusal('/no/such/file.yaml')).message).toBe('There is no file /no/such/file.yaml.');
    expect((await refusal(dirname(descriptionFile('x')))).message).toContain('is a folder');
    expect((await refusal(`${base}/nothing`)).message).toBe(`${base}/nothing returned status 404.`);
    expect((await refusal(`${base}/page`)).message).toContain('is a web page');
    expect((await refusal(`${base}/broken`)).message).toContain('could not be read completely');
    expect((await refusal('http://127.0.0.1:1/openapi.json')).message).toContain('cannot be fetched');
  });
});

describe('a source', () => {
  it('can be a URL', async () => {
    const contract = await loadContract(`${base}/openapi.json`);
    expect(contract.operations.map((item) => item.id)).toEqual(['GET /x']);
    expect(contract.source).toBe(`${base}/openapi.json`);
  });

  it('can be YAML with merge keys, anchors, a byte order mark and dates, or JSON with comments', async () => {
    const yaml =
      '\uFEFFopenapi: 3.0.0\ninfo: {title: T, version: 2026-01-01}\nx-base: &base\n  responses: {200: {description: ok}}\npaths:\n  /a:\n    get:\n      <<: *base\n      summary: s\n';
    const contract = await loadWritten(yaml);
    expect(contract.operations[0]?.responses[0]?.status).toBe('200');
    expect(contract.version).toBe('2026-01-01');
    expect((await loadWritten('{"openapi": "3.0.0", # why\n "paths": {},}')).operations).toEqual([]);
  });

  it('can repeat a key', async () => {
    const contract = await loadWritten(
      'openapi: 3.0.0\npaths:\n  /a: {get: {responses: {200: {description: x}}}}\n  /a: {post: {responses: {200: {description: x}}}}\n',
    );
    expect(contract.operations.map((item) => item.id)).toEqual(['POST /a']);
    expect(contract.problems[0]).toMatchObject({ code: 'duplicate-key', message: 'Line 4 repeats a key.' });
  });

  it('can be split over several files', async () => {
    const parts = descriptionFile({ Thing: { type: 'object', required: ['a'] } }, 'parts.json');
    const main = descriptionFile(openapi(answering({ $ref: './parts.json#/Thing' })), 'main.json');
    expect(dirname(parts)).toBe(dirname(main));
    const contract = await loadContract(main);
    const schema = contract.operations[0]?.responses[0]?.content[0]?.schema;
    expect(schema && contract.validate(schema, {}).map((item) => item.keyword)).toEqual(['required']);
  });

  it('can refer to missing files', async () => {
    const contract = await loadPaths(answering({ $ref: './gone.json#/Thing' }));
    expect(contract.problems.map((item) => item.code)).toEqual(['external-ref']);
    expect(contract.problems[0]?.pointer).toMatch(/\/schema\/\$ref$/);
    expect(contract.operations).toHaveLength(1);
  });

  it('can refer to missing files besides others', async () => {
    descriptionFile({ Thing: { type: 'object', required: ['a'] } }, 'parts.json');
    const paths = {
      '/gone': { $ref: './gone.json' },
      '/here': {
        get: {
          responses: {
            200: { description: 'ok', content: { 'application/json': { schema: { $ref: './parts.json#/Thing' } } } },
          },
        },
      },
      '/own': { $ref: '#/nowhere' },
    };
    const contract = await loadContract(descriptionFile(openapi(paths), 'main.json'));
    const schema = contract.operation('GET /here')?.responses[0]?.content[0]?.schema;
    expect(schema && contract.validate(schema, {}).map((item) => item.keyword)).toEqual(['required']);
    const errors = contract.problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'external-ref /paths/~1gone/$ref',
      'ref /paths/~1own/$ref',
    ]);
  });

  it('can have references in its data, which are not followed', async () => {
    const remote = { $ref: `${base}/nothing` };
    const schema = { properties: { default: { enum: [remote] }, b: { default: remote } }, examples: [remote] };
    const examples = { one: { value: { list: [remote] } } };
    const requestBody = { content: { 'application/json': { schema, examples } } };
    const load = (responses: object) => loadPaths({ '/a': { post: { requestBody, responses } } });
    const contract = await load(OK);
    const file = descriptionFile({ description: '' }, 'fine.json');
    const split = await load({ ...OK, default: { $ref: `./${basename(file)}` } });
    expect([...contract.problems, ...split.problems].filter(({ severity }) => severity !== 'note')).toEqual([]);
    expect(split.operations[0]?.body?.content[0]?.examples).toEqual([{ list: [remote] }]);
    const { schema: read } = split.operations[0]?.body?.content[0] ?? {};
    expect(read?.schema).toMatchObject({ properties: { b: { default: remote } } });
  });

  it('can have a malformed percent sign in a reference', async () => {
    const parameters = { '50% off': { name: 'q', in: 'query', type: 'string' } };
    const swagger = { '/a': { get: { parameters: [{ $ref: '#/parameters/50% off' }], responses: OK } } };
    const old = await loadWritten({ swagger: '2.0', paths: swagger, parameters });
    expect(old.operations[0]?.parameters.map(({ name }) => name)).toEqual(['q']);
    const media = { examples: { one: { $ref: '#/components/examples/50% off' } } };
    const paths = { '/a': { post: { requestBody: { content: { 'application/json': media } }, responses: OK } } };
    const components = { examples: { '50% off': { value: 1 } } };
    const { operations } = await loadPaths(paths, { components });
    expect(operations[0]?.body?.content[0]?.examples).toEqual([1]);
  });

  it('can have a newer version', async () => {
    const contract = await loadPaths({}, { openapi: '3.2.0' });
    expect(contract.problems[0]?.code).toBe('newer-version');
    expect(contract.source).toContain('assay-test-');
  });
});
