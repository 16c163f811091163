import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../../client/testing/fixtures.ts';
import { emptyDirectory, runAssay } from '../command/run-assay.ts';
import { DESCRIPTION, SECRETS, serveSecured } from './demanding-service.ts';

const FLOW = `export default { name: 'visit', async flow({ get }) {
  for (const path of ${JSON.stringify(Object.keys(DESCRIPTION.paths))}) await get(path);
} };`;

let server: TestServer;
const cwd = emptyDirectory();
beforeAll(async () => {
  server = await serveSecured(['headerKey']);
  writeFileSync(join(cwd, 'secured.json'), JSON.stringify(DESCRIPTION));
  writeFileSync(join(cwd, 'visit.mjs'), FLOW);
});
afterAll(() => server.close());

const target = (): readonly string[] => ['--spec', 'secured.json', '--base-url', server.url];

function expectNoSecret(...texts: readonly string[]): void {
  const files = readdirSync(join(cwd, 'assay-report'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const secrets = Object.values(SECRETS).flatMap((each) => [
    each,
    encodeURIComponent(each),
    Buffer.from(each).toString('base64'),
  ]);
  for (const secret of secrets) expect([...files, ...texts].filter((text) => text.includes(secret))).toEqual([]);
}

it('each operation gets the secrets that it demands, and what it accepts without one is found', async () => {
  const { code, stdout, stderr } = await runAssay(
    ['verify', ...target(), '--only', 'contract/authentication', '--report', 'html,har,vitest', '--strict'],
    { cwd, env: SECRETS },
  );
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/GET \/both.*without headerKey/u);
  expect(stdout).toMatch(/GET \/header .*without credentials/u);
  expectNoSecret(stdout);
});

it('so do the requests of a flow', async () => {
  const { code, stdout, stderr } = await runAssay(
    ['load', './visit.mjs', ...target(), '--rate', '5', '--duration', '1s', '--threshold', 'errors<1%'],
    { cwd, env: SECRETS },
  );
  expect(stderr).toBe('');
  // 6: a busy machine was the limit.
  expect([0, 6]).toContain(code);
  expect(stdout).toMatch(/✓ visit: errors<1% measured 0%/u);
  expectNoSecret(stdout);
});

it('what is missing is named as the description calls it, and a wrong name is refused', async () => {
  const strict = await serveSecured();
  const missing = await runAssay(['verify', '--spec', 'secured.json', '--base-url', strict.url], { cwd });
  await strict.close();
  expect(missing).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/login \(user name.*\n.*ASSAY_CREDENTIAL_LOGIN/u),
  });
  const some = await runAssay(['doctor', ...target()], { cwd, env: { ASSAY_TOKEN: SECRETS.ASSAY_TOKEN } });
  expect(some.stdout).toMatch(/no credential for queryKey.*\n.*ASSAY_CREDENTIAL_QUERY_KEY/u);
  const wrong = await runAssay(['verify', ...target(), '--credential', 'headerkey: abc'], { cwd });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/headerkey.*\n.*did you mean headerKey/u) });
});
