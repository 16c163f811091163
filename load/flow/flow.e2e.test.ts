import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTarget } from '../../client/index.ts';
import { contractOf, operation, serve } from '../../client/testing/fixtures.ts';
import { BEARER } from '../../spec/index.ts';
import type {
  AssayError,
  Operation,
  RunRecord,
  ScenarioDetail,
  ScenarioRecord,
  SecurityScheme,
} from '../../spec/index.ts';
import { authenticationOf } from '../authentication.ts';
import type { LoadOptions } from '../options.ts';
import { runLoad } from '../run.ts';
import { knownOptions } from '../testing/known-scenario.ts';
import { startKnownTarget } from '../testing/known-target.ts';
import type { Behaviour } from '../testing/known-target.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

const folder = emptyDirectory();
let files = 0;

/** A scenario file; its first line is that of the flow. */
function flowFile(body: string, members = ''): string {
  const file = join(folder, `flow-${(files += 1)}.ts`);
  writeFileSync(
    file,
    `export const scenario = { name: 'f', ${members.includes('effects') ? '' : "effects: ['read', 'irreversible'],"} ${members} async flow(session: any): Promise<void> {
${body}
} };`,
  );
  return file;
}

interface Ran {
  readonly record: ScenarioRecord;
  readonly detail: ScenarioDetail;
  readonly seen: { readonly count: number };
  readonly error: AssayError | undefined;
}

async function run(file: string, options: Partial<LoadOptions> = {}, behaviour: Behaviour = {}): Promise<Ran> {
  const target = await startKnownTarget(behaviour);
  const records: RunRecord[] = [];
  let error: AssayError | undefined;
  try {
    const all = runLoad({
      ...knownOptions(target.baseUrl),
      allow: ['read', 'irreversible'],
      scenarios: [file],
      ...(options.stages ? {} : { durationMs: 1000 }),
      warmupMs: 0,
      ...options,
    });
    for await (const record of all) records.push(record);
  } catch (caught) {
    error = caught as AssayError;
  }
  const seen = await target.seen();
  await target.close();
  const record = records.find((one) => one.type === 'scenario') as ScenarioRecord;
  return { record, detail: record?.detail as ScenarioDetail, seen, error };
}

describe.concurrent('a flow', () => {
  it('that never returns is named', { timeout: 40_000, tags: ['nightly'] }, async () => {
    const file = flowFile('for (;;);');
    const { error } = await run(file);
    expect(error?.message).toMatch(/^flow-\d+\.ts has not returned control for 10 s$/);
  });

  it('that does not await its work is named', async () => {
    const file = flowFile(`
      void session.get('/');
      void Promise.reject(new Error('lost'));
      setTimeout(() => { throw new Error('late'); }, 1);
      await session.think(5);`);
    const { detail, error } = await run(file, { rate: 20 }, { fails: { each: 1, status: 503 } });
    expect(error).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('The scenario f has an error') as string,
    });
    const texts = detail.flow?.mistakes.map(({ text }) => text.replace(/^flow-\d+/, 'flow')).toSorted();
    expect(texts).toEqual([
      'flow.ts: a request without await failed: GET /: 503',
      'flow.ts:4: Error: lost (in work that the flow did not await)',
      'flow.ts:5: Error: late (in work that the flow did not await)',
    ]);
  });

  it('starts iterations at a rate; requests, groups and checks are counted', async () => {
    const file = flowFile(`
      const created = await session.post('/items', { name: session.unique() });
      session.check('is ok', created.json().ok === true);
      await session.group('later', async () => {
        await session.get('/items/12345678901234567');
        await session.think(1, 5);
        await session.get('/items?page=' + session.iteration);
      });`);
    const { record, detail, seen, error } = await run(file, { rate: 40, thresholds: ['p99{later}<9s', 'checks>99%'] });
    expect(error).toBeUndefined();
    expect(record).toMatchObject({ engine: 'open (flow)', offeredRate: 40, errors: {}, requests: seen.count });
    expect(seen.count).toBe(120);
    expect(detail.flow).toMatchObject({ executor: 'constant-arrival-rate', completed: 40, failed: 0, mistakes: [] });
    expect(detail.flow?.checks).toEqual([{ name: 'is ok', passed: 40, failed: 0 }]);
    expect(detail.parts.map(({ label, requests }) => [label, requests])).toEqual([
      ['POST /items', 40],
      ['later', 80],
    ]);
    expect(detail.parts[1]?.operations?.map(({ operation }) => operation)).toEqual(['GET /items/{id}', 'GET /items']);
    expect(record.thresholds.map(({ held }) => held)).toEqual([true, true]);
  });

  it('does not count as latency what waits for the maximum rate', async () => {
    const two = `await Promise.all([session.get('/a'), session.get('/b')]);`;
    const options = { rate: 50, maxRate: 50, connections: 20, maxConnections: 20, timeoutMs: 800 };
    const { record, detail } = await run(flowFile(two), options);
    expect(record.errors).toEqual({});
    expect(record.latencyMs.p50).toBeLessThan(100);
    expect(detail).toMatchObject({ late: 0, unsent: 0 });
    expect(record.notes.filter((note) => !note.includes('generator'))).toEqual([
      expect.stringMatching(/^--max-rate limits this flow: \d+ requests waited for it/) as string,
      expect.stringMatching(/^\d+ iterations still running at the end$/) as string,
    ]);
  });

  it('counts what is not answered at the maximum duration', async () => {
    const options = { rate: 50, maxDurationMs: 500, timeoutMs: 2000, connections: 4, maxConnections: 4 };
    const { record, detail } = await run(flowFile(`await session.get('/');`), options, { silent: true });
    expect(record).toMatchObject({ requests: 25, errors: { timeout: 4, unsent: 21 } });
    expect(detail.flow?.interrupted).toBe(25);
  });

  it('is run by virtual users, each a number of times, on two threads', async () => {
    const file = flowFile(`await session.get('/' + session.vu + '/' + session.iteration);`, 'vus: 3, iterations: 4,');
    const lefts = new Set<number>();
    const { record, detail, seen } = await run(file, { workers: 2, onLive: ({ leftMs }) => lefts.add(leftMs) });
    expect([...lefts]).toEqual([Infinity]);
    expect(seen.count).toBe(12);
    expect(record).toMatchObject({ engine: 'virtual users', offeredRate: 0 });
    expect(detail.flow).toMatchObject({ executor: 'per-vu-iterations', completed: 12, mostRunning: 3 });
  });

  it('follows stages of virtual users, and shares iterations', { tags: ['nightly'] }, async () => {
    const file = flowFile(`await session.get('/'); await session.think(20);`);
    const stages = [{ durationMs: 600, target: 6 }];
    const ramp = await run(file, { executor: 'ramping-vus', stages });
    expect(ramp.detail.flow?.mostRunning).toBeGreaterThan(1);
    expect(ramp.detail).toMatchObject({ durationMs: 600 });
    const shared = await run(file, { executor: 'shared-iterations', vus: 4, iterations: 10, workers: 2 });
    expect(shared.seen.count).toBe(10);
  });

  it('ends an iteration at an answer that is not expected, and counts it against the target', async () => {
    const file = flowFile(`await session.post('/items', {}); await session.get('/never');`);
    const { record, detail, error } = await run(file, { rate: 20 }, { fails: { each: 1, status: 503 } });
    expect(error).toBeUndefined();
    expect(record.errors).toEqual({ 503: 20 });
    expect(detail.flow).toMatchObject({ completed: 0, failed: 20, mistakes: [] });
    expect(detail.parts.map(({ label }) => label)).toEqual(['POST /items']);
  });

  it('says why a run that ends within the warm-up measured nothing', { tags: ['nightly'] }, async () => {
    const file = flowFile(`await session.get('/');`, "vus: 1, iterations: 2, thresholds: ['p99<500'],");
    const { record } = await run(file, { durationMs: 3000, warmupMs: 2000 });
    expect(record.requests).toBe(0);
    expect(record.notes.join()).toContain('all requests were sent during the warm-up');
  });

  it('counts iterations that are waiting at the end of the run as interrupted', { tags: ['nightly'] }, async () => {
    const file = flowFile(`await session.get('/'); await session.think(60_000);`);
    const { record, detail } = await run(file, { rate: 10, durationMs: 500, timeoutMs: 2000 });
    expect(detail.flow).toMatchObject({ completed: 0, failed: 0, interrupted: 5 });
    expect(record.notes).toContain('5 iterations still running at the end');
  });

  it('replaces default headers by those of a request', async () => {
    const file = flowFile(`const { check, get } = session;
      check('echo', (await get('/', { headers: { Accept: 'text/plain' } })).headers['x-accept'] === 'text/plain');`);
    const { detail } = await run(file, { rate: 10, durationMs: 3000 });
    expect(detail.flow?.checks).toEqual([{ name: 'echo', passed: expect.any(Number), failed: 0 }]);
    expect(detail.flow?.checks[0]?.passed).toBeGreaterThan(0);
  });

  it('expects other statuses where it says so', async () => {
    const file = flowFile(`await session.get('/a', { expect: 404 }); await session.get('/b', { expect: 'any' });`);
    const { record, detail } = await run(file, { rate: 10 }, { fails: { each: 1, status: 404 } });
    expect(record).toMatchObject({ requests: 20, errors: {} });
    expect(detail.parts[0]?.statuses).toEqual({ 404: 10 });
  });

  it('reads data files and the environment, and sends its own token', async () => {
    writeFileSync(join(folder, 'people.csv'), 'who,"full name"\nann,"Ann, A"\nbob,Bob\n');
    writeFileSync(join(folder, 'ages.ndjson'), '{"age":1}\n\n{"age":2}\n');
    const file = flowFile(
      `const { data, env, row, iteration } = session;
      session.authorize('other');
      await session.get('/' + row('people').who, { headers: { 'x-age': String(row('ages').age) } });
      session.check('row', row('people')['full name'] === (iteration % 2 === 0 ? 'Ann, A' : 'Bob') && data.ages.length === 2);
      session.check('env', env.PATH !== undefined);`,
      `data: { people: 'people.csv', ages: './ages.ndjson' },`,
    );
    const { detail, error } = await run(file, { rate: 10 });
    expect(error).toBeUndefined();
    expect(detail.flow?.checks.map(({ failed }) => failed)).toEqual([0, 0]);
  });

  it('sends a token as the description declares it for the operation, and none where it declares none', async () => {
    const seen: string[] = [];
    const server = await serve(({ url, headers }, response) => {
      const sent = headers.authorization ?? headers['x-key'] ?? headers.cookie ?? 'nothing';
      seen.push(`${url} ${String(sent)}`);
      response.end('{}');
    });
    const secured = (name: string, scheme: Partial<SecurityScheme>, others: Partial<Operation> = {}): Operation => {
      const security = [[{ ...BEARER, name, takesToken: false, ...scheme }]];
      return operation({ path: `/${name}`, security, ...others });
    };
    const contract = contractOf(
      secured('header', { kind: 'apiKey', parameter: 'x-key', takesToken: true }),
      secured('query', { kind: 'apiKey', in: 'query', parameter: 'key' }),
      secured('cookie', { kind: 'apiKey', in: 'cookie', parameter: 'key' }),
      secured('basic', { kind: 'basic' }),
      operation({ path: '/open', permission: 'none' }),
    );
    const client = createTarget({ baseUrl: server.url, tokens: { full: 'run' } });
    const file = flowFile(
      `const send = async () => { for (const path of ${JSON.stringify(contract.operations.map(({ forms }) => forms[0]?.path))})
        await session.get(path); await session.get('/other'); };
      await session.get('/api/header'); await session.get('/api/open'); await session.get('/other');
      session.authorize('a:b'); await send();`,
      'vus: 1, iterations: 1,',
    );
    const target = { baseUrl: server.url, authentication: authenticationOf(client), token: 'run' };
    await run(file, { contract, target });
    await Promise.all([server.close(), client.close()]);
    const before = ['/api/header run', '/api/open nothing', '/other Bearer run'];
    const keys = ['/api/header a:b', '/api/query?key=a%3Ab nothing', '/api/cookie key=a%3Ab', '/api/basic Basic YTpi'];
    expect(seen).toEqual([...before, ...keys, '/api/open nothing', '/other Bearer a:b']);
  });

  it('blames an error on the scenario, with file and line, and ends early', async () => {
    const file = flowFile(`await session.get('/');\n  session.nothing.there;`);
    const { detail, error } = await run(file, { rate: 100, durationMs: 20_000 });
    expect(error).toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/flow-\d+\.ts:3: TypeError: Cannot read properties of undefined/),
    });
    expect(detail.stopped).toBe('scenario-error');
  });

  it('refuses requests whose effect the scenario does not name', async () => {
    const file = flowFile(`await session.delete('/items/1');`, `effects: ['read'],`);
    const { error, seen } = await run(file, { rate: 30 });
    expect(error?.message).toContain('DELETE /items/{id} is not in the description and counts as "irreversible"');
    expect(seen.count).toBe(0);
  });

  it.each([
    [`data: { people: 'none.csv' },`, /none\.csv .*does not exist/],
    [`data: { people: 'people.xls' },`, /unknown format/],
    [`data: { people: 'object.json' },`, /object\.json .*not an array of objects/],
    [`executor: 'wild',`, /no executor "wild"/],
    [`rate: 0, thresholds: 'p99<1',`, /invalid: thresholds must be an array; rate must be a number above 0/],
  ])('is refused before anything is sent: %s', async (members, message) => {
    writeFileSync(join(folder, 'object.json'), '{"a":1}');
    const { error, seen } = await run(flowFile('', members));
    expect(error?.message).toMatch(message);
    expect([error?.exitCode, seen.count]).toEqual([2, 0]);
  });
});
