import { count } from '../../reports/index.ts';
import { EXIT, loadContract } from '../../spec/index.ts';
import { declared } from '../../suites/index.ts';
import type { OptionOf } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { print, printJson } from '../text/print.ts';
import { suiteOptions } from './suite-options.ts';
import { credentialFiles } from '../target/connection.ts';
import type { RunTarget } from '../target/target.ts';
import { refuseEmptySelection, refuseUnknownPatterns } from './verify-run.ts';

/** Listing tests needs no target. */
const NOWHERE: RunTarget = {
  baseUrl: 'http://127.0.0.1',
  tokens: { full: '' },
  connection: {},
  embedded: false,
  allow: [],
  stop: () => Promise.resolve(),
};

/** Prints the tests that a run with these settings selects; nothing is sent. */
export async function listTests({ settings, problems, directory }: Invocation<OptionOf<'verify'>>): Promise<number> {
  await credentialFiles(settings, directory, problems);
  refuse(problems);
  const options = suiteOptions(settings, NOWHERE);
  const contract = await loadContract(settings.spec);
  await refuseUnknownPatterns(options, contract, settings.shard === undefined);
  const names = await declared(options);
  refuseEmptySelection(settings, contract, names.length);
  if (settings.json) printJson(names);
  else print([...names, count(names.length, 'test')]);
  return EXIT.passed;
}
