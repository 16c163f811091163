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

it('refuses an unknown fault with the nearest names', async () => {
  const { code, stderr } = await runAssay(['serve', '--fault', 'status-20 POST /accesscontrolpolicies']);
  expect(code).toBe(2);
  expect(stderr).toContain('status-202 POST /accesscontrolpolicies');
});

it('reports a port that is in use', async () => {
  const service = await serve();
  const { code, stderr } = await runAssay(['serve', '--port', new URL(service.baseUrl).port]);
  await service.stop();
  expect(code).toBe(2);
  expect(stderr).toContain('--port');
});
