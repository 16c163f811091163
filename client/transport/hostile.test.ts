import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answering, aRequest, raw, serve, closeAfterTest, targetOf, targetServing } from '../testing/fixtures.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

test('a response comes as bytes and parsed', async () => {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Twice': ['a', 'b'] };
  const exchange = await (await targetServing(answering(200, '{"lone":"\\ud800","n":1}', headers))).send(aRequest());
  expect(exchange.response).toMatchObject({
    status: 200,
    mediaType: 'application/json',
    truncated: false,
    json: { lone: '\ud800', n: 1 },
  });
  expect(exchange.response?.headers.filter(([name]) => name === 'x-twice')).toEqual([
    ['x-twice', 'a'],
    ['x-twice', 'b'],
  ]);
  expect(exchange).toMatchObject({ operation: 'GET /things', form: '/api', attempts: 1 });
});

test('a large value is parsed again on demand, with the same result', async () => {
  const items = Array.from({ length: 60_000 }, (_, id) => ({ id }));
  const { response } = await (await targetServing(answering(200, JSON.stringify(items), JSON_TYPE))).send(aRequest());
  expect(response?.json).toEqual(items);
  expect({ ...response }.json).toEqual(items);
});

test('an endless body is read up to the limit', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, JSON_TYPE);
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(4096)));
    };
    response.on('drain', pour);
    pour();
  });
  const { response } = await targetOf(server, { maxBodyBytes: 100_000 }).send(aRequest());
  expect(response?.body.byteLength).toBe(100_000);
  expect(response).toMatchObject({
    truncated: true,
    endless: true,
    jsonError: 'longer than 100000 bytes; the rest was not read',
  });
});

test.each([{ 'content-length': '150000' }, {}])(
  'a long body that ends is cut, and not called endless: %j',
  async (headers) => {
    const server = await serve(answering(200, 'x'.repeat(150_000), { ...JSON_TYPE, ...headers }));
    const { response } = await targetOf(server, { maxBodyBytes: 100_000 }).send(aRequest());
    expect(response?.body.byteLength).toBe(100_000);
    expect(response?.truncated).toBe(true);
    expect(response?.endless).toBeUndefined();
  },
);

test('a compression bomb is decoded up to the limit, in several layers too', async () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(50_000_000, 0x20)));
  const server = await serve(answering(200, bomb, { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' }));
  const { response } = await targetOf(server, { maxBodyBytes: 100_000 }).send(aRequest());
  expect(response?.body.byteLength).toBe(100_000);
  expect(response).toMatchObject({ truncated: true, endless: true });
});

test('each content-encoding is decoded, and a wrong one is an error', async () => {
  const zipped = (body: string | Buffer) => answering(200, body, { ...JSON_TYPE, 'content-encoding': 'gzip' });
  const [gzip, liar] = [await targetServing(zipped(gzipSync('[1]'))), await targetServing(zipped('[1]'))];
  expect((await gzip.send(aRequest())).response?.json).toEqual([1]);
  expect((await liar.send(aRequest())).response?.jsonError).toContain('not gzip as its Content-Encoding says');
});

test('a slow response and silence end at the time limit', async () => {
  const drip = await raw((socket) => {
    socket.write(`${HEAD}Content-Length: 9999\r\n\r\n`);
    const timer = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const silent = await raw(() => {});
  const [first, second] = await Promise.all(
    [drip, silent].map((server) => targetOf(server, { timeoutMs: 150 }).send(aRequest())),
  );
  expect(first?.failure?.kind).toBe('timeout');
  expect(first?.failure?.message).toMatch(
    /no complete response within 0.15 s, after status 200 and \d+ bytes of the body/,
  );
  expect(second?.failure).toEqual({
    kind: 'timeout',
    message: 'no complete response within 0.15 s, after the request was sent and before any response',
    stage: 'sent',
  });
});

test('a stream of events, which need not end, is a response with its first events', async () => {
  let timer: NodeJS.Timeout | undefined;
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    timer = setInterval(() => response.write('data: tick\n\n'), 100);
  });
  const { response } = await targetOf(server).send(aRequest());
  clearInterval(timer);
  expect(response).toMatchObject({ status: 200, truncated: true });
  expect(Buffer.from(response?.body ?? []).toString()).toMatch(/^(data: tick\n\n){2,}$/);
});

test('a response with 100,000 headers is a failure', async () => {
  const server = await raw((socket) => socket.write(`${HEAD}${'a: b\r\n'.repeat(100_000)}\r\n{}`));
  expect((await targetOf(server).send(aRequest())).failure?.kind).toBe('protocol');
});

test('wrong lengths, truncated responses and garbage are failures with a reason', async () => {
  const behaviours: Readonly<Record<string, (socket: Socket) => void>> = {
    'protocol: short': (socket) => socket.end(`${HEAD}Content-Length: 100\r\n\r\n{"a":`),
    'protocol: length': (socket) => socket.end(`${HEAD}Content-Length: many\r\n\r\n{}`),
    'protocol: two lengths': (socket) => socket.end(`${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`),
    'protocol: chunk': (socket) => socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`),
    'protocol: rubbish': (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    'protocol: upgrade': (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    'protocol: no upgrade': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    'protocol: interim': (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000)),
    'reset: mid': (socket) =>
      socket.write(`${HEAD}Content-Length: 100\r\n\r\n{"a":`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
    'reset: at once': (socket) => socket.resetAndDestroy(),
    'reset: closed': (socket) => socket.end(),
  };
  for (const [name, behaviour] of Object.entries(behaviours)) {
    const { failure } = await targetOf(await raw(behaviour), { timeoutMs: 2_000 }).send(aRequest());
    expect(`${name.split(':')[0]} (${name})`).toBe(`${failure?.kind} (${name})`);
    expect(failure?.message).not.toBe('');
  }
});

test('endless nesting, invalid UTF-8 and an empty body are JSON errors, deep nesting alone is not', async () => {
  const bodies: readonly (readonly [Buffer, string | undefined])[] = [
    [Buffer.from('['.repeat(8_000_000)), 'nested deeper than 100000 levels; not parsed'],
    [Buffer.from('{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000)), undefined],
    [Buffer.from('['.repeat(1_000)), 'Unexpected end of JSON input'],
    [Buffer.from([0x22, 0xff, 0x22]), 'the body is not valid UTF-8'],
    [Buffer.alloc(0), 'the body is empty'],
  ];
  let next = 0;
  const server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/json' }).end(bodies[next]?.[0]),
  );
  const client = targetOf(server);
  for (; next < bodies.length; next++)
    expect((await client.send(aRequest())).response?.jsonError).toBe(bodies[next]?.[1]);
});

test('objects and lists are JSON under any type of text, or without a type; other texts and files are not', async () => {
  let [type, body] = ['', ''];
  const server = await serve((_request, response) =>
    response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body),
  );
  const client = targetOf(server);
  const received = async (...given: readonly [string, string]) => {
    [type, body] = given;
    const { json, jsonError } = (await client.send(aRequest())).response ?? {};
    return [json, jsonError];
  };
  expect(await received('text/html', '{"a":1}')).toEqual([{ a: 1 }, undefined]);
  expect(await received('', '[1]')).toEqual([[1], undefined]);
  expect(await received('text/html', '{not JSON')).toEqual([undefined, undefined]);
  expect(await received('text/plain', '1')).toEqual([undefined, undefined]);
  expect(await received('application/octet-stream', '{"a":1}')).toEqual([undefined, undefined]);
});

test('a redirect is a response and is not followed', async () => {
  let visits = 0;
  const elsewhere = await serve((_request, response) => {
    visits += 1;
    response.end();
  });
  closeAfterTest(elsewhere);
  const server = await serve(answering(302, '', { location: `${elsewhere.url}/login` }));
  const exchange = await targetOf(server, { tokens: { full: 'a-secret-token' } }).send(aRequest());
  expect(exchange.response?.status).toBe(302);
  expect(visits).toBe(0);
});

test('closing a target ends what is under way', async () => {
  const client = targetOf(await raw(() => {}));
  const pending = client.send(aRequest({ method: 'POST' }));
  setTimeout(() => void client.close(), 30);
  expect((await pending).failure?.kind).toBe('aborted');
  expect((await client.send(aRequest())).failure?.kind).toBe('aborted');
});
