import { count, duration, errorCount, thousands } from '../text/numbers.ts';
import { EXIT } from '../../spec/index.ts';
import type { RunEnd } from '../../spec/index.ts';
import { isSelection } from './reach.ts';
import { searchesOf } from './types.ts';
import type { RunVerdict, Scenario, Search, Summary } from './types.ts';

type Judged = Omit<Summary, 'verdict' | 'reason'>;

/**
 * The verdict of a run. An interrupted run (or one whose log has no end) has none of its own. A lost target or token
 * takes precedence over findings, which may stem from it; a violation takes precedence over an error of the harness.
 */
export function verdictOf(summary: Judged, end: RunEnd | undefined): Pick<Summary, 'verdict' | 'reason'> {
  const verdict = decidedBy(summary, end);
  if (verdict !== undefined) return { verdict };
  const reason = whyCutOff(summary) ?? whyInconclusive(summary);
  return reason === undefined ? { verdict: 'passed' } : { verdict: 'inconclusive', reason };
}

function decidedBy(summary: Judged, end: RunEnd | undefined): RunVerdict | undefined {
  if (targetLost(summary) || wasUnusable(summary)) return 'error';
  if (end?.interrupted !== false) return 'interrupted';
  if (whyCutOff(summary) !== undefined) return undefined;
  if (hasViolation(summary) || missesThreshold(summary)) return 'failed';
  return summary.errors.length > 0 ? 'error' : undefined;
}

/** The documented exit code of a run. */
export function exitCodeOf(summary: Summary): number {
  if (summary.verdict === 'interrupted') return EXIT.interrupted;
  if (targetLost(summary)) return EXIT.unreachable;
  if (wasUnusable(summary)) return EXIT.usage;
  if (whyCutOff(summary) !== undefined) return EXIT.inconclusive;
  if (missesThreshold(summary)) return EXIT.threshold;
  if (hasViolation(summary)) return EXIT.failed;
  if (summary.verdict === 'inconclusive') return EXIT.inconclusive;
  if (summary.verdict === 'passed') return EXIT.passed;
  return summary.errors.find((error) => error.exitCode !== undefined)?.exitCode ?? EXIT.internal;
}

/** True for a run that did not test all that it was to test, so that a finding that it lacks may be there still. */
export function isCutOff(summary: Summary): boolean {
  const { verdict, bailed, options } = summary;
  // A shard alone is complete as such.
  const lacksShards = options['shard'] === undefined && options['missingShards'] !== undefined;
  const isShort = bailed !== undefined || lacksShards || wasRefused(summary);
  return verdict === 'interrupted' || verdict === 'error' || isShort || whyCutOff(summary) !== undefined;
}

/** Largest share of the time of a run in which a target may answer nothing but 429, at its end. */
const MOST_REFUSED = 0.5;

const NOT_REACHED = 'no operation answered a valid request successfully';

const UNPROVEN =
  'the finding was not reproduced, but it did not happen in its own run either when its test ran alone, and probably depends on other calls';

/** Why too little was tested for a verdict. A shard may be empty, and a selection may have only invalid requests. */
function whyInconclusive(summary: Judged): string | undefined {
  const { command, options, operations, totals, scenarios = [], reach, skips, findings } = summary;
  if (command !== 'verify') {
    const limited = scenarios.find(({ detail }) => detail?.generatorLimit !== undefined);
    if (limited?.detail?.generatorLimit !== undefined)
      return `the load generator, not the target, limited ${limited.name}: ${limited.detail.generatorLimit}`;
    const search = searchesOf(summary).find(isUnconfirmed);
    if (search !== undefined) return unconfirmedText(search);
    const unmeasured = command === 'capacity' ? undefined : scenarios.find(({ requests }) => requests === 0);
    if (unmeasured !== undefined) return `no request of ${unmeasured.name} was measured`;
    const silent = scenarios.length > 0 && scenarios.every(({ requests, errors }) => errorCount(errors) >= requests);
    return silent
      ? 'no request was answered successfully'
      : scenarios.map(tooLittleLoad).find((each) => each !== undefined);
  }
  if (typeof options['missingShards'] === 'string') return `shard ${options['missingShards']} of this run is missing`;
  if (wasRefused(summary)) return 'for most of the run, the target answered every request with 429 (too many requests)';
  if (options['shard'] !== undefined) return undefined;
  const hung = whyHung(summary);
  if (hung !== undefined) return hung;
  if (operations.length === 0) return 'the description has no operations';
  if (totals.passed + totals.failed + totals.errors === 0) {
    if (totals.exchanges === 0) return 'no test ran: all were skipped or not selected (see --only, --skip and --allow)';
    return reach.reached === 0 ? NOT_REACHED : `every test was skipped: ${skips[0]?.reason ?? 'without a reason'}`;
  }
  if (reach.reached === 0 && !isSelection(options)) return NOT_REACHED;
  if (
    typeof options['unproven'] === 'string' &&
    !findings.some(({ fingerprint }) => fingerprint === options['unproven'])
  )
    return UNPROVEN;
  return tooLittleReach(reach, options['minReach']);
}

/** Why a run whose target no longer responded tested too little, though it was not given up yet. */
function whyHung({ statistics, totals }: Judged): string | undefined {
  const [first] = statistics?.unanswered ?? [];
  const { passed, failed, skipped, errors, outOfTime = 0 } = totals;
  const tests = passed + failed + skipped + errors;
  if (first === undefined || statistics?.hasStopped !== true || outOfTime * 2 < tests) return undefined;
  return `the target had stopped responding: ${first.operation} had had no response for ${duration(first.waitedMs)} when the time was used up, and ${thousands(outOfTime)} of ${count(tests, 'test')} did not run`;
}

/** With a smaller share of requests sent, or a larger share of time with gaps, a fleet run is inconclusive. */
const LEAST_SENT = 0.99;
const MOST_GAP = 0.2;

/** True if a search has no rate to rely on, and the target is not known to be the reason. Older logs have no `confirmed`. */
function isUnconfirmed({ confirmed, limitedBy, rate }: Search): boolean {
  return rate > 0 ? confirmed === false : limitedBy === 'time' || limitedBy === 'generator';
}

function unconfirmedText({ scenario, rate, limitedBy }: Search): string {
  if (rate > 0)
    return `${scenario} met its thresholds at ${thousands(rate)} requests/s, but the rate was not confirmed`;
  return `no rate of ${scenario} was confirmed${limitedBy === 'generator' ? ': the load generator is too slow' : ''}`;
}

/** Why a fleet has sent too little for a verdict on thresholds. */
function tooLittleLoad({ name, detail }: Scenario): string | undefined {
  const { fleet, stopped } = detail ?? {};
  if (fleet === undefined) return undefined;
  const percent = (share: number): string => `${Math.floor(share * 1000) / 10}%`;
  if (stopped === 'agent-lost') return `an agent was lost, and --on-loss stop ended ${name}`;
  if (!fleet.balanced) return `the request counts of the fleet do not add up in ${name}`;
  if (fleet.sentShare < LEAST_SENT)
    return `only ${percent(fleet.sentShare)} of the planned requests of ${name} were sent after the warm-up`;
  if (fleet.gapShare >= MOST_GAP) return `a part of the load was missing in ${percent(fleet.gapShare)} of ${name}`;
  return undefined;
}

function tooLittleReach({ reached, of }: Summary['reach'], least: unknown): string | undefined {
  if (typeof least !== 'number' || reached * 100 >= least * of) return undefined;
  const share = Math.floor((reached * 1000) / Math.max(1, of)) / 10;
  return `${reached} of ${of} operations (${share}%) answered a valid request successfully, and --min-reach asks for ${least}%`;
}

/** Why a run ended before it could have a verdict: its token was no longer accepted. */
function whyCutOff({ errors }: Judged): string | undefined {
  return errors.find(({ exitCode }) => exitCode === EXIT.inconclusive)?.message;
}

function wasRefused({ statistics }: Judged): boolean {
  return (statistics?.refusedShare ?? 0) > MOST_REFUSED;
}

function targetLost(summary: Judged): boolean {
  return summary.errors.some((error) => error.exitCode === EXIT.unreachable);
}

/** True if a mistake in a scenario, not the target, ended the run. */
function wasUnusable(summary: Judged): boolean {
  return summary.command !== 'verify' && summary.errors.some((error) => error.exitCode === EXIT.usage);
}

function hasViolation(summary: Judged): boolean {
  return summary.findings.some((finding) => finding.fails);
}

function missesThreshold(summary: Judged): boolean {
  if (summary.command === 'capacity') return summary.capacity?.rate === 0 && !isUnconfirmed(summary.capacity);
  return (summary.scenarios ?? []).some(
    (scenario) => scenario.detail?.generatorLimit === undefined && missedThresholds(scenario).length > 0,
  );
}

/** The thresholds of a scenario that were missed: where no request was measured, they tell nothing. */
export function missedThresholds({ requests, thresholds }: Scenario): Scenario['thresholds'] {
  return requests === 0 ? [] : thresholds.filter(({ held }) => !held);
}
