import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../../service/start.ts';
import type { RunningService } from '../../service/start.ts';
import { EFFECTS } from '../../spec/index.ts';
import type { Finding } from '../../spec/index.ts';
import { runSuites } from '../run.ts';
import type { SuiteRunOptions } from '../run.ts';

let dir: string;
let service: RunningService;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'assay-learn-'));
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
      only: ['learn'],
      skip: ['GET /aijob*', 'PUT /aijob*', 'PATCH /aijob*', 'POST /aijob/*', 'DELETE /aijob*'],
      seed: 1,
      runs: 10,
      settleMs: 100,
      strict: false,
      journalDir: dir,
      runId: Math.random().toString(36).slice(2, 8),
      learn: { file: join(dir, file), mode },
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

/** The same service behind something that rewrites its answers. */
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

test('two runs learn the same, whatever the seed, and the service keeps to it', async () => {
  expect(await run('record', 'a.json', { seed: 1 })).toEqual([]);
  expect(await run('record', 'b.json', { seed: 2 })).toEqual([]);
  const text = await readFile(join(dir, 'a.json'), 'utf8');
  expect(await readFile(join(dir, 'b.json'), 'utf8')).toBe(text);
  expect(text).toContain('"without a token"');
  expect((await run('compare', 'a.json', { seed: 3 })).map((each) => each.message)).toEqual([]);
});

test('a release that does otherwise where the document is silent is told, as a warning', async () => {
  const only = ['GET /accesscontrolpolicies/{id}', 'POST /clue'];
  const skip = ['contract', 'properties', 'state'];
  await run('record', 'c.json', { only, skip });
  const next = await rewriting((text) => text.replaceAll('"traceId"', '"trace"'));
  const findings = await run('compare', 'c.json', { only, skip, baseUrl: next.baseUrl });
  next.close();
  const told = findings.map((each) => `${each.operation}: ${each.subject}`);
  expect(told).toContain('GET /accesscontrolpolicies/{id}: an unknown id: /traceId is gone');
  expect(told).toContain('POST /clue: without a token: /traceId is gone');
  for (const each of findings)
    expect(each).toMatchObject({ check: 'snapshot-behaviour', severity: 'warning', grade: 'inferred' });
});
