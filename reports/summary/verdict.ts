import { EXIT } from '../../spec/index.ts';
import type { RunEnd } from '../../spec/index.ts';
import type { MergedFinding, RunVerdict, Summary } from './types.ts';

type Judged = Omit<Summary, 'verdict'>;

/**
 * The verdict of a run. An interrupted run (or one whose log has no end) has none of its own; a lost target comes before its
 * findings, which may stem from that; a broken promise comes before an error of the harness.
 */
export function verdictOf(summary: Judged, end: RunEnd | undefined): RunVerdict {
  if (end?.interrupted !== false && !targetLost(summary)) return 'interrupted';
  if (targetLost(summary)) return 'error';
  if (hasBroken(summary, summary.strict) || missesThreshold(summary)) return 'broken';
  return summary.errors.length > 0 ? 'error' : 'kept';
}

/** True where a finding fails the run: it is not known, and no mere warning unless warnings count. */
export function isFailing(finding: MergedFinding, strict: boolean): boolean {
  return !finding.known && (strict || finding.severity === 'violation');
}

/** The documented exit code of a run; `strict` (default: as the run was started) makes warnings fail too. */
export function exitCodeOf(summary: Summary, options: { readonly strict?: boolean } = {}): number {
  const strict = options.strict ?? summary.strict;
  if (summary.verdict === 'interrupted') return EXIT.interrupted;
  if (targetLost(summary)) return EXIT.unreachable;
  if (missesThreshold(summary)) return EXIT.threshold;
  if (hasBroken(summary, strict)) return EXIT.broken;
  const told = summary.errors.find((error) => error.exitCode !== undefined);
  return summary.errors.length > 0 ? (told?.exitCode ?? EXIT.internal) : EXIT.kept;
}

function targetLost(summary: Judged): boolean {
  return summary.errors.some((error) => error.exitCode === EXIT.unreachable);
}

function hasBroken(summary: Judged, strict: boolean): boolean {
  return summary.findings.some((finding) => isFailing(finding, strict));
}

function missesThreshold(summary: Judged): boolean {
  if (summary.command === 'capacity') return summary.capacity?.rate === 0;
  return (summary.scenarios ?? []).some((scenario) => scenario.thresholds.some((threshold) => !threshold.held));
}
