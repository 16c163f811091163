import { setTimeout as delay } from 'node:timers/promises';
import type { CleanUpReport } from '../../client/index.ts';
import { EXIT } from '../../spec/index.ts';
import { pasteable } from '../command-name.ts';
import type { OptionOf } from '../catalogue.ts';
import { activeRuns, cleanJournals, countLeft } from '../target/clean.ts';
import { connectionFrom, contractFor, warnOfPlainText } from '../target/connection.ts';
import { clientOptions } from '../target/target.ts';
import { tokensOf } from '../target/tokens.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { print } from '../text/print.ts';

/** Time in which the processes of a killed run end. */
const ENDING_MS = 3000;

function reportLines({ cleaned, restored, left, forgotten }: CleanUpReport): readonly string[] {
  const hint = 'hint: assay clean --forget leaves them on the deployment and stops looking for them';
  return [
    `${cleaned} removed, ${left.length} left${forgotten > 0 ? ' and forgotten' : ''}`,
    ...restored.map((name) => `  restored: ${name}`),
    ...left.map(({ kind, id, reason }) => `  left: ${kind} ${id}: ${reason}`),
    ...(left.length > forgotten ? [pasteable(hint)] : []),
  ];
}

async function waitForEnd(baseUrl: string): Promise<readonly string[]> {
  const until = Date.now() + ENDING_MS;
  while (activeRuns(baseUrl).length > 0 && Date.now() < until) await delay(100);
  return activeRuns(baseUrl);
}

/** Removes what earlier runs created at a deployment and could not remove. */
export async function clean({ settings, problems, directory, isSet }: Invocation<OptionOf<'clean'>>): Promise<number> {
  const { baseUrl } = settings;
  if (!isSet('baseUrl'))
    problems.push({ subject: '--base-url', message: 'is missing', hint: 'give the URL of the deployment to clean' });
  const connection = await connectionFrom(settings, directory, problems);
  refuse(problems);
  if (baseUrl === undefined) return EXIT.usage;
  const active = await waitForEnd(baseUrl);
  if (active.length > 0)
    print([`A run is still active on this deployment (${active.join(', ')}); its resources are not removed.`]);
  if (countLeft(baseUrl) === 0) {
    print(['Nothing to remove.']);
    return EXIT.passed;
  }
  const contract = await contractFor(settings, connection);
  const reached = { baseUrl, tokens: tokensOf(settings, contract), connection };
  warnOfPlainText(reached, (text) => process.stderr.write(`Warning: ${text}\n`));
  const report = await cleanJournals({ target: clientOptions(settings, reached), contract, forgets: settings.forget });
  print(reportLines(report));
  return report.left.length === report.forgotten ? EXIT.passed : EXIT.failed;
}
