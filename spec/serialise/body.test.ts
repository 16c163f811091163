import { expect, test } from 'vitest';
import { isWritable, writeBody } from './body.ts';
import type { Json } from '../json.ts';

async function fieldsOf(type: string, value: Json): Promise<readonly (readonly [string, string])[]> {
  const body = writeBody(type, value);
  const form = await new Response(body.content, { headers: { 'content-type': body.type } }).formData();
  return [...form].map(([name, field]) => [name, typeof field === 'string' ? field : field.name] as const);
}

const VALUE: Json = {
  name: 'a&b=c d+e\u{1F600}',
  count: 3,
  tags: ['x', 'y'],
  flag: true,
  empty: '',
  nested: { a: [1] },
};

test.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
  '%s reads back as it was written',
  async (type) => {
    expect(await fieldsOf(type, { ...(VALUE as Record<string, Json>), nested: 'none' })).toEqual([
      ['name', 'a&b=c d+e\u{1F600}'],
      ['count', '3'],
      ['tags', 'x'],
      ['tags', 'y'],
      ['flag', 'true'],
      ['empty', ''],
      ['nested', 'none'],
    ]);
  },
);

test('what is nested in a multipart form is JSON', async () => {
  expect((await fieldsOf('multipart/form-data', VALUE)).at(-1)).toEqual(['nested', '{"a":[1]}']);
});

test('files of a multipart form have a name', async () => {
  const body = writeBody('multipart/form-data', { note: 'a', scan: 'b', pages: ['c', 'd'] }, ['scan', 'pages']);
  const form = await new Response(body.content, { headers: { 'content-type': body.type } }).formData();
  expect([...form].map(([name, field]) => [name, typeof field === 'string' ? field : field.name])).toEqual([
    ['note', 'a'],
    ['scan', 'assay.bin'],
    ['pages', 'assay.bin'],
    ['pages', 'assay.bin'],
  ]);
});

test('a part that holds the boundary gets another one', async () => {
  expect(await fieldsOf('multipart/form-data', { text: '--assay-part-0\r\n' })).toEqual([
    ['text', '--assay-part-0\r\n'],
  ]);
});

test('text is sent as it is, JSON as JSON', () => {
  expect(writeBody('text/plain', 'a "b"')).toEqual({ type: 'text/plain', content: 'a "b"' });
  expect(writeBody('application/vnd.x+json', 'a "b"').content).toBe(String.raw`"a \"b\""`);
});

test('what cannot be written is told', () => {
  expect(['application/xml', 'text/xml', 'image/png'].filter(isWritable)).toEqual([]);
  expect(
    [
      'application/json',
      'text/json',
      'application/problem+json',
      'multipart/form-data',
      'text/plain',
      'application/octet-stream',
    ].every(isWritable),
  ).toBe(true);
});
