import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { CHECKS } from '../spec/index.ts';
import type { Contract } from '../spec/index.ts';
import { isOperationId, matches } from './kit/select.ts';
import type { Selectable } from './kit/select.ts';
import { SUITES } from './kit/options.ts';
import type { SuiteRunOptions } from './kit/options.ts';
import { viteOptions, vitestOptions } from './vitest-options.ts';

/** True for a pattern that names a suite, a check or an operation; only other patterns need the list of all tests. */
function isKnown(pattern: string, contract: Contract): boolean {
  const names = (name: Partial<Selectable>): boolean => matches(pattern, { suite: '', name: '', checks: [], ...name });
  return (
    SUITES.some((suite) => names({ suite: `${suite}/` })) ||
    names({ checks: Object.keys(CHECKS) }) ||
    contract.operations.some(({ id }) => names({ operation: id }))
  );
}

/**
 * Patterns of `--only` that match no test, whatever is skipped. Sends nothing. `noticesEmpty`: the caller notices a selection without
 * tests, so that a single pattern is not looked for in the list of all tests, which takes as long as a short run.
 */
export async function patternsWithoutTests(
  options: SuiteRunOptions,
  contract: Contract,
  noticesEmpty = false,
): Promise<readonly string[]> {
  const unknown = options.only.filter((pattern) => !isKnown(pattern, contract));
  // No test has the name of an operation that there is not.
  if (unknown.every(isOperationId)) return unknown;
  if (noticesEmpty && options.only.length === 1) return [];
  const { shard: _shard, ...whole } = options;
  const withCheck = unknown.filter(namesCheck);
  const others = unknown.filter((pattern) => !withCheck.includes(pattern));
  const missing = new Set(await unfit({ ...whole, only: others, skip: [] }));
  for (const only of withCheck)
    if ((await declared({ ...whole, only: [only], skip: [] })).length === 0) missing.add(only);
  return unknown.filter((pattern) => missing.has(pattern));
}

/**
 * Patterns of `--only` that fit no name of a test. Names contain the prefix of the description's servers, unless the run finds the service
 * without it, and a replay selects by such names.
 */
async function unfit(options: SuiteRunOptions): Promise<readonly string[]> {
  const { only, specSource, withoutServers } = options;
  if (only.length === 0) return [];
  const names = await declared(options);
  const missing = only.filter((pattern) => !names.some((name) => fits(pattern, name)));
  const mayBeBare = specSource !== undefined && withoutServers !== true;
  return mayBeBare ? unfit({ ...options, only: missing, withoutServers: true }) : missing;
}

/** True for a pattern with the name of a check: names of tests do not contain their checks, so that it is tried by itself. */
function namesCheck(pattern: string): boolean {
  return pattern.split(' & ').some((part) => matches(part, { suite: '', name: '', checks: Object.keys(CHECKS) }));
}

function fits(pattern: string, name: string): boolean {
  const [suite = '', operation] = name.split(' > ');
  return matches(pattern, { suite, name, checks: [], ...(operation === undefined ? {} : { operation }) });
}

/** Full names of the tests that these options select, whether their effects are allowed or not. Nothing is sent. */
export async function declared(options: SuiteRunOptions): Promise<readonly string[]> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'assay-vitest-'));
  const { createVitest } = await import('vitest/node');
  const exitCode = process.exitCode;
  const optionsFile = join(cacheDir, 'options');
  await writeFile(optionsFile, serialize(options));
  const vitest = await createVitest('test', { ...vitestOptions(optionsFile), reporters: [{}] }, viteOptions(cacheDir));
  try {
    const { testModules, unhandledErrors } = await vitest.collect();
    if (unhandledErrors.length > 0) throw unhandledErrors[0];
    return testModules.flatMap((each) => [...each.children.allTests()].map(({ name }) => name));
  } finally {
    await vitest.close();
    process.exitCode = exitCode;
    await rm(cacheDir, { recursive: true, force: true });
  }
}
