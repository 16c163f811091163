import { expect, it } from 'vitest';
import type { Answer, Received } from '../../client/testing/json-service.ts';
import { isObject } from '../../spec/index.ts';
import type { JsonObject } from '../../spec/index.ts';
import { codesIn, QUICK, verifySmall } from './verify-small.ts';

const STATES = ['open', 'closed'];
const TASK = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', minLength: 1 },
    state: { type: 'string', enum: STATES },
    size: { type: 'integer', minimum: 1 },
  },
};
const content = { 'application/json': { schema: TASK } };
const requestBody = { required: true, content };
const answers = (status: number, schema?: object): object => ({
  responses: {
    [status]: { description: 'ok', ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }) },
    400: { description: 'no' },
    404: { description: 'no' },
  },
});
const ids = (...names: readonly string[]): object => ({
  parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'integer' } })),
});
const query = (name: string, schema: object): object => ({ name, in: 'query', schema });
const PARAMETERS = [
  query('limit', { type: 'integer', minimum: 1 }),
  query('offset', { type: 'integer', minimum: 0 }),
  query('state', { type: 'string', enum: STATES }),
  query('max_size', { type: 'integer' }),
];
const list = { parameters: PARAMETERS, ...answers(200, { type: 'array', items: TASK }) };
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Projects', version: '1' },
  paths: {
    '/projects': { post: { requestBody, ...answers(201, TASK) } },
    '/projects/{id}': { ...ids('id'), get: answers(200, TASK), delete: answers(204) },
    '/projects/{id}/tasks': { ...ids('id'), get: list, post: { requestBody, ...answers(201, TASK) } },
    '/projects/{id}/tasks/{taskId}': {
      ...ids('id', 'taskId'),
      get: answers(200, TASK),
      put: { requestBody, ...answers(200, TASK) },
      delete: answers(204),
    },
    '/projects/{id}/tasks/{taskId}/notes': {
      ...ids('id', 'taskId'),
      get: answers(200, { type: 'array', items: TASK }),
      post: { requestBody, ...answers(201, TASK) },
    },
    '/projects/{id}/tasks/{taskId}/notes/{noteId}': { ...ids('id', 'taskId', 'noteId'), delete: answers(204) },
  },
};

const FOUND = {
  'other-project': 'created-reads-back/other-parent GET /projects/{id}/tasks/{taskId}',
  'other-list': 'created-reads-back/other-parent GET /projects/{id}/tasks',
  'update-lost': 'updated-reads-back/member PUT /projects/{id}/tasks/{taskId}',
  stays: 'deleted-is-gone/readable DELETE /projects/{id}/tasks/{taskId}',
  'notes-stay': 'deleted-is-gone/listed DELETE /projects/{id}/tasks/{taskId}/notes/{noteId}',
  'pages-overlap': 'paging-partition/item-twice GET /projects/{id}/tasks',
  'state-ignored': 'filters/wrongly-found GET /projects/{id}/tasks',
  'size-ignored': 'filters/wrongly-found GET /projects/{id}/tasks',
} as const;

type Defect = keyof typeof FOUND;

/** Defects that do not hide each other: a run for each would take a minute more. */
const TOGETHER: readonly (readonly Defect[])[] = [
  ['update-lost', 'pages-overlap', 'notes-stay'],
  ['stays', 'state-ignored', 'other-project'],
  ['other-list', 'size-ignored'],
];

/** Items by their paths. */
class Projects {
  readonly items = new Map<string, JsonObject>();
  readonly #defects: readonly Defect[];
  #last = 0;

  constructor(...defects: readonly Defect[]) {
    this.#defects = defects;
  }

  #has(defect: Defect): boolean {
    return this.#defects.includes(defect);
  }

  answer({ method, path, query, sent }: Received): Answer {
    const parent = path.replace(/\/[a-z]+$/, '');
    if (parent !== path && parent !== '' && !this.items.has(parent)) return { status: 404 };
    if (method === 'GET' && /\/(?:tasks|notes)$/.test(path)) return this.#list(path, query);
    const task = isObject(sent) ? sent : {};
    const isValid = typeof task['title'] === 'string' && task['title'] !== '';
    const { state = 'open', size = 1 } = task;
    if ((method === 'POST' || method === 'PUT') && !isValid) return { status: 400 };
    if (!STATES.includes(state as string) || !Number.isInteger(size) || Number(size) < 1) return { status: 400 };
    const stored = { title: task['title'] ?? '', state, size };
    if (method === 'POST') {
      this.#last += 1;
      this.items.set(`${path}/${this.#last}`, { ...stored, id: this.#last });
      return { status: 201, json: { ...stored, id: this.#last } };
    }
    const key = this.#has('other-project') ? this.#anywhere(path) : path;
    const found = this.items.get(key);
    if (found === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, json: found };
    if (method === 'PUT') {
      if (!this.#has('update-lost')) this.items.set(key, { ...found, ...stored });
      return { status: 200, json: { ...found, ...stored } };
    }
    const isKept =
      (this.#has('stays') && /\/tasks\/\d+$/.test(path)) || (this.#has('notes-stay') && /\/notes\/\d+$/.test(path));
    if (!isKept)
      for (const each of this.items.keys()) if (each === path || each.startsWith(`${path}/`)) this.items.delete(each);
    return { status: 204 };
  }

  #anywhere(path: string): string {
    const end = /\/tasks\/\d+$/.exec(path)?.[0];
    return [...this.items.keys()].find((each) => end !== undefined && each.endsWith(end)) ?? path;
  }

  #list(path: string, query: URLSearchParams): Answer {
    const [limit, offset, size] = ['limit', 'offset', 'max_size'].map((name) => Number(query.get(name) ?? 0)) as [
      number,
      number,
      number,
    ];
    const state = query.get('state');
    const isWrong = [limit, offset, size].some((each) => !Number.isInteger(each)) || limit < 0 || offset < 0;
    if (isWrong || (state !== null && !STATES.includes(state)) || (query.has('limit') && limit < 1))
      return { status: 400, json: {} };
    const isIn = (key: string): boolean =>
      this.#has('other-list') && path.endsWith('/tasks')
        ? /\/tasks\/\d+$/.test(key)
        : /^\/\d+$/.test(key.slice(path.length));
    const all = [...this.items].filter(
      ([key, task]) =>
        isIn(key) &&
        ((this.#has('other-list') && path.endsWith('/tasks')) || key.startsWith(path)) &&
        (state === null || this.#has('state-ignored') || task['state'] === state) &&
        (!query.has('max_size') || this.#has('size-ignored') || Number(task['size']) <= size),
    );
    const start = this.#has('pages-overlap') && offset > 0 ? offset - 1 : offset;
    return { status: 200, json: all.map(([, task]) => task).slice(start, limit === 0 ? undefined : start + limit) };
  }
}

it('items below others, also on two levels, are created, used and removed', async () => {
  const projects = new Projects();
  const { findings, reach } = await verifySmall(DESCRIPTION, (received) => projects.answer(received), ...QUICK);
  expect(findings.map(({ message, code, operation }) => `${code} ${operation} ${message}`)).toEqual([]);
  expect(reach).toEqual({ reached: 11, of: 11 });
  expect(projects.items.size).toBe(0);
});

it.each(TOGETHER.map((defects) => [defects.join(', '), defects] as const))(
  'defects of items below others are found: %s',
  async (_title, defects) => {
    const projects = new Projects(...defects);
    const summary = await verifySmall(DESCRIPTION, (received) => projects.answer(received), ...QUICK);
    expect(new Set(codesIn(summary))).toEqual(new Set(defects.map((defect) => FOUND[defect])));
  },
);
