import { count } from '../spec/count.ts';
import pc from 'picocolors';
import { VARIATIONS } from './healthy/index.ts';
import type { Contract } from '../spec/index.ts';
import { allDefects } from './defect.ts';
import type { Defect } from './defect.ts';
import type { ProofSelection } from './index.ts';
import type { DefectResult } from './prove-defects.ts';
import type { HealthyResult, Score } from './score.ts';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const share = (caught: number, of: number): string => `${caught}/${of}`.padStart(9);

export function defectLine({ defect, checks, isCaught, isMet, errors, durationMs }: DefectResult): string {
  const end = pc.dim(seconds(durationMs));
  if (isCaught) return `${pc.green('✓')} ${defect.name}  ${checks.join(', ')}  ${end}`;
  if (!isMet) return `${pc.yellow('–')} ${defect.name}  ${pc.yellow('affected no request')}  ${end}`;
  return `${pc.red('✗')} ${defect.name}  ${pc.red('not caught')}  ${pc.dim(errors[0] ?? '')}  ${end}`;
}

/**
 * One line per run against a healthy service, one per warning, and one for what the run left behind. A warning may be right, but must be
 * true; what is left must be what the service refuses to remove.
 */
export function healthyLine({ name, answer }: HealthyResult): string {
  const violations = answer.findings.filter(({ severity }) => severity === 'violation').length;
  const warned = answer.findings.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
  const warnings = [...new Set(warned)].map((message) => `    ${pc.yellow('warning')} ${message}`);
  const [first] = answer.left;
  const left =
    first === undefined ? [] : [`    ${pc.yellow('left')} ${count(answer.left.length, 'item')}, for example ${first}`];
  const passed = violations + answer.errors.length === 0 && answer.tests > 0;
  const mark = passed ? pc.green('✓') : pc.red('✗');
  const counts = `${count(answer.tests, 'test')}, ${answer.skipped} skipped, ${count(violations, 'violation')}, ${count(warnings.length, 'warning')}, ${count(answer.errors.length, 'error')}`;
  return [`${mark} healthy: ${name}  ${counts}  ${pc.dim(seconds(answer.durationMs))}`, ...warnings, ...left].join(
    '\n',
  );
}

function tables({ byOperator, byCheck }: Score): readonly string[] {
  if (byOperator.length === 0) return [];
  return [
    '',
    'Caught by operator',
    ...byOperator.map(
      ({ origin, caught, of }) => `${caught === of ? ' ' : pc.red('✗')}${share(caught, of)}  ${origin}`,
    ),
    '',
    'Caught by check (in parentheses: by this check only)',
    ...byCheck
      .filter(({ caught }) => caught > 0)
      .map(({ check, caught, alone }) => `  ${`${caught} (${alone})`.padStart(10)}  ${check}`),
  ];
}

/** The score, the defects that were not caught, and the problems. */
export function scoreLines(score: Score, problems: readonly string[], durationMs: number): readonly string[] {
  const { caught, of, survivors, unmet } = score;
  const caughtLine = `${caught} of ${of} defects caught (${((100 * caught) / Math.max(1, of)).toFixed(1)}%)`;
  const line = `${score.byOperator.length === 0 ? 'Healthy variations only' : caughtLine} in ${seconds(durationMs)}`;
  return [
    ...tables(score),
    '',
    ...survivors.map(
      ({ defect: { name, title, breaks } }) =>
        `${pc.red('not caught')} ${name}: ${title === '' ? '' : `${title} `}It contradicts: ${breaks}`,
    ),
    ...unmet.map(({ defect }) => `${pc.yellow('not counted')} ${defect.name}: affected no request of the suites`),
    ...problems.map((problem) => `${pc.red('✗')} ${problem}`),
    '',
    problems.length === 0
      ? pc.green(`${line}. No problems.`)
      : pc.red(`${line}. ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`),
  ];
}

/** What a defect does; those written by hand have no title but their name, and tell what they contradict. */
function aboutOf({ title, breaks }: Defect): string {
  return title === '' ? `Contradicts: ${breaks}.` : title;
}

/** All defects, for a list of names. */
export function faultRows(contract: Contract): readonly { readonly name: string; readonly about: string }[] {
  return allDefects(contract).map((defect) => ({ name: defect.name, about: aboutOf(defect) }));
}

/** The catalogue: one line per defect and healthy variation or group of them. */
export function catalogueLines({ defects, healthy }: ProofSelection): readonly string[] {
  return [
    ...defects.map(
      (defect) =>
        `${defect.name}  ${pc.dim(`${aboutOf(defect)}${defect.warns ? ' A warning counts as caught.' : ''}`)}`,
    ),
    ...healthy.map((names) => {
      const reasons = names.map((name) => VARIATIONS.find((each) => each.name === name)?.why ?? '');
      return `${names.join('+')}  ${pc.dim(`A correct service may do this: ${[...new Set(reasons)].join('; ')}.`)}`;
    }),
  ];
}
