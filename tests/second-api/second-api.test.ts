import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestRecord } from '../../spec/index.ts';
import { runBuilt, testsOf } from '../../suites/testing/built.ts';
import { ROOT } from '../architecture/files.ts';
import { startNotes, TENANT } from './server.ts';
import type { NotesFault } from './server.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Below the packages that the knowledge imports. */
let dir: string;
/** The knowledge as JavaScript, which the built suites load. */
let knowledge: string;

beforeAll(async () => {
  dir = await mkdtemp(join(ROOT, 'node_modules', '.assay-notes-'));
  knowledge = join(dir, 'knowledge.mjs');
  const entryPoints = [here('knowledge.ts')];
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
  await build({ entryPoints, outfile: knowledge, ...options });
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

interface Outcome {
  readonly tests: readonly TestRecord[];
  readonly observed: readonly string[];
  readonly codes: readonly string[];
}

/** Runs suites against the notes API, with the knowledge of this folder. */
async function verify(only: readonly string[], fault?: NotesFault): Promise<Outcome> {
  const service = await startNotes(fault);
  const target = { baseUrl: service.url, headers: { 'X-Tenant': TENANT }, specSource: here('notes.yaml') };
  const records = await runBuilt({ ...target, knowledge, only }).finally(service.close);
  const tests = testsOf(records);
  expect(tests.filter((each) => each.verdict === 'error').map((each) => each.reason)).toEqual([]);
  const observed = records.flatMap((each) => (each.type === 'observation' ? [`${each.what}: ${each.value}`] : []));
  return { tests, observed, codes: tests.flatMap((each) => each.findings.map(({ code }) => code)) };
}

test('a second API gets its state tests run, and no suite reports a violation', async () => {
  const { tests, observed, codes } = await verify([]);
  const ofState = tests.filter((each) => each.suite.startsWith('state/'));
  expect(ofState.map((each) => `${each.verdict} ${each.operation} ${each.checks.join()}`).toSorted()).toEqual([
    'passed DELETE /notes/{id} deleted-is-gone',
    'passed POST /notes created-reads-back',
    'passed POST /notes created-reads-back',
  ]);
  expect(tests.filter((each) => each.verdict === 'passed').length).toBeGreaterThan(15);
  expect(codes).toEqual([]);
  expect(observed).toContain('405 without the header Allow (RFC 9110, section 15.5.6): PATCH /notes');
});

test.each<readonly [NotesFault, string]>([
  ['forgets-deletes', 'deleted-is-gone/readable'],
  ['cuts-text', 'created-reads-back/not-readable'],
])('a server with the defect %s is found: %s', async (fault, code) => {
  expect((await verify(['state'], fault)).codes).toContain(code);
});
