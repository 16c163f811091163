import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AssayError, CHECKS, EXIT, loadContract } from '../../spec/index.ts';
import type { Contract, RunRecord } from '../../spec/index.ts';
import { patternsWithoutTests, readLearned, runSuites } from '../../suites/index.ts';
import type { SuiteRunOptions } from '../../suites/index.ts';
import { recordRun } from './record-run.ts';
import type { Teller } from './record-run.ts';
import { findService } from './find-service.ts';
import { startRecord } from './start-record.ts';
import { orProblem, sinksOf } from './sinks.ts';
import { suiteOptions } from './suite-options.ts';
import { openRunTarget } from './target.ts';
import { tidy, tidyEarlier } from './tidy.ts';
import { didYouMean } from '../nearest.ts';
import type { Embedded } from '../embedded.ts';
import { refuse } from '../problems.ts';
import type { VerifyOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import type { Settings } from '../options/table.ts';

type VerifySettings = Settings<VerifyOption>;

function findProblems({ settings, operands, problems }: Invocation<VerifyOption>): void {
  if (operands.length > 0)
    problems.push({
      thing: operands.join(' '),
      wrong: 'is no option',
      mend: 'suites, checks and operations are chosen with --only',
    });
  if (settings.path !== undefined && settings.seed === undefined)
    problems.push({
      thing: '--path',
      wrong: 'needs the seed that it was found with',
      mend: 'give --seed too, as the finding shows it',
    });
  if (settings.learn !== undefined && settings.learned !== undefined)
    problems.push({ thing: '--learn and --learned', wrong: 'exclude each other', mend: 'learn first, then compare' });
}

const A_NAME = 'name a suite (contract, properties, state), a check, or an operation as assay spec list shows it';

function hintFor(patterns: readonly string[], contract: Contract): string {
  const known = [...contract.operations.map(({ id }) => id), ...Object.keys(CHECKS), 'contract', 'properties', 'state'];
  return (
    patterns
      .map((pattern) => didYouMean(pattern, known))
      .filter((hint) => hint !== '')
      .join(' ') || A_NAME
  );
}

/** Of several patterns each has to choose something: a slip of the hand is no promise kept. */
async function refuseUnknown(options: SuiteRunOptions, contract: Contract): Promise<void> {
  const unknown = await patternsWithoutTests(options, contract);
  if (unknown.length > 0)
    throw new AssayError(`no test fits ${unknown.map((pattern) => `--only '${pattern}'`).join(' nor ')}`, {
      hint: hintFor(unknown, contract),
      exitCode: EXIT.usage,
    });
}

/** What was chosen can be skipped again, or not be there for want of an option. */
function refuseEmpty(settings: VerifySettings, contract: Contract, tests: number): void {
  if (tests > 0 || settings.shard !== undefined || (settings.only.length === 0 && settings.skip.length === 0)) return;
  const skips = settings.skip.length === 0 ? '' : ` --skip ${settings.skip.join(',')}`;
  throw new AssayError(`no test fits --only ${settings.only.join(',') || '*'}${skips}`, {
    hint: hintFor(settings.only, contract),
    exitCode: EXIT.usage,
  });
}

interface VerifyRun {
  readonly invocation: Invocation<VerifyOption>;
  /** As the description has it. */
  readonly loaded: Contract;
  readonly teller: Teller;
  readonly service: Promise<Embedded> | undefined;
}

async function run({ invocation, loaded, teller, service }: VerifyRun): Promise<void> {
  const { settings, signal } = invocation;
  const target = await openRunTarget(settings, service);
  const journalDir = target.embedded ? await mkdtemp(join(tmpdir(), 'assay-')) : undefined;
  try {
    const given = { ...suiteOptions(settings, target), ...(journalDir === undefined ? {} : { journalDir }) };
    teller.emit(startRecord('verify', target, loaded, given));
    await refuseUnknown(given, loaded);
    const { options, contract } =
      target.embedded && settings.spec === undefined
        ? { options: given, contract: loaded }
        : await findService(given, loaded, teller);
    if (!target.embedded) await tidyEarlier(options, contract, teller);
    const records: RunRecord[] = [];
    const onRecord = (record: RunRecord): void => {
      if (record.type === 'error' && signal.aborted) return;
      records.push(record);
      teller.emit(record);
    };
    try {
      await runSuites(options, onRecord, signal, contract);
      if (signal.aborted) return;
      refuseEmpty(settings, contract, records.filter(({ type }) => type === 'test').length);
    } finally {
      await tidy(options, contract, teller);
    }
  } finally {
    await target.stop();
    if (journalDir !== undefined) await rm(journalDir, { recursive: true, force: true });
  }
}

/** Checks all that was given, then runs the suites; `service` is the embedded one, where it is starting already. */
export async function verifyAgainst(
  invocation: Invocation<VerifyOption>,
  service: Promise<Embedded> | undefined,
): Promise<number> {
  const { settings, problems, directory, signal } = invocation;
  findProblems(invocation);
  const sinks = sinksOf(settings, directory, problems);
  const { learn, learned } = settings;
  if (learned !== undefined) orProblem('--learned', problems, () => readLearned(resolve(directory, learned)));
  if (learn !== undefined && existsSync(resolve(directory, learn)))
    orProblem('--learn', problems, () => readLearned(resolve(directory, learn)));
  refuse(problems);
  const contract = await loadContract(settings.spec);
  return recordRun(sinks, signal, async (teller) => run({ invocation, loaded: contract, teller, service }));
}
