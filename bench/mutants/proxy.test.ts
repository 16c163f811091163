import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../../service/start.ts';
import type { RunningService } from '../../service/start.ts';
import { batches, together } from './batch.ts';
import { DOUBTFUL, MUTANTS } from './catalogue/index.ts';
import { startMutant, startProxy } from './proxy.ts';
import { OPERATION_IDS, plainId, routeOf } from './routes.ts';
import { sender } from './tour.ts';

let service: RunningService;

beforeAll(async () => {
  service = await startService({});
});
afterAll(() => service.close());

function mutantCalled(name: string) {
  const found = MUTANTS.find((mutant) => mutant.name === name);
  if (found === undefined) throw new Error(`no mutant ${name}`);
  return found;
}

test('without a change the proxy answers what the service answers', async () => {
  const proxy = await startProxy({
    upstream: service.baseUrl,
    tokens: service.tokens,
    make: () => (_, next) => next(),
    prefix: '/gateway',
  });
  const probe = { method: 'GET', target: '/api/v1/aijobskills' };
  expect(await sender(proxy.baseUrl, service.tokens)(probe)).toEqual(
    await sender(service.baseUrl, service.tokens)(probe),
  );
  expect([proxy.hits(), proxy.seen()]).toEqual([0, 1]);
  await proxy.close();
});

test('a mutant breaks its promise and counts that it did', async () => {
  const proxy = await startMutant({
    upstream: service.baseUrl,
    mutant: mutantCalled('auth.no-token-reads-skills'),
    tokens: service.tokens,
  });
  const send = sender(proxy.baseUrl, service.tokens);
  expect((await send({ method: 'GET', target: '/api/aijobskills', authorization: null })).status).toBe(200);
  expect((await send({ method: 'GET', target: '/api/aijob', authorization: null })).status).toBe(401);
  expect(proxy.hits()).toBe(1);
  await proxy.close();
});

test('mutants of different operations run together', async () => {
  const pair = [mutantCalled('auth.no-token-reads-skills'), mutantCalled('ids.unknown-job-410')];
  expect(batches(pair, 2)).toEqual([pair]);
  const proxy = await startMutant({ upstream: service.baseUrl, mutant: together(pair), tokens: service.tokens });
  const send = sender(proxy.baseUrl, service.tokens);
  expect((await send({ method: 'GET', target: '/api/aijobskills', authorization: null })).status).toBe(200);
  expect((await send({ method: 'GET', target: '/api/v1/aijob/3f2a1b0c-9d8e-4f7a-8b6c-5d4e3f2a1b0c' })).status).toBe(
    410,
  );
  await proxy.close();
});

test('the catalogue is consistent', () => {
  const names = MUTANTS.map((mutant) => mutant.name);
  expect(new Set(names).size).toBe(names.length);
  expect(MUTANTS.flatMap((mutant) => mutant.operations).filter((id) => !OPERATION_IDS.includes(id))).toEqual([]);
  expect(Object.keys(DOUBTFUL).filter((name) => !names.includes(name))).toEqual([]);
});

test('literal segments win over parameters, and ids compare without prefixes', () => {
  expect(routeOf('GET', '/api/v1/AIJob/summary')?.id).toBe('GET /aijob/summary');
  expect(plainId('GET /v2/search/suggest')).toBe(plainId('GET /api/v3/search/suggest'));
  expect(plainId('GET /aijob/{jobId}/runs')).toBe(plainId('GET /aijob/{id}/runs'));
});
