import { expect, test } from 'vitest';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Exchange } from '../../spec/index.ts';
import { createTarget } from '../pipeline.ts';
import { answering, aRequest, operation, serve, closeAfterTest, targetServing } from '../testing/fixtures.ts';
import { retryAfterMs } from './retry.ts';

/** Answers with these statuses in turn, then 200. */
function inTurn(statuses: readonly number[], headers: Readonly<Record<string, string>>): RequestListener {
  let next = 0;
  return (_request, response) => {
    const status = statuses[next++];
    response.writeHead(status ?? 200, status === undefined ? {} : headers).end();
  };
}

const sentTo = async (listener: RequestListener, spec = aRequest()): Promise<Exchange> =>
  (await targetServing(listener)).send(spec);

test('a request is repeated after 429 and 503 with Retry-After', async () => {
  const client = await targetServing(inTurn([429, 503, 429], { 'retry-after': '0' }));
  const exchange = await client.send(aRequest({ method: 'POST' }));
  expect(exchange).toMatchObject({ attempts: 4, response: { status: 200 } });
  expect(client.stats).toMatchObject({ exchanges: 1, attempts: 4, repeats: { 'status-429': 2, 'status-503': 1 } });
});

test('after 502 and 504 with Retry-After only a request that changes nothing is repeated', async () => {
  for (const status of [502, 504]) {
    const headers = { 'retry-after': '0' };
    expect(await sentTo(inTurn([status], headers))).toMatchObject({ attempts: 2 });
    const changing = aRequest({ operation: operation({ path: '/things', method: 'POST' }) });
    expect(await sentTo(inTurn([status], headers), changing)).toMatchObject({ attempts: 1, response: { status } });
  }
});

test('without Retry-After, 429 is repeated and 503 is not', async () => {
  expect(await sentTo(inTurn([429], {}))).toMatchObject({ attempts: 2, response: { status: 200 } });
  expect(await sentTo(inTurn([503], {}))).toMatchObject({ attempts: 1, response: { status: 503 } });
});

test('503 as a web page, with which a gateway limits rates, is repeated without Retry-After', async () => {
  const page = { 'content-type': 'text/html; charset=utf-8' };
  const client = await targetServing(inTurn([503, 503], page));
  expect(await client.send(aRequest({ method: 'POST' }))).toMatchObject({ attempts: 3, response: { status: 200 } });
  expect(client.stats).toMatchObject({ repeats: { 'status-503': 2 } });
  expect(await sentTo(inTurn([502, 502], page))).toMatchObject({ attempts: 1 });
});

test('a response that asks for too long a wait, or that never changes, is returned', async () => {
  const tooLong = inTurn([429], { 'retry-after': '3600' });
  expect(await sentTo(tooLong)).toMatchObject({ attempts: 1, response: { status: 429 } });
  const never = await targetServing(answering(429, '', { 'retry-after': '0' }), { retry: { patienceMs: 100 } });
  const exchanges = await Promise.all(Array.from({ length: 20 }, () => never.send(aRequest())));
  expect(exchanges.every((exchange) => exchange.response?.status === 429)).toBe(true);
  const down = answering(503, '', { 'retry-after': '0' });
  expect(await sentTo(down)).toMatchObject({ attempts: 5, response: { status: 503 } });
});

test('under a strict rate limit every request gets its response', async () => {
  let served = 0;
  const timer = setInterval(() => {
    served = 0;
  }, 250);
  closeAfterTest({ close: () => clearInterval(timer) });
  let refused = 0;
  const client = await targetServing((_request, response) => {
    if (++served <= 10) {
      response.end();
      return;
    }
    refused += 1;
    response.writeHead(429, { 'retry-after': '0.25' }).end();
  });
  const exchanges = await Promise.all(Array.from({ length: 40 }, () => client.send(aRequest())));
  expect(exchanges.filter((exchange) => exchange.response?.status !== 200)).toEqual([]);
  expect(refused).toBeLessThan(200);
  expect(client.stats.waitedMs['status-429']).toBeGreaterThan(0);
});

test('closing a target ends the waiting', async () => {
  const client = await targetServing(answering(429, '', { 'retry-after': '20' }));
  const pending = client.send(aRequest());
  setTimeout(() => void client.close(), 50);
  expect((await pending).failure?.kind).toBe('aborted');
});

test('a maximum rate is kept', async () => {
  const client = await targetServing(answering(200), { maxRate: 100 });
  const begun = performance.now();
  await Promise.all(Array.from({ length: 31 }, () => client.send(aRequest())));
  expect(performance.now() - begun).toBeGreaterThan(290);
});

test('a reset connection: GET is sent again, POST, PUT, PATCH and DELETE are not', async () => {
  const received: string[] = [];
  const client = await targetServing((request) => {
    received.push(request.method ?? '');
    request.resume().on('end', () => request.socket.resetAndDestroy());
  });
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const exchange = await client.send(aRequest({ method, json: {} }));
    expect(exchange).toMatchObject({ attempts: 1, failure: { kind: 'reset', stage: 'sent' } });
  }
  expect(received).toEqual(['POST', 'PUT', 'PATCH', 'DELETE']);
  expect(await client.send(aRequest())).toMatchObject({ attempts: 4, failure: { kind: 'reset' } });
  expect(client.stats).toMatchObject({
    repeats: { reset: 3 },
    operations: [{ operation: 'GET /things', attempts: 8, repeats: { reset: 3 } }],
  });
});

test('a time-out is never followed by a repeat', async () => {
  let received = 0;
  const client = await targetServing(() => (received += 1), { timeoutMs: 50 });
  expect(await client.send(aRequest())).toMatchObject({ attempts: 1, failure: { kind: 'timeout', stage: 'sent' } });
  expect(received).toBe(1);
});

test('a refused connection is tried again for a POST too: nothing was sent', async () => {
  const server = await serve(() => undefined);
  await server.close();
  const client = createTarget({ baseUrl: server.url });
  closeAfterTest(client);
  const pending = client.send(aRequest({ method: 'POST' }));
  setTimeout(() => closeAfterTest(createServer(answering(200)).listen(server.port, '127.0.0.1')), 300);
  expect(await pending).toMatchObject({ response: { status: 200 } });
  expect(client.stats.repeats['not-connected']).toBeGreaterThan(0);
});

const response = (...headers: [string, string][]) => ({
  status: 429,
  headers,
  body: new Uint8Array(),
  truncated: false,
});

test('Retry-After is seconds or a date, by the clock of the response', () => {
  const now = Date.parse('Sat, 01 Jan 2022 00:00:00 GMT');
  expect(retryAfterMs(response(['retry-after', '2']), now)).toBe(2_000);
  expect(retryAfterMs(response(['retry-after', 'Sat, 01 Jan 2022 00:00:03 GMT']), now)).toBe(3_000);
  expect(
    retryAfterMs(
      response(['retry-after', 'Sat, 01 Jan 2022 00:01:03 GMT'], ['date', 'Sat, 01 Jan 2022 00:01:00 GMT']),
      now,
    ),
  ).toBe(3_000);
  expect(retryAfterMs(response(['retry-after', 'Sat, 01 Jan 2000 00:00:00 GMT']), now)).toBe(0);
  expect(retryAfterMs(response(['retry-after', '-1']), now)).toBeUndefined();
  expect(retryAfterMs(response(['retry-after', 'soon']), now)).toBeUndefined();
  expect(retryAfterMs(response(), now)).toBeUndefined();
});
