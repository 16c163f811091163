import { setTimeout as delay } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { aRequest, raw, serve, targetOf } from '../testing/fixtures.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

test('a GET that meets a closing connection is sent again, a POST is not', async () => {
  const client = targetOf(
    await raw((socket, connection) => {
      if (connection % 2 === 1) socket.resetAndDestroy();
      else socket.end(`${HEAD}Connection: close\r\nContent-Length: 2\r\n\r\n{}`);
    }),
  );
  expect((await client.send(aRequest())).response?.status).toBe(200);
  expect((await client.send(aRequest({ method: 'POST' }))).failure?.kind).toBe('reset');
});

test('a POST is not sent on a connection that has been idle: the server may just be closing it', async () => {
  const lastUse = new WeakMap<Socket, number>();
  const server = await serve(({ socket }, response) => {
    const idleMs = Date.now() - (lastUse.get(socket) ?? Date.now());
    lastUse.set(socket, Date.now());
    if (idleMs >= 200) socket.resetAndDestroy();
    else response.end();
  });
  const client = targetOf(server);
  for (const pauseMs of [250, 10, 250]) {
    expect((await client.send(aRequest({ method: 'POST' }))).response?.status).toBe(200);
    await delay(pauseMs);
  }
  expect((await client.send(aRequest({ method: 'POST' }))).response?.status).toBe(200);
});

test('a POST that meets a closing connection is unclear, and the next ones get connections of their own', async () => {
  const used = new WeakSet<Socket>();
  const closing = await serve(({ socket }, response) => {
    if (used.has(socket)) socket.destroy();
    used.add(socket);
    response.end();
  });
  const client = targetOf(closing);
  const post = async (): Promise<unknown> => {
    await delay(20);
    const { response, failure } = await client.send(aRequest({ method: 'POST' }));
    return response?.status ?? failure;
  };
  expect(await post()).toBe(200);
  expect(await post()).toMatchObject({ kind: 'reset', stage: 'sent', isUnclear: true });
  expect([await post(), await post()]).toEqual([200, 200]);

  const crashing = targetOf(await raw((socket) => socket.destroy()));
  expect((await crashing.send(aRequest({ method: 'POST' }))).failure?.isUnclear).toBe(true);
  expect((await crashing.send(aRequest({ method: 'POST' }))).failure).not.toHaveProperty('isUnclear');
});

test('a POST after a server error is not sent on a connection that the server closes without saying so', async () => {
  const failed = new WeakSet<Socket>();
  const server = await serve(({ socket, method }, response) => {
    if (failed.has(socket)) return socket.resetAndDestroy();
    if (method === 'GET') failed.add(socket);
    return response.writeHead(method === 'GET' ? 500 : 201).end();
  });
  const client = targetOf(server);
  for (let count = 0; count < 3; count += 1) {
    expect((await client.send(aRequest())).response?.status).toBe(500);
    await delay(10);
    expect((await client.send(aRequest({ method: 'POST' }))).response?.status).toBe(201);
  }
});

test('a response that arrived while this process was busy is no timeout', async () => {
  const server = await serve((_request, response) => {
    response.end();
    setImmediate(() => {
      const until = Date.now() + 500;
      while (Date.now() < until);
    });
  });
  const { response } = await targetOf(server, { timeoutMs: 200 }).send(aRequest());
  expect(response?.status).toBe(200);
});
