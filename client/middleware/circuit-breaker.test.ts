import { afterAll, expect, test } from 'vitest';
import { createTarget } from '../index.ts';
import type { Target } from '../index.ts';
import { loadContract } from '../../spec/index.ts';
import { serve } from '../testing/fixtures.ts';

const contract = await loadContract();
const operation = (id: string) => contract.operation(id) ?? expect.fail(id);
const [SILENT, FINE] = [operation('GET /aijobskills'), operation('GET /aijob')];

/** Answers nothing but what is asked of `/aijob`, which it may be told to leave out as well. */
const server = await serve((request, response) => {
  if (request.url?.endsWith('/aijob') === true && !isDead) response.end('[]');
});
let isDead = false;

afterAll(server.close);

const open = (): Target => createTarget({ baseUrl: server.url, timeoutMs: 100, requireAvailable: true });

test('an operation that timed out twice gets no more requests, others do', async () => {
  const target = open();
  const kinds = [];
  for (let count = 0; count < 2; count += 1) kinds.push((await target.send({ operation: SILENT })).failure?.kind);
  expect(kinds).toEqual(['timeout', 'timeout']);
  await expect(target.send({ operation: SILENT })).rejects.toThrow(/GET \/aijobskills does not respond: 2 requests/);
  expect((await target.send({ operation: FINE })).response?.status).toBe(200);
  await target.close();
});

test('those who waited for their turn are not sent either', async () => {
  const target = open();
  const sent = await Promise.allSettled(Array.from({ length: 60 }, () => target.send({ operation: SILENT })));
  expect(sent.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(20);
  await target.close();
});

test('a target that answers nothing any more is given up', async () => {
  const target = open();
  isDead = true;
  const others = contract.operations.filter(({ method }) => method === 'GET').slice(0, 8);
  await Promise.allSettled(others.map((each) => target.send({ operation: each, path: PATH })));
  const message = expect.stringContaining(
    `8 requests in a row timed out, the first of them ${others[0]?.id} (GET /`,
  ) as string;
  expect(target.lost).toMatchObject({ code: 'unreachable', message });
  await target.close();
});

const ID = '00000000-0000-4000-8000-000000000001';
const PATH = { id: ID, jobId: ID, runId: ID, chatId: ID, resultId: ID, objectId: ID, objectTypeId: ID, type: 'x' };
