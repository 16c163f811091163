import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { hasCurl, paste } from '../testing/curl.ts';
import { aRequest, targetForAll } from '../testing/fixtures.ts';
import { isWrittenOut, toCurl } from './curl.ts';

const received: string[][] = [];
const target = await targetForAll(
  (request, response) => {
    void buffer(request).then((body) => {
      const boundary = request.headers['content-type']?.split('boundary=')[1] ?? '';
      const parts = body.toString('utf8').split(`--${boundary}`);
      received.push(parts.map((part) => part.replaceAll(/^content-[^:]+/gim, (name) => name.toLowerCase())));
      response.end('{}');
    });
  },
  { tokens: {} },
);

/** A form of parts, each a head and a value. */
const formOf = (...parts: readonly (readonly [head: string, value: string])[]): string =>
  `${parts.map(([head, value]) => `--part\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}\r\n`).join('')}--part--\r\n`;

const send = (content: string): ReturnType<typeof target.send> =>
  target.send(aRequest({ method: 'POST', body: { type: 'multipart/form-data; boundary=part', content } }));

const FORM = formOf(
  ['name="file"', 'an "ordinary" text; with $signs'],
  ['name="at"', '@/etc/hostname'],
  ['name="empty"', ''],
  ['name="meta"\r\ncontent-type: application/json', String.raw`{"a":"b\"c","d":[1,2]}`],
);

test.skipIf(!hasCurl)('curl sends the parts of a form', async () => {
  const exchange = await send(FORM);
  const line = toCurl(exchange);
  expect(isWrittenOut(exchange)).toBe(true);
  expect(line).toContain('--form-string at=@/etc/hostname');
  expect(line).not.toMatch(/base64|boundary/);
  await paste(line);
  expect(received.at(-1)).toEqual(received.at(-2));
});

test('a form with a file, with bytes or without an end is sent as it is', async () => {
  for (const content of [
    formOf(['name="file"; filename="a.txt"', 'text']),
    formOf(['name="file"', 'a\u0000b']),
    FORM.slice(0, -3),
  ]) {
    expect(toCurl(await send(content))).toContain('base64');
  }
});
