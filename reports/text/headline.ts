import { notAllowed, refusedAll, unselected, wasSentNothing } from '../summary/reach.ts';
import { missedThresholds } from '../summary/verdict.ts';
import type { RunVerdict, Summary } from '../summary/types.ts';
import { intervalText, limitText, sustained } from './capacity.ts';
import { count, duration, thousands } from './numbers.ts';

/** The verdict in one sentence, and details; plain text that is not escaped. */
export function headline(summary: Summary): { readonly sentence: string; readonly details: readonly string[] } {
  return {
    sentence: SENTENCES[summary.verdict](summary),
    details: [
      figures(summary),
      ...timeDetails(summary),
      ...unansweredDetails(summary),
      ...generatorDetails(summary),
      ...bailDetails(summary),
      ...shardDetails(summary),
      ...reachDetails(summary),
      ...baselineDetails(summary),
      ...descriptionDetails(summary.spec),
    ],
  };
}

const SENTENCES = {
  passed: (summary) => {
    const measured = summary.requirements.length === 0 && summary.scenarios !== undefined;
    return measured ? loadSentence(summary) : verifiedSentence(summary);
  },
  failed: (summary) => sentences(violations(summary), missesText(summary), warnings(summary)),
  inconclusive: ({ reason = 'too little was tested' }) => `No verdict: ${reason}.`,
  error: (summary) => summary.errors[0]?.message ?? 'The run ended with an error.',
  interrupted: (summary) =>
    sentences(`Interrupted after ${duration(summary.durationMs)}; the results are partial.`, violations(summary)),
} as const satisfies Record<RunVerdict, (summary: Summary) => string>;

function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function verifiedSentence(summary: Summary): string {
  const { requirements, findings } = summary;
  const verified = requirements.filter((requirement) => requirement.verdict === 'verified').length;
  const excused = findings.some((finding) => finding.known && finding.severity === 'violation');
  const of =
    requirements.length === 0
      ? ''
      : `: ${thousands(verified)} of ${count(requirements.length, 'requirement')} verified`;
  const { recorded = 0 } = summary;
  const what = recorded > 0 ? `${count(recorded, 'finding')} recorded` : `No ${excused ? 'new ' : ''}violations`;
  return sentences(`${what}${of}.`, warnings(summary));
}

function warnings({ findings }: Summary): string {
  const amount = findings.filter(({ known, fails }) => !known && !fails).length;
  return amount > 0 ? `${count(amount, 'warning')}.` : '';
}

/** Ids of the requirements with findings that fail the run. */
export function failingRequirements({ findings }: Pick<Summary, 'findings'>): ReadonlySet<string | undefined> {
  return new Set(findings.filter(({ fails }) => fails).map(({ requirement }) => requirement));
}

/** How many requirements are violated, and how many of them fail the run if these are fewer, as `9 violated (6 fail the run)`. */
export function violatedText(summary: Summary): string {
  const violated = summary.requirements.filter(({ verdict }) => verdict === 'violated');
  const causes = failingRequirements(summary);
  const failing = violated.filter(({ id }) => causes.has(id)).length;
  const note =
    failing === violated.length
      ? ''
      : ` (${failing === 0 ? 'none' : thousands(failing)} ${failing > 1 ? 'fail' : 'fails'} the run)`;
  return `${thousands(violated.length)} violated${note}`;
}

function loadSentence({ capacity, scenarios = [] }: Summary): string {
  if (capacity !== undefined)
    return `${capacity.scenario} sustains ${sustained(capacity)}${intervalText(capacity)}; ${limitText(capacity)}.`;
  const met = scenarios.reduce((sum, scenario) => sum + scenario.thresholds.length, 0);
  return met === 0 ? 'Load completed; no thresholds were set.' : `All thresholds met (${met}).`;
}

function violations(summary: Summary): string {
  const failing = summary.findings.filter((finding) => finding.fails);
  if (failing.length === 0) return '';
  const requirements = new Set(failing.map((finding) => finding.requirement)).size;
  const operations = new Set(failing.map((finding) => finding.operation)).size;
  return `${count(requirements, 'requirement')} violated in ${count(operations, 'operation')} (${failingText(summary)}).`;
}

/** The findings that fail the run, and their root causes where these are fewer. */
function failingText({ findings, groups }: Summary, which = ''): string {
  const failing = findings.filter(({ fails }) => fails);
  const leads = new Set(groups.map(({ lead }) => lead));
  const causes = failing.filter(({ fingerprint }) => leads.has(fingerprint)).length;
  const probably = causes < failing.length ? `, probably ${count(causes, 'root cause')}` : '';
  return `${count(failing.length, 'finding')}${which}${probably}`;
}

/** The findings as the headline counts them, then those that do not fail the run. */
export function findingsText(summary: Summary): string {
  const { findings } = summary;
  const known = findings.filter((finding) => finding.known).length;
  const others = findings.filter(({ fails }) => !fails).length;
  const failing = findings.length - others;
  const warned = others - known;
  const parts = [
    failing === 0 ? '' : failingText(summary, others === 0 ? '' : ` that ${failing === 1 ? 'fails' : 'fail'} the run`),
    warned === 0 ? '' : count(warned, 'warning'),
    known === 0 ? '' : count(known, 'known finding'),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function missesText({ capacity, scenarios = [] }: Summary): string {
  if (capacity?.rate === 0) return `${capacity.scenario} missed its thresholds at every rate.`;
  const missed = scenarios.flatMap((scenario) =>
    missedThresholds(scenario).map(({ expression }) => `${expression} in ${scenario.name}`),
  );
  return missed.length === 0 ? '' : `${count(missed.length, 'threshold')} missed: ${missed.join(', ')}.`;
}

function figures(summary: Summary): string {
  const { passed, failed, known = 0, skipped, errors, exchanges } = summary.totals;
  const tests = [
    `${thousands(passed)} passed`,
    `${thousands(failed - known)} failed`,
    ...(known > 0 ? [`${thousands(known)} with known findings only`] : []),
    `${thousands(skipped)} skipped`,
  ];
  if (errors > 0) tests.push(count(errors, 'error'));
  const requests = (summary.scenarios ?? []).reduce(
    (sum, scenario) => sum + (scenario.detail?.sent?.total ?? scenario.requests),
    exchanges,
  );
  const ran = passed + failed + skipped + errors > 0 ? [`Tests: ${tests.join(', ')}`] : [];
  return [...ran, count(requests, 'request'), duration(summary.durationMs), `seed ${summary.seed}`].join(' · ');
}

/** How much the time of the run was too short for. */
function timeDetails({ totals, cutShort, durationMs, statistics }: Summary): string[] {
  const { passed, failed, skipped, errors, outOfTime = 0 } = totals;
  const of = ` of ${count(passed + failed + skipped + errors, 'test')}`;
  const parts = [
    ...(outOfTime > 0 ? [`${thousands(outOfTime)}${of} did not run`] : []),
    ...(cutShort.length > 0
      ? [`${thousands(cutShort.length)}${outOfTime > 0 ? '' : of} had fewer cases than planned`]
      : []),
  ];
  const { repeats = {}, waitedMs = {}, hasStopped } = statistics ?? {};
  const advice = hasStopped ? '' : '; a longer --budget or --depth thorough tests more';
  const refused = (repeats['status-429'] ?? 0) + (repeats['status-503'] ?? 0);
  const waited = Object.values(waitedMs).reduce((sum, ms) => sum + ms, 0);
  return parts.length === 0
    ? []
    : [
        `Time was too short: ${parts.join(', ')}${advice}.`,
        ...(refused > 0 && waited > durationMs
          ? [
              `The deployment asked to wait ${count(refused, 'time')} (429, 503): requests waited ${duration(waited)} in all.`,
            ]
          : []),
      ];
}

/** Which request the target may have hung on when the time was over. */
function unansweredDetails({ statistics }: Summary): string[] {
  const { unanswered = [] } = statistics ?? {};
  const [first] = unanswered;
  if (first === undefined) return [];
  const { operation, body, waitedMs } = first;
  const request = `${operation}${body === undefined ? '' : ` with the body ${body}`}`;
  return [
    unanswered.length === 1
      ? `${request} had had no response for ${duration(waitedMs)} when the time was used up.`
      : `${count(unanswered.length, 'request')} had had no response when the time was used up; the first was ${request}, sent ${duration(waitedMs)} before.`,
  ];
}

/** What to do where the load generator limited the run. */
function generatorDetails({ command, verdict, scenarios = [] }: Summary): string[] {
  const isLimited = scenarios.some(({ detail }) => detail?.generatorLimit !== undefined);
  if (verdict !== 'inconclusive' || !isLimited) return [];
  return [`Run it on a quieter machine, ${command === 'load' ? 'with a lower --rate, ' : ''}or with --fleet.`];
}

function bailDetails({ bailed }: Summary): string[] {
  return bailed === undefined
    ? []
    : [`Ended after ${count(bailed, 'finding')} (--bail); the remaining tests did not run.`];
}

function shardDetails({ options }: Summary): string[] {
  const { missingShards: missing } = options;
  return typeof missing === 'string'
    ? [`Without shard ${missing}: give assay report the folders of all shards of the run.`]
    : [];
}

/** How much of the description the run reached. */
function reachDetails(summary: Summary): string[] {
  const { reached, of } = summary.reach;
  if (of === 0) return [];
  if (reached === of) return [of === 1 ? 'The operation was reached.' : `All ${count(of, 'operation')} reached.`];
  const apart = unselected(summary).length;
  const silent = summary.operations.filter(wasSentNothing).length - apart;
  const refusing = summary.operations.filter(refusedAll).length;
  const invalid = of - reached - silent - apart - refusing;
  const parts = [
    `${thousands(reached)} of ${count(of, 'operation')} reached`,
    ...(refusing > 0 ? [`${thousands(refusing)} without a valid request that succeeded`] : []),
    ...(invalid > 0 ? [`${thousands(invalid)} received no valid request`] : []),
    ...(silent > 0 ? [`${thousands(silent)} received no request${effectsText(summary, silent)}`] : []),
    ...(apart > 0 ? [`${thousands(apart)} not selected`] : []),
  ];
  const isLittle = summary.verdict === 'passed' && reached * 2 < of - apart;
  const rest = 'The verdict says nothing about the others; with --min-reach 80%, such a run is inconclusive.';
  return [`${parts.join('; ')}.`, ...(isLittle ? [rest] : [])];
}

/** Which effects `--allow` lacks for operations that received no request. */
function effectsText(summary: Summary, silent: number): string {
  const operations = notAllowed(summary);
  if (operations.length === 0) return '';
  const effects = [...new Set(operations.map(({ effect }) => effect))].join(', ');
  const which = operations.length === silent ? '' : `${thousands(operations.length)} of them: `;
  return ` (${which}--allow lacks ${effects})`;
}

/** What of the description could not be read. */
export function descriptionDetails({ errors = [], file = '' }: Summary['spec']): string[] {
  const [first] = errors;
  if (first === undefined) return [];
  const amount = count(errors.length, 'error');
  return [
    `${amount} in the description, where any value is accepted; assay spec lint ${file} lists them. First: ${first.message} #${first.pointer}`,
  ];
}

function baselineDetails({ findings, fixed, requirements, recorded = 0, unknownInBaseline = [] }: Summary): string[] {
  const excused = new Set(findings.filter((finding) => finding.known).map((finding) => finding.fingerprint));
  const known = excused.size;
  const stopped = requirements.filter(({ stoppedBy = [] }) => stoppedBy.some((each) => excused.has(each)));
  const expired = findings.filter((finding) => finding.standing === 'expired').length;
  return [
    recorded > 0 ? `${count(recorded, 'new finding')} added to the baseline.` : '',
    known > recorded ? `${count(known - recorded, 'known finding')} from the baseline ignored.` : '',
    stopped.length > 0
      ? `Not verified because tests stopped at known findings: ${stopped.map(({ id }) => id).join(', ')}.`
      : '',
    expired > 0 ? `${count(expired, 'baseline entry', 'baseline entries')} expired; these findings count again.` : '',
    fixed.length > 0 ? `${count(fixed.length, 'finding')} of the baseline not found again.` : '',
    unknownInBaseline.length > 0
      ? `The baseline has findings in ${count(unknownInBaseline.length, 'operation')} that the description does not have (${unknownInBaseline[0]}): remove these entries, or is it of another API?`
      : '',
  ].filter((line) => line !== '');
}
