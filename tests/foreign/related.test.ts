import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Answer, Received } from '../../client/testing/json-service.ts';
import { isObject, scalarText } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../spec/index.ts';
import { codesIn, QUICK, verifySmall } from './verify-small.ts';

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
  ['400', '404', '405', '409', '412', '415'].map((status) => [status, { description: 'refused' }]),
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
const ifMatch = (required: boolean): JsonObject => ({
  parameters: [{ name: 'If-Match', in: 'header', required, schema: { type: 'string' } }],
});
const rack: JsonObject = {
  ...item('racks'),
  put: { ...creation('racks', 200), ...ifMatch(true) },
  delete: { responses: { 204: { description: 'removed' }, ...refusals }, ...ifMatch(false) },
  patch: {
    requestBody: { content: { 'application/merge-patch+json': { schema: { properties: BODIES['racks'] ?? {} } } } },
    responses: { 200: { description: 'patched', content: shown('racks') }, ...refusals },
  },
};
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Racks', version: '1' },
  paths: {
    '/racks': { post: creation('racks') },
    '/racks/{id}': rack,
    '/racks/{id}/books': { parameters: rack['parameters'] ?? [], post: creation('books') },
    '/books/{id}': item('books'),
    '/tasks': { post: creation('tasks') },
    '/tasks/{id}': item('tasks'),
    '/exports': { post: creation('exports', 202) },
    '/exports/{id}': item('exports'),
  },
};

const FOUND = {
  'books-stay': 'deleted-is-gone/readable DELETE /books/{id}',
  'version-ignored': 'updated-reads-back/stale-version PUT /racks/{id}',
  'any-version-deleted': 'updated-reads-back/stale-version DELETE /racks/{id}',
  'patch-ignored': 'updated-reads-back/member PATCH /racks/{id}',
} as const;

type Defect = keyof typeof FOUND;

const etagOf = (item: Json): string => `"${createHash('sha1').update(JSON.stringify(item)).digest('hex')}"`;

const shownAs = (status: number, item: Json): Answer => ({ status, json: item, headers: { etag: etagOf(item) } });

function isValid(name: string, sent: JsonObject): boolean {
  const members = Object.entries(BODIES[name] ?? {});
  return members.every(([key, schema]) => {
    const value = sent[key];
    if ((schema as JsonObject)['type'] === 'integer') return Number.isInteger(value);
    return typeof value === 'string' && value !== '' && value.length <= 60;
  });
}

/** The members that the service knows. */
function known(name: string, sent: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sent).filter(([key]) => Object.hasOwn(BODIES[name] ?? {}, key)));
}

/** A service whose items refer to others: its slugs are unique, and books and tasks belong to racks. */
class Racks {
  readonly items = new Map<string, Json>();
  #last = 0;

  readonly #defects: readonly Defect[];

  constructor(...defects: readonly Defect[]) {
    this.#defects = defects;
  }

  #has(defect: Defect): boolean {
    return this.#defects.includes(defect);
  }

  answer({ method, path, headers, sent }: Received): Answer {
    const add = /^(?:\/racks\/\d+)?\/(racks|books|tasks|exports)$/.exec(path)?.[1];
    if (add !== undefined) return method === 'POST' ? this.#add(add, path, sent) : { status: 405 };
    const isUpdate = ['PUT', 'PATCH'].includes(method) && path.startsWith('/racks');
    if (method !== 'GET' && method !== 'DELETE' && !isUpdate) return { status: 405 };
    const found = this.items.get(path);
    if (found === undefined) return { status: 404 };
    if (method === 'GET') return shownAs(200, found);
    if (method === 'PUT') return this.#replace(path, found, sent, headers['if-match']);
    if (method === 'PATCH') return this.#patch(path, found, sent);
    const isOther = path.startsWith('/racks') && ![undefined, etagOf(found)].includes(headers['if-match']);
    if (isOther && !this.#has('any-version-deleted')) return { status: 412 };
    if (!this.#has('books-stay') || !path.startsWith('/books')) this.items.delete(path);
    return { status: 204 };
  }

  #replace(path: string, found: Json, sent: Json | undefined, version: string | undefined): Answer {
    if (!isObject(sent) || !isValid('racks', sent)) return { status: 400 };
    if (version !== etagOf(found) && !this.#has('version-ignored')) return { status: 412 };
    const stored = { ...known('racks', sent), id: isObject(found) ? (found['id'] ?? 0) : 0 };
    this.items.set(path, stored);
    return shownAs(200, stored);
  }

  #patch(path: string, found: Json, sent: Json | undefined): Answer {
    if (!isObject(sent) || !isObject(found)) return { status: 400 };
    const patched = { ...found, ...known('racks', sent) };
    return this.#has('patch-ignored') ? shownAs(200, found) : this.#replace(path, found, patched, etagOf(found));
  }

  #add(name: string, path: string, sent: Json = {}): Answer {
    if (!isObject(sent) || !isValid(name, sent)) return { status: 400 };
    const parent = name === 'tasks' ? `/racks/${scalarText(sent['rack_id'] ?? '')}` : path.replace(/\/\w+$/, '');
    if (parent !== '' && !this.items.has(parent)) return { status: name === 'tasks' ? 400 : 404 };
    const others = [...this.items.values()].map((each) => (isObject(each) ? each['slug'] : undefined));
    if (name === 'racks' && others.includes(sent['slug'])) return { status: 409 };
    const stored = { ...known(name, sent), id: (this.#last += 1) };
    this.items.set(`/${name}/${this.#last}`, stored);
    const shown = shownAs(name === 'exports' ? 202 : 201, stored);
    return name === 'exports' ? { ...shown, headers: { ...shown.headers, location: `/exports/${this.#last}` } } : shown;
  }
}

it('items below others, items that refer to others and items without a body are created, used and removed', async () => {
  const racks = new Racks();
  const { findings, reach } = await verifySmall(DESCRIPTION, (received) => racks.answer(received), ...QUICK);
  expect(findings.map(({ message, code, operation }) => `${code} ${operation} ${message}`)).toEqual([]);
  expect(reach).toEqual({ reached: 14, of: 14 });
  expect([...racks.items.keys()]).toEqual([]);
});

it('defects of such items are found; items that cannot be removed are not created again', async () => {
  const racks = new Racks('books-stay', 'version-ignored', 'any-version-deleted', 'patch-ignored');
  const summary = await verifySmall(DESCRIPTION, (received) => racks.answer(received), ...QUICK);
  expect(new Set(codesIn(summary))).toEqual(new Set(Object.values(FOUND)));
  expect(racks.items.size).toBe(1);
});
