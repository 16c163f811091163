import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { TestRecord } from '../../spec/index.ts';
import { runBuilt, testsOf } from '../../suites/testing/built.ts';
import { serve } from '../../client/testing/fixtures.ts';
import { descriptionFile } from '../../spec/testing/description-file.ts';

const FIELDS = {
  type: 'object',
  required: ['title', 'count'],
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 20 },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    tags: { type: 'array', items: { type: 'string', minLength: 1 } },
  },
};
const takes = (type: string, schema: object): object => ({
  post: {
    requestBody: { required: true, content: { [type]: { schema } } },
    responses: { 200: { description: 'taken' } },
  },
});
const LIST = { type: 'array', minItems: 1, maxItems: 3, items: { type: 'integer', minimum: 0, maximum: 9 } };

const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'forms and cookies', version: '1' },
  paths: {
    '/form': takes('application/x-www-form-urlencoded', FIELDS),
    '/parts': takes('multipart/form-data', FIELDS),
    '/text': takes('text/plain', { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' }),
    '/cookie': {
      get: {
        parameters: [
          { name: 'flavour', in: 'cookie', required: true, schema: { type: 'string', enum: ['plain', 'sweet'] } },
          { name: 'count', in: 'cookie', schema: { type: 'integer', minimum: 1, maximum: 3 } },
        ],
        responses: { 200: { description: 'served' } },
      },
    },
    '/matrix/{list}': {
      get: {
        parameters: [{ name: 'list', in: 'path', required: true, style: 'matrix', explode: true, schema: LIST }],
        responses: { 200: { description: 'served' } },
      },
    },
    '/label/{list}': {
      get: {
        parameters: [{ name: 'list', in: 'path', required: true, style: 'label', explode: true, schema: LIST }],
        responses: { 200: { description: 'served' } },
      },
    },
  },
};

interface Seen {
  readonly path: string;
  readonly type: string;
  readonly cookie: string;
  readonly body: Buffer;
}

async function fieldsFit({ type, body }: Seen): Promise<boolean> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => undefined);
  if (form === undefined) return false;
  const [title, count] = [form.get('title'), form.get('count')];
  return typeof title === 'string' && /^[^]{1,20}$/u.test(title) && typeof count === 'string' && /^[1-9]$/.test(count);
}

const FITS: Readonly<Record<string, (seen: Seen) => boolean | Promise<boolean>>> = {
  form: fieldsFit,
  parts: fieldsFit,
  text: ({ body }) => /^[a-z]{2,5}$/.test(body.toString()),
  cookie: ({ cookie }) => /^(?:count=[123]; )?flavour=(?:plain|sweet)(?:; count=[123])?$/.test(cookie),
  matrix: ({ path }) => /^\/matrix\/(?:;list=\d){1,3}(?:\?|$)/.test(path),
  label: ({ path }) => /^\/label\/(?:\.\d){1,3}(?:\?|$)/.test(path),
};

async function watched(): Promise<{ readonly seen: readonly Seen[]; readonly tests: readonly TestRecord[] }> {
  const seen: Seen[] = [];
  const server = await serve((request, response) => {
    void buffer(request).then((body) => {
      const { url: path = '', headers } = request;
      seen.push({ path, type: headers['content-type'] ?? '', cookie: headers.cookie ?? '', body });
      response.writeHead(200).end();
    });
  });
  try {
    const records = await runBuilt({
      baseUrl: server.url,
      specSource: descriptionFile(DESCRIPTION),
      allow: ['read', 'reversible', 'irreversible'],
      only: ['properties/valid-bodies', 'properties/valid-parameters', 'properties/equivalence'],
      runs: 20,
    });
    return { seen, tests: testsOf(records) };
  } finally {
    await server.close();
  }
}

test('forms, texts, cookies and lists in a path are sent as they are described', async () => {
  const { seen, tests } = await watched();
  expect(tests.flatMap((each) => each.findings)).toEqual([]);
  expect(tests.filter(({ suite }) => suite === 'properties/equivalence').map(({ name }) => name)).toEqual([]);
  for (const [name, fits] of Object.entries(FITS)) {
    const sent = seen.filter(({ path }) => path.split(/[/?]/)[1] === name);
    const fitting = await Promise.all(sent.map(async (each) => fits(each)));
    expect(sent.length, name).toBeGreaterThan(5);
    expect(
      sent.filter((_, index) => fitting[index] !== true).map((each) => ({ ...each, body: each.body.toString() })),
      name,
    ).toEqual([]);
  }
});
