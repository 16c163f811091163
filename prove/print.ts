import pc from 'picocolors';
import { checksOf, isCaught, namesItsOperation } from './judge.ts';
import type { FaultResult } from './judge.ts';
import type { ProveAnswer } from './job.ts';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** One line of the matrix: the fault and what caught it. */
export function faultLine(result: FaultResult, width: number): string {
  const name = result.fault.padEnd(width);
  if (!isCaught(result)) {
    const why = result.errors[0] ?? `${result.tests} tests passed`;
    return `${pc.red('✗')} ${name}  ${pc.red('not caught')}  ${pc.dim(`${why}  ${seconds(result.durationMs)}`)}`;
  }
  const where = namesItsOperation(result) ? '' : pc.yellow('  names another operation than the catalogue');
  return `${pc.green('✓')} ${name}  ${checksOf(result, result.warns).join(', ')}${where}  ${pc.dim(seconds(result.durationMs))}`;
}

export function healthyLine(answer: ProveAnswer): string {
  const violations = answer.findings.filter(({ severity }) => severity === 'violation').length + answer.errors.length;
  const mark = violations === 0 ? pc.green('✓') : pc.red('✗');
  return `${mark} the healthy service: ${answer.tests} tests, ${violations} findings  ${pc.dim(seconds(answer.durationMs))}`;
}

/** The end of the matrix: how many were caught, and what keeps it from being a proof. */
export function verdictLines(
  results: readonly FaultResult[],
  problems: readonly string[],
  durationMs: number,
): readonly string[] {
  const caught = results.filter(isCaught).length;
  const line = `${caught} of ${results.length} faults caught in ${seconds(durationMs)}`;
  if (problems.length === 0) return ['', pc.green(`${line}; the verdict can be trusted.`)];
  return [
    '',
    ...problems.map((problem) => `${pc.red('✗')} ${problem}`),
    '',
    pc.red(`${line}; ${problems.length} to mend.`),
  ];
}

interface Described {
  readonly title: string;
  readonly breaks: string;
  readonly area: string;
}

/** The catalogue of faults: name, area, and what it does. */
export function catalogueLines(
  faults: Readonly<Record<string, Described>>,
  names: readonly string[],
): readonly string[] {
  const width = Math.max(...names.map((name) => name.length));
  return names.flatMap((name) => {
    const fault = faults[name];
    return fault === undefined ? [] : [`${name.padEnd(width)}  ${fault.area.padEnd(10)}  ${fault.title}`];
  });
}
