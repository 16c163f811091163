import { existsSync } from 'node:fs';
import { journalFolders, NOT_DESCRIBED } from '../../client/index.ts';
import type { CleanUpReport } from '../../client/index.ts';
import { amountOf } from '../../spec/count.ts';
import { EXIT, isUrl } from '../../spec/index.ts';
import { pasteable } from '../command-name.ts';
import type { OptionOf } from '../catalogue.ts';
import { cleanJournals, countLeft, NOTHING, specsOfRuns, waitForEnd } from '../target/clean.ts';
import { connectionFrom, contractFor, warnOfPlainText } from '../target/connection.ts';
import { clientOptions } from '../target/target.ts';
import { tokensOf } from '../target/tokens.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { print, printJson } from '../text/print.ts';
import { groupLeft } from '../../reports/index.ts';

function reportLines(
  { cleaned, gone, restored, left, forgotten }: CleanUpReport,
  specs: readonly (string | undefined)[],
  verbose: boolean,
): readonly string[] {
  const hint = 'hint: assay clean --forget leaves them on the deployment and stops looking for them';
  const named = specs.flatMap((spec) => spec ?? []).join(' or ');
  const another = `hint: the run used another description${named === '' ? '' : ` (${named})`}: give it with --spec`;
  return [
    `${cleaned} removed, ${amountOf(left)} left${forgotten > 0 ? ' and forgotten' : ''}${gone > 0 ? `, ${gone} not found` : ''}`,
    ...restored.map((name) => `  restored: ${name}`),
    ...(verbose
      ? left.map(({ kind, id, reason, count = 1 }) => `  ${count} left: ${kind} ${id}: ${reason}`)
      : groupLeft(left).map(({ text, items }) => `  ${amountOf(items)} left: ${text}`)),
    ...(left.some(({ status }) => status === NOT_DESCRIBED) ? [another] : []),
    ...(amountOf(left) > forgotten ? [pasteable(hint)] : []),
  ];
}

const asJson = ({ cleaned, gone, left, forgotten, restored }: CleanUpReport): object => ({
  removed: cleaned,
  notFound: gone,
  left,
  forgotten,
  restored,
});

/** The description of the runs, if all had the same one and it is still there. */
function specOf([spec, ...others]: readonly (string | undefined)[]): string | undefined {
  return spec !== undefined && others.length === 0 && (isUrl(spec) || existsSync(spec)) ? spec : undefined;
}

/** Removes what earlier runs created at a deployment and could not remove. */
export async function clean({ settings, problems, directory, isSet }: Invocation<OptionOf<'clean'>>): Promise<number> {
  const { baseUrl } = settings;
  if (!isSet('baseUrl'))
    problems.push({ subject: '--base-url', message: 'is missing', hint: 'give the URL of the deployment to clean' });
  const connection = await connectionFrom(settings, directory, problems);
  refuse(problems);
  if (baseUrl === undefined) return EXIT.usage;
  const { json } = settings;
  const note = (line: string): void => void (json ? process.stderr : process.stdout).write(`${line}\n`);
  const active = await waitForEnd(baseUrl);
  if (active.length > 0)
    note(`A run is still active on this deployment (${active.join(', ')}); its resources are not removed.`);
  if (countLeft(baseUrl) === 0) {
    if (json) printJson(asJson(NOTHING));
    else note(`Nothing to remove: no journal in ${journalFolders().join(' or ')} lists an item of this deployment.`);
    return EXIT.passed;
  }
  const specs = specsOfRuns(baseUrl);
  const spec = settings.spec ?? specOf(specs);
  if (spec !== settings.spec) note(`Description of the run: ${spec}`);
  const contract = await contractFor({ ...settings, spec }, connection);
  const reached = { baseUrl, tokens: tokensOf(settings, contract), connection };
  warnOfPlainText(reached, (text) => process.stderr.write(`Warning: ${text}\n`));
  const report = await cleanJournals({ target: clientOptions(settings, reached), contract, forgets: settings.forget });
  if (json) printJson(asJson(report));
  else print(reportLines(report, specs, settings.verbose));
  return amountOf(report.left) === report.forgotten ? EXIT.passed : EXIT.failed;
}
