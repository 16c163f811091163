import { expect, it } from 'vitest';
import type { Exchange } from '../spec/index.ts';
import { Judging } from './judging.ts';

it('hides the secret headers of a scenario, also where a response repeats them', async () => {
  const judged: Exchange[] = [];
  const judging = new Judging({
    requests: [{ operation: 'GET /', form: '', method: 'GET', path: '/' }],
    target: { baseUrl: 'http://127.0.0.1', token: 'the-token' },
    contract: { operation: () => undefined },
    judge: (exchange) => {
      judged.push(exchange);
      return [];
    },
  });
  const headers =
    'host: 127.0.0.1\r\nauthorization: Bearer the-token\r\nx-api-key: key-12345\r\ncookie: sid=abcdef\r\nx-page: 7';
  await judging.add([
    {
      request: 0,
      sent: Buffer.from(`GET / HTTP/1.1\r\n${headers}\r\n\r\n`),
      status: 200,
      head: Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nset-cookie: sid=abcdef\r\n\r\n'),
      body: Buffer.from('no such key: key-12345 (the-token)'),
      truncated: false,
      sentAt: 0,
      durationMs: 1,
    },
  ]);
  expect(judged[0]?.request.headers).toEqual({
    authorization: 'Bearer $ASSAY_TOKEN',
    'x-api-key': '$ASSAY_HEADER_X_API_KEY',
    cookie: '$ASSAY_HEADER_COOKIE',
    'x-page': '7',
  });
  const { body, headers: answered } = judged[0]?.response ?? {};
  expect(Buffer.from(body ?? []).toString()).toBe('no such key: $ASSAY_HEADER_X_API_KEY ($ASSAY_TOKEN)');
  expect(JSON.stringify(answered)).not.toContain('abcdef');
});
