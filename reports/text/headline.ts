import { isFailing } from '../summary/verdict.ts';
import type { RunVerdict, Summary } from '../summary/types.ts';
import { count, duration, thousands } from './numbers.ts';

/** One word for the verdict, as all formats print it. */
export const VERDICT_WORD = {
  kept: 'KEPT',
  broken: 'BROKEN',
  error: 'ERROR',
  interrupted: 'INTERRUPTED',
} as const satisfies Record<RunVerdict, string>;

/** The verdict in one sentence, and how it came about in a few more; plain text, not yet escaped. */
export function headline(summary: Summary): { readonly sentence: string; readonly details: readonly string[] } {
  return { sentence: SENTENCES[summary.verdict](summary), details: [figures(summary), ...baselineDetails(summary)] };
}

const SENTENCES = {
  kept: (summary) =>
    summary.requirements.length === 0 && summary.scenarios !== undefined ? loadKept(summary) : promisesKept(summary),
  broken: (summary) => [brokenPromises(summary), missedThresholds(summary)].filter((part) => part !== '').join(' '),
  error: (summary) => summary.errors[0]?.message ?? 'The run ended with an error.',
  interrupted: (summary) => {
    const broken = brokenPromises(summary);
    return `The run was interrupted after ${duration(summary.durationMs)}; what it saw until then stands here.${broken === '' ? '' : ` ${broken}`}`;
  },
} as const satisfies Record<RunVerdict, (summary: Summary) => string>;

function promisesKept(summary: Summary): string {
  const kept = summary.requirements.filter((requirement) => requirement.verdict === 'kept').length;
  const warnings = summary.findings.filter((finding) => !finding.known).length;
  const tail = warnings > 0 ? ` ${count(warnings, 'warning')}.` : '';
  const excused = summary.findings.some((finding) => finding.known && finding.severity === 'violation');
  const claim = excused ? 'No promise is newly broken' : 'Every promise that was tried is kept';
  const of =
    summary.requirements.length > 0
      ? `: ${thousands(kept)} of ${count(summary.requirements.length, 'requirement')}`
      : '';
  return `${claim}${of}${of !== '' && excused ? ' kept' : ''}.${tail}`;
}

function loadKept(summary: Summary): string {
  if (summary.capacity !== undefined) {
    return `${summary.capacity.scenario} bears ${thousands(summary.capacity.rate)} requests/s; limited by ${summary.capacity.limitedBy}.`;
  }
  const held = (summary.scenarios ?? []).reduce((sum, scenario) => sum + scenario.thresholds.length, 0);
  return held === 0 ? 'No threshold was set; what was measured stands here.' : `All ${count(held, 'threshold')} held.`;
}

function brokenPromises(summary: Summary): string {
  const failing = summary.findings.filter((finding) => isFailing(finding, summary.strict));
  if (failing.length === 0) return '';
  const promises = new Set(failing.map((finding) => finding.requirement)).size;
  const operations = new Set(failing.map((finding) => finding.operation)).size;
  return `${count(promises, 'promise is', 'promises are')} broken, on ${count(operations, 'operation')} (${count(failing.length, 'finding')}).`;
}

function missedThresholds(summary: Summary): string {
  if (summary.capacity?.rate === 0)
    return `${summary.capacity.scenario} missed its thresholds at every rate that was tried.`;
  const missed = (summary.scenarios ?? []).flatMap((scenario) =>
    scenario.thresholds
      .filter((threshold) => !threshold.held)
      .map((threshold) => `${threshold.expression} in ${scenario.name}`),
  );
  return missed.length === 0
    ? ''
    : `${count(missed.length, 'threshold was', 'thresholds were')} missed: ${missed.join(', ')}.`;
}

function figures(summary: Summary): string {
  const { passed, failed, skipped, errors, exchanges } = summary.totals;
  const tests = [`${thousands(passed)} passed`, `${thousands(failed)} failed`, `${thousands(skipped)} skipped`];
  if (errors > 0) tests.push(`${thousands(errors)} with an error`);
  const requests = (summary.scenarios ?? []).reduce((sum, scenario) => sum + scenario.requests, exchanges);
  const ran = passed + failed + skipped + errors > 0 ? [`Tests: ${tests.join(', ')}`] : [];
  return [...ran, count(requests, 'request'), duration(summary.durationMs), `seed ${summary.seed}`].join(' · ');
}

function baselineDetails(summary: Summary): string[] {
  const known = summary.findings.filter((finding) => finding.known).length;
  const expired = summary.findings.filter((finding) => finding.standing === 'expired').length;
  const lines: string[] = [];
  if (known > 0)
    lines.push(`${count(known, 'known finding')} of the baseline ${known === 1 ? 'does' : 'do'} not fail the run.`);
  if (expired > 0)
    lines.push(`${count(expired, 'baseline entry has', 'baseline entries have')} expired and count again.`);
  if (summary.fixed.length > 0)
    lines.push(
      `${count(summary.fixed.length, 'finding')} of the baseline ${summary.fixed.length === 1 ? 'is' : 'are'} fixed.`,
    );
  return lines;
}
