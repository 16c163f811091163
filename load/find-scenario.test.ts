import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findScenario } from './find-scenario.ts';
import { planOf } from './plan.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';

const dir = emptyDirectory();
let files = 0;

/** A file with that text. */
function fileOf(text: string, type = 'mjs'): string {
  const file = join(dir, `${(files += 1)}.${type}`);
  writeFileSync(file, text);
  return file;
}

/** A file with a scenario of these members, whose set-up returns these requests. */
const scenarioOf = (members: string, requests = ''): string =>
  fileOf(`export const scenario = { name: 'own', ${members} async setup() { return { requests: [${requests}] }; } };`);

it.each([
  ['', 50, 1500],
  ['rate: 20,', 20, 0],
  ['rate: 20, throughput: true,', 20, 1500],
])('a file with "%s" is sent at %i/s after %i ms of throughput', async (members, rate, throughputMs) => {
  expect(planOf(await findScenario(scenarioOf(members)), { durationMs: 5000 })).toMatchObject({ rate, throughputMs });
});

it.each([
  ['const a: any = {};\n\nexport const scenario = a.b.c;', 'ts:3: TypeError: Cannot read properties of undefined'],
  ['const a: any = {};\nconst b = ;', 'ts:2: Error: ParseError: Unexpected token'],
])('names the line of an error in a file: %j', async (text, expected) => {
  await expect(findScenario(fileOf(text, 'ts'))).rejects.toThrow(expected);
});

it.each([
  [
    "{ name: 'own', async flwo() {} }",
    'neither the function flow nor setup; flwo is not a known key (did you mean flow?)',
  ],
  ['{ setup() {} }', 'it has no name'],
])('says why an exported object is no scenario: %j', async (text, expected) => {
  await expect(findScenario(fileOf(`export const scenario = ${text};`))).rejects.toThrow(expected);
});

it('names the request and the member of a set-up that have a wrong type', async () => {
  const requests =
    "{ operation: 'POST /x', method: 'POST', path: '/x', body: '{}' }, { operation: 'GET /x', pth: '/x' }";
  const scenario = await findScenario(scenarioOf('', requests));
  await expect(scenario.setup({} as never)).rejects.toThrow(
    'body of requests[0] (POST /x) must be bytes, for example Buffer.from(\'{"a":1}\'); method of requests[1] (GET /x) must be a string; path of requests[1] (GET /x) must be a string; requests[1] (GET /x): pth is not a known key (did you mean path?).',
  );
});
