import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../client/testing/fixtures.ts';
import type { Summary } from '../../reports/index.ts';
import { emptyDirectory, runAssay } from '../command/run-assay.ts';

const parameter = (name: string, schema: object): object => ({ name, in: 'path', required: true, schema });
const [SHOP, BOOK] = [parameter('shop', { type: 'string' }), parameter('book', { type: 'integer' })];
const ANSWERS = { responses: { 200: { description: 'ok' }, 404: { description: 'none' } } };
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Books', version: '1' },
  paths: {
    '/shops': { get: ANSWERS },
    '/shops/{shop}/books': { parameters: [SHOP], get: ANSWERS },
    '/shops/{shop}/books/{book}': { parameters: [SHOP, BOOK], get: ANSWERS },
  },
};

it.each([
  [404, []],
  [500, ['no-server-error/status GET /shops/{shop}/books/{book}']],
])('an unknown item below a known one that is answered with %i: %j', async (status, findings) => {
  const known: Readonly<Record<string, object>> = {
    '/shops': [{ id: 'north' }],
    '/shops/north/books': [{ id: 12 }],
    '/shops/north/books/12': { id: 12 },
  };
  const server = createServer(({ url = '' }, response) => {
    const isBook = /^\/shops\/north\/books\/\d+$/.test(url);
    response.writeHead(url in known ? 200 : isBook ? status : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known[url] ?? {}));
  });
  const service = await listen(server);
  onTestFinished(() => service.close());
  const cwd = emptyDirectory();
  writeFileSync(join(cwd, 'books.json'), JSON.stringify(DESCRIPTION));
  const words = ['verify', '--spec', 'books.json', '--base-url', service.url, '--only', 'contract/ids', '--json'];
  const { stdout } = await runAssay(words, { cwd });
  const { findings: found } = JSON.parse(stdout) as Summary;
  expect(found.map(({ code, operation }) => `${code} ${operation}`)).toEqual(findings);
});
