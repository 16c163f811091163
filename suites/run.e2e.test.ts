import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listen, serve } from '../client/testing/fixtures.ts';
import type { TestServer } from '../client/testing/fixtures.ts';
import { startService } from '../service/start.ts';
import type { FaultName, RunningService } from '../service/start.ts';
import type { Finding, RunRecord } from '../spec/index.ts';
import { viewOf } from '../reports/index.ts';
import { runBuilt, testsOf } from './testing/built.ts';
import type { SuiteRunOptions } from './run.ts';

/** A gateway that closes a connection in place of receiving a further request on it that may change something. */
function closingGateway(upstream: string): Promise<TestServer> {
  return listen(
    createServer((socket) => {
      const behind = connect(Number(new URL(upstream).port), '127.0.0.1');
      for (const each of [socket, behind]) each.on('error', () => behind.destroy()).on('close', () => socket.destroy());
      let requests = 0;
      socket.on('data', (chunk: Buffer) => {
        if (/^(POST|PUT|PATCH|DELETE) /.test(chunk.toString('latin1')) && requests > 0) socket.destroy();
        else behind.write(chunk);
        requests += 1;
      });
      behind.pipe(socket);
    }),
  );
}

/** A gateway that answers itself for a while, from the request with that number on: with 503, and to one operation always. */
function restartingGateway(from: number, ms: number, broken?: RegExp): (upstream: string) => Promise<TestServer> {
  let requests = 0;
  let endsAt = Number.POSITIVE_INFINITY;
  return (upstream) =>
    serve((incoming, outgoing) => {
      requests += 1;
      if (requests === from) endsAt = performance.now() + ms;
      const { method, url = '', headers } = incoming;
      const isOut = (requests >= from && performance.now() < endsAt) || broken?.test(`${method} ${url}`) === true;
      if (isOut) incoming.resume().on('end', () => outgoing.writeHead(503, { 'content-type': 'text/plain' }).end('no'));
      else
        incoming.pipe(
          request(new URL(url, upstream), { method, headers }, (answer) => {
            outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
            answer.pipe(outgoing);
          }),
        );
    });
}

async function run(
  faults: readonly FaultName[],
  change: Partial<SuiteRunOptions>,
  gateway?: (upstream: string) => Promise<TestServer>,
): Promise<readonly RunRecord[]> {
  const service: RunningService = await startService({ faults });
  const front = await gateway?.(service.baseUrl);
  const target = { baseUrl: front?.url ?? service.baseUrl, tokens: service.tokens, embedded: true, settleMs: 300 };
  try {
    return await runBuilt({ ...target, ...change });
  } finally {
    await front?.close();
    await service.close();
  }
}

const findings = (records: readonly RunRecord[]): readonly Finding[] =>
  testsOf(records).flatMap((each) => each.findings);

test('a healthy service passes, and every test has a record', async () => {
  const records = await run([], { only: ['contract/ids'] });
  expect(testsOf(records).length).toBeGreaterThan(40);
  for (const each of testsOf(records))
    expect(each).toMatchObject({ verdict: 'passed', suite: 'contract/ids', findings: [] });
  expect(records.filter((each) => each.type === 'operation')).toHaveLength(43);
});

test('connections that close before a request are no findings, and tests run again', async () => {
  const only = ['contract/operations & *accesscontrolpolicies*', 'state/lifecycle & *accesscontrolpolicies*'];
  const records = await run([], { only }, closingGateway);
  expect(findings(records)).toEqual([]);
  expect(testsOf(records).length).toBeGreaterThan(20);
  const unfinished = testsOf(records).filter(({ verdict }) => verdict !== 'passed');
  expect(new Set(unfinished.map(({ reason }) => reason))).toEqual(new Set(['the deployment removes items in use']));
});

test('tests that met a short outage run again after it; what fails always stays failed', async () => {
  const only = ['contract/operations', 'state/lifecycle & *accesscontrolpolicies*'];
  const broken = /^GET \/api(\/v1)?\/aijobskills/;
  const records = await run([], { only }, restartingGateway(150, 1500, broken));
  const { findings: merged, totals } = viewOf(records).summary;
  const ofOutage = merged.filter(({ fails }) => !fails);
  expect(ofOutage.length).toBeGreaterThan(0);
  for (const each of ofOutage) expect(each).toMatchObject({ severity: 'warning', subject: '503' });
  expect(new Set(merged.filter(({ fails }) => fails).map(({ operation }) => operation))).toEqual(
    new Set(['GET /aijobskills']),
  );
  const failed = testsOf(records).filter(({ verdict }) => verdict === 'failed');
  expect(new Set(failed.map(({ operation }) => operation))).toEqual(new Set(['GET /aijobskills']));
  expect(totals.failed).toBe(failed.length);
});

test('a defect becomes one finding with the operation, its source and a replay command', async () => {
  const records = await run(['create-policy-202'], { only: ['contract/operations & POST /accesscontrolpolicies'] });
  const [finding] = findings(records);
  expect(finding).toMatchObject({
    check: 'status-documented',
    operation: 'POST /accesscontrolpolicies',
    severity: 'violation',
  });
  expect(finding?.source).toMatch(/^api\.md section/);
  expect(finding?.curl).toMatch(/^curl .*\$ASSAY_TOKEN/);
  expect(finding?.replay).toContain('--only');
  expect(new Set(findings(records).map((each) => each.fingerprint)).size).toBe(1);
});

test('one defect does not hide another in the same response, and set-up accepts any success', async () => {
  const records = await run(['create-policy-202', 'no-token-accepted-policies'], {
    only: [
      'contract/authentication & POST /accesscontrolpolicies',
      'state/activation & POST /accesscontrolpolicies/{id}/activate',
    ],
  });
  const creations = findings(records).filter(({ operation }) => operation === 'POST /accesscontrolpolicies');
  expect([...new Set(creations.map(({ code }) => code))].toSorted()).toEqual([
    'authentication/accepted',
    'status-documented/status',
  ]);
  expect(creations.filter(({ cause }) => cause !== undefined)).toEqual([]);
  const activation = testsOf(records).filter(({ suite }) => suite === 'state/activation');
  expect(activation.length).toBeGreaterThan(0);
  for (const each of activation) expect(each).toMatchObject({ verdict: 'failed', completed: true });
});

test('with only reading allowed, the rest is skipped with that reason', async () => {
  const records = await run([], { only: ['contract/operations'], allow: ['read'] });
  expect(testsOf(records).filter((each) => each.verdict === 'failed')).toEqual([]);
  const skipped = testsOf(records).filter((each) => each.verdict === 'skipped');
  expect(skipped.length).toBeGreaterThan(30);
  for (const each of skipped) expect(each.reason).toMatch(/not allowed|has no job/);
  expect(
    testsOf(records)
      .flatMap((each) => each.statuses)
      .every(({ operation }) => operation.startsWith('GET ')),
  ).toBe(true);
});

test('an unreachable target is an error of the run, not a finding', async () => {
  const records = await run([], {
    only: ['contract/operations'],
    baseUrl: 'http://127.0.0.1:9',
    tokens: { full: 'x' },
  });
  expect(findings(records)).toEqual([]);
  expect(testsOf(records).some((each) => each.verdict === 'error')).toBe(true);
  const expired = records.find((each) => each.type === 'requirement' && each.id === 'auth.expired');
  expect(expired).toMatchObject({ untestable: 'no expired token was given (--expired-token)' });
});
