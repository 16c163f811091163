import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runAssay, serve, startAssay } from './run-assay.ts';

it('prints one line of JSON and nothing else, and SIGTERM ends it cleanly', async () => {
  const service = await serve();
  const answer = await fetch(`${service.baseUrl}/api/v1/status`);
  expect(answer.status).toBe(200);
  const { code, stdout, stderr } = await service.stop();
  expect({ code, stderr, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, stderr: '', lines: 1 });
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['baseUrl', 'tokens']);
});

it('prints what to do next', async () => {
  const running = startAssay(['serve']);
  const line = await running.line(/verify --base-url/u);
  expect(line).toContain('http://127.0.0.1:');
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(0);
});

it('makes new tokens at each start, unless one is given', async () => {
  const services = await Promise.all([serve(), serve(), serve(['--token', 'my-token'])]);
  const [first, second, third] = services.map(({ tokens }) => tokens);
  expect(first?.full).not.toBe(second?.full);
  expect(first?.limited).not.toBe(second?.limited);
  expect(third?.full).toBe('my-token');
  const [, , { baseUrl }] = services;
  const answer = await fetch(`${baseUrl}/api/aijobskills`, { headers: { authorization: 'Bearer my-token' } });
  expect(answer.status).toBe(200);
  await Promise.all(services.map(({ stop }) => stop()));
});

it('warns where other machines reach it, and prints an address that works', async () => {
  const service = await serve(['--host', '0.0.0.0']);
  expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
  expect((await fetch(`${service.baseUrl}/api/v1/status`)).status).toBe(200);
  expect((await service.stop()).stderr).toContain('warning: with --host 0.0.0.0 other machines can reach this service');
});

it('refuses an unknown fault with the nearest names', async () => {
  const { code, stderr } = await runAssay(['serve', '--fault', 'status-20 POST /accesscontrolpolicies']);
  expect(code).toBe(2);
  expect(stderr).toContain('status-202 POST /accesscontrolpolicies');
});

it('refuses a data directory that is a file, and a fault without a name', async () => {
  const file = await runAssay(['serve', '--data', fileURLToPath(import.meta.url)]);
  expect(file.code).toBe(2);
  expect(file.stderr).toContain('--data: cannot create the directory');
  const nameless = await runAssay(['serve', '--fault', '']);
  expect(nameless.code).toBe(2);
  expect(nameless.stderr).toContain('--fault is empty');
});

it('reports a port that is in use', async () => {
  const service = await serve();
  const { code, stderr } = await runAssay(['serve', '--port', new URL(service.baseUrl).port]);
  await service.stop();
  expect(code).toBe(2);
  expect(stderr).toContain('--port');
});
