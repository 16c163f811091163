import { EXIT } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { connectionFrom, contractFor } from '../target/connection.ts';
import { checkUp } from '../target/checkup.ts';
import { suiteOptions } from '../verify/suite-options.ts';
import { openRunTarget } from '../target/target.ts';
import { unlessInterrupted } from '../interrupt.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { redact, redactAll } from '../secrets.ts';
import { checkupLines } from '../text/doctor.ts';
import { print, printJson, screenColumns, wrapLines } from '../text/print.ts';
import { VERSION } from '../version.ts';

/** Checks a deployment before a run, without changing it. */
export async function doctor(invocation: Invocation<OptionOf<'doctor'>>): Promise<number> {
  const { settings, problems, directory, isSet } = invocation;
  if (!isSet('baseUrl'))
    problems.push({ subject: '--base-url', message: 'is missing', hint: 'give the URL of the deployment to check' });
  const connection = await connectionFrom(settings, directory, problems);
  refuse(problems);
  const checkup = await unlessInterrupted(invocation.signal, async () => {
    const contract = await contractFor(settings, connection);
    const target = await openRunTarget(settings, connection, contract);
    return checkUp(target, suiteOptions(settings, target), contract);
  });
  const { exitCode, ...found } = checkup;
  const summary = { tool: 'assay', version: VERSION, command: 'doctor', ready: exitCode === EXIT.passed, ...found };
  if (settings.json) printJson(redactAll(summary));
  else print(checkupLines(checkup).map((line) => wrapLines(redact(line), screenColumns())));
  return exitCode;
}
