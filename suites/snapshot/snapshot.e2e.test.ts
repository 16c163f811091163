import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../../service/start.ts';
import type { RunningService } from '../../service/start.ts';
import { EFFECTS } from '../../spec/index.ts';
import type { Finding } from '../../spec/index.ts';
import { runSuites } from '../testing/built.ts';
import type { SuiteRunOptions } from '../run.ts';
import { readSnapshot } from './file.ts';

let dir: string;
let service: RunningService;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'assay-snapshot-'));
  service = await startService({});
});
afterAll(async () => {
  await service.close();
  await rm(dir, { recursive: true, force: true });
});

async function run(
  mode: 'record' | 'compare',
  file: string,
  change: Partial<SuiteRunOptions>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let tests = 0;
  await runSuites(
    {
      baseUrl: service.baseUrl,
      tokens: service.tokens,
      embedded: true,
      allow: EFFECTS,
      only: ['snapshot/*'],
      skip: ['GET /aijob*', 'PUT /aijob*', 'PATCH /aijob*', 'POST /aijob/*', 'DELETE /aijob*'],
      seed: 1,
      runs: 10,
      settleMs: 100,
      strict: false,
      journalDir: dir,
      runId: Math.random().toString(36).slice(2, 8),
      snapshot: { file: join(dir, file), mode },
      ...change,
    },
    (record) => {
      if (record.type !== 'test') return;
      tests += 1;
      expect(record.verdict, record.reason).not.toBe('error');
      findings.push(...record.findings);
    },
  );
  expect(tests).toBeGreaterThan(0);
  return findings;
}

/** A proxy that rewrites the responses of the service. */
async function rewriting(rewrite: (text: string) => string): Promise<{ readonly baseUrl: string; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    const { transferEncoding: _none, ...headers } = { ...incoming.headers, transferEncoding: undefined };
    incoming.pipe(
      request(`${service.baseUrl}${incoming.url ?? ''}`, { method: incoming.method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const { 'content-length': _length, 'transfer-encoding': _coding, ...rest } = answer.headers;
          outgoing.writeHead(answer.statusCode ?? 500, rest).end(rewrite(Buffer.concat(chunks).toString()));
        });
      }),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
    },
  };
}

test('two recordings are equal, whatever the seed, and the service matches them', { tags: ['nightly'] }, async () => {
  expect(await run('record', 'a.json', { seed: 1 })).toEqual([]);
  expect(await run('record', 'b.json', { seed: 2 })).toEqual([]);
  const text = await readFile(join(dir, 'a.json'), 'utf8');
  expect(await readFile(join(dir, 'b.json'), 'utf8')).toBe(text);
  expect(text).toContain('"no-token"');
  expect((await run('compare', 'a.json', { seed: 3 })).map((each) => each.message)).toEqual([]);
});

test('a release with another undocumented behavior is reported, as a warning', async () => {
  const only = ['GET /accesscontrolpolicies/{id}', 'POST /clue'];
  const skip = ['contract', 'properties', 'state'];
  await run('record', 'c.json', { only, skip });
  const next = await rewriting((text) => text.replaceAll('"traceId"', '"trace"'));
  const findings = await run('compare', 'c.json', { only, skip, baseUrl: next.baseUrl });
  next.close();
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
])('a file with %s is refused: it %s', async (text, reason) => {
  const file = join(dir, 'refused.json');
  await writeFile(file, text);
  expect(() => readSnapshot(file)).toThrow(reason);
});
