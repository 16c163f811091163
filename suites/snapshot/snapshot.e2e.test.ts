import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve } from '../../client/testing/fixtures.ts';
import type { TestServer } from '../../client/testing/fixtures.ts';
import { startService } from '../../service/start.ts';
import type { RunningService } from '../../service/start.ts';
import type { Finding } from '../../spec/index.ts';
import { runBuilt, testsOf } from '../testing/built.ts';
import type { SuiteRunOptions } from '../run.ts';
import { readSnapshot } from './file.ts';
import { descriptionFile } from '../../spec/testing/description-file.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

const dir = emptyDirectory();
let service: RunningService;

beforeAll(async () => {
  service = await startService({});
});
afterAll(async () => {
  await service.close();
});

async function run(
  mode: 'record' | 'compare',
  file: string,
  change: Partial<SuiteRunOptions>,
): Promise<readonly Finding[]> {
  const records = await runBuilt({
    baseUrl: service.baseUrl,
    tokens: service.tokens,
    embedded: true,
    only: ['snapshot/*'],
    skip: ['GET /aijob*', 'PUT /aijob*', 'PATCH /aijob*', 'POST /aijob/*', 'DELETE /aijob*'],
    settleMs: 100,
    snapshot: { file: join(dir, file), mode },
    ...change,
  });
  const tests = testsOf(records);
  expect(tests.length).toBeGreaterThan(0);
  for (const { verdict, reason } of tests) expect(verdict, reason).not.toBe('error');
  return tests.flatMap(({ findings }) => findings);
}

/** A proxy that rewrites the responses of the service. */
function rewriting(rewrite: (text: string) => string): Promise<TestServer> {
  return serve((incoming, outgoing) => {
    const { transferEncoding: _none, ...headers } = { ...incoming.headers, transferEncoding: undefined };
    incoming.pipe(
      request(`${service.baseUrl}${incoming.url ?? ''}`, { method: incoming.method, headers }, (answer) => {
        void text(answer).then((body) => {
          const { 'content-length': _length, 'transfer-encoding': _coding, ...rest } = answer.headers;
          outgoing.writeHead(answer.statusCode ?? 500, rest).end(rewrite(body));
        });
      }),
    );
  });
}

test('two recordings are equal, whatever the seed, and the service matches them', { tags: ['nightly'] }, async () => {
  expect(await run('record', 'a.json', { seed: 1 })).toEqual([]);
  expect(await run('record', 'b.json', { seed: 2 })).toEqual([]);
  const recorded = await readFile(join(dir, 'a.json'), 'utf8');
  expect(await readFile(join(dir, 'b.json'), 'utf8')).toBe(recorded);
  expect(recorded).toContain('"no-token"');
  expect((await run('compare', 'a.json', { seed: 3 })).map((each) => each.message)).toEqual([]);
});

test('a release with another undocumented behavior is reported, as a warning', async () => {
  const only = ['GET /accesscontrolpolicies/{id}', 'POST /clue'];
  const skip = ['contract', 'properties', 'state'];
  await run('record', 'c.json', { only, skip });
  const next = await rewriting((body) => body.replaceAll('"traceId"', '"trace"'));
  const findings = await run('compare', 'c.json', { only, skip, baseUrl: next.url });
  await next.close();
  const subjects = findings.map((each) => `${each.operation}: ${each.subject}`);
  expect(subjects).toContain('GET /accesscontrolpolicies/{id}: unknown-id /traceId missing');
  expect(subjects).toContain('POST /clue: no-token /traceId missing');
  for (const each of findings)
    expect(each).toMatchObject({ code: 'snapshot-behaviour/changed', severity: 'warning', grade: 'inferred' });
});

test.each([
  ['{"format":"assay-learned-1","operations":{}}', 'is a snapshot of version 0.1'],
  ['{"format":"other","operations":{}}', 'is not a snapshot'],
  ['{', 'is not JSON'],
])('a file with %s is refused: it %s', (content, reason) => {
  const file = descriptionFile(content);
  expect(() => readSnapshot(file)).toThrow(reason);
});
