import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../client/testing/fixtures.ts';
import { isObject, scalarText } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../spec/index.ts';
import type { Summary } from '../../reports/index.ts';
import { emptyDirectory, runAssay } from '../command/run-assay.ts';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const model = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
});
const BODIES: Readonly<Record<string, JsonObject>> = {
  racks: { name: text, slug: { ...text, pattern: '^[a-z0-9-]+$' } },
  tasks: { title: text, rack_id: { type: 'integer', minimum: 1 } },
  books: { title: text },
  exports: {},
};
const shown = (name: string): JsonObject => ({
  'application/json': { schema: model({ ...BODIES[name], id: { type: 'integer' } }) },
});
const refusals = Object.fromEntries(
  ['400', '404', '405', '409', '415'].map((status) => [status, { description: 'refused' }]),
);
const creation = (name: string, status = 201): JsonObject => ({
  ...(name === 'exports'
    ? {}
    : { requestBody: { required: true, content: { 'application/json': { schema: model(BODIES[name] ?? {}) } } } }),
  responses: { [status]: { description: 'created', content: shown(name) }, ...refusals },
});
const item = (name: string): JsonObject => ({
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
  get: { responses: { 200: { description: 'found', content: shown(name) }, ...refusals } },
  delete: { responses: { 204: { description: 'removed' }, ...refusals } },
});
const rack = item('racks');
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Racks', version: '1' },
  paths: {
    '/racks': { post: creation('racks') },
    '/racks/{id}': rack,
    '/racks/{id}/books': { parameters: rack['parameters'], post: creation('books') },
    '/books/{id}': item('books'),
    '/tasks': { post: creation('tasks') },
    '/tasks/{id}': item('tasks'),
    '/exports': { post: creation('exports', 202) },
    '/exports/{id}': item('exports'),
  },
};

/** A service whose items refer to others: its slugs are unique, and books and tasks belong to racks. */
class Racks {
  readonly items = new Map<string, Json>();
  #last = 0;

  /** `keepsBooks`: deleted books stay. */
  answer(method: string, path: string, sent: Json | undefined, keepsBooks: boolean): [status: number, body?: Json] {
    const add = /^(?:\/racks\/\d+)?\/(racks|books|tasks|exports)$/.exec(path)?.[1];
    if (add !== undefined) return method === 'POST' ? this.#add(add, path, sent) : [405];
    if (method !== 'GET' && method !== 'DELETE') return [405];
    const found = this.items.get(path);
    if (found === undefined) return [404];
    if (method === 'GET') return [200, found];
    if (!keepsBooks || !path.startsWith('/books')) this.items.delete(path);
    return [204];
  }

  #add(name: string, path: string, sent: Json = {}): [status: number, body?: Json] {
    const members = Object.entries(BODIES[name] ?? {});
    const isValid = members.every(([key, schema]) => {
      const value = isObject(sent) ? sent[key] : undefined;
      if ((schema as JsonObject)['type'] === 'integer') return Number.isInteger(value);
      return typeof value === 'string' && value !== '' && value.length <= 60;
    });
    if (!isValid || !isObject(sent)) return [400];
    const parent = name === 'tasks' ? `/racks/${scalarText(sent['rack_id'] ?? '')}` : path.replace(/\/\w+$/, '');
    if (parent !== '' && !this.items.has(parent)) return [name === 'tasks' ? 400 : 404];
    const others = [...this.items.values()].map((each) => (isObject(each) ? each['slug'] : undefined));
    if (name === 'racks' && others.includes(sent['slug'])) return [409];
    const stored = { ...Object.fromEntries(members.map(([key]) => [key, sent[key] ?? null])), id: (this.#last += 1) };
    this.items.set(`/${name}/${this.#last}`, stored);
    return [name === 'exports' ? 202 : 201, stored];
  }
}

async function readJson(request: IncomingMessage): Promise<Json | undefined> {
  try {
    return JSON.parse(Buffer.concat(await request.toArray()).toString()) as Json;
  } catch {
    return undefined;
  }
}

async function verify(keepsBooks: boolean): Promise<{ readonly summary: Summary; readonly left: readonly string[] }> {
  const racks = new Racks();
  const service = await listen(
    createServer((request, response) => {
      void readJson(request).then((sent) => {
        const [status, body] = racks.answer(request.method ?? '', request.url ?? '', sent, keepsBooks);
        const isNew = status === 202 && isObject(body);
        response.writeHead(status, {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(isNew ? { location: `/exports/${scalarText(body['id'] ?? '')}` } : {}),
        });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      });
    }),
  );
  onTestFinished(() => service.close());
  const cwd = emptyDirectory();
  writeFileSync(join(cwd, 'racks.json'), JSON.stringify(DESCRIPTION));
  const words = ['verify', '--spec', 'racks.json', '--base-url', service.url, '--seed', '1', '--depth', 'quick'];
  const { stdout } = await runAssay([...words, '--json'], { cwd });
  return { summary: JSON.parse(stdout) as Summary, left: [...racks.items.keys()] };
}

it('items below others, items that refer to others and items without a body are created, used and removed', async () => {
  const { summary, left } = await verify(false);
  expect(summary.findings.map(({ message, code, operation }) => `${code} ${operation} ${message}`)).toEqual([]);
  expect(summary.reach).toEqual({ reached: 12, of: 12 });
  expect(left).toEqual([]);
});

it('an item that stays after its deletion is found where it was created below another one', async () => {
  const { summary } = await verify(true);
  expect(summary.findings.map(({ code, operation }) => `${code} ${operation}`)).toEqual([
    'deleted-is-gone/readable DELETE /books/{id}',
  ]);
});
