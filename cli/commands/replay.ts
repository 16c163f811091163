import { join, resolve as inDirectory } from 'node:path';
import { readLog, recordsOf, testsOf, viewOf } from '../../reports/index.ts';
import type { MergedFinding } from '../../reports/index.ts';
import type { FindingCode, RunRecord, RunStart } from '../../spec/index.ts';
import { COMMAND_OPTIONS } from '../command-options.ts';
import type { OptionOf } from '../catalogue.ts';
import { verifyAgainst } from '../verify/verify-run.ts';
import type { Invocation } from '../invocation.ts';
import { EFFECTS } from '../../spec/contract.ts';
import { startEmbedded } from '../embedded.ts';
import { resolve } from '../options/resolve.ts';
import type { Settings } from '../options/table.ts';
import { orProblem, refuse } from '../problems.ts';
import type { Problem } from '../problems.ts';

type ReplayInvocation = Invocation<OptionOf<'replay'>>;

const LEAST_DIGITS = 4;

/** Most fingerprints in an error. */
const NAMED = 5;

/** What the log says about a finding: how its run was started, and the test that found it. */
interface Replay {
  readonly start: RunStart;
  readonly finding: MergedFinding;
  readonly test: string;
}

function findReplay(
  records: readonly RunRecord[],
  asked: string,
  dir: string,
  problems: Problem[],
): Replay | undefined {
  const [start] = recordsOf(records, 'run-start');
  const { findings } = viewOf(records).summary;
  const matching = findings.filter(({ fingerprint }) => fingerprint.startsWith(asked.toLowerCase()));
  const [finding] = asked.length < LEAST_DIGITS ? [] : matching;
  const test = testsOf(records).find(({ findings: own }) =>
    own.some(({ fingerprint, replay }) => fingerprint === finding?.fingerprint && replay === finding.replay),
  );
  if (start !== undefined && finding !== undefined && test !== undefined && matching.length === 1)
    return { start, finding, test: test.name };
  const known = findings.slice(0, NAMED).map(({ fingerprint, code }) => `${fingerprint} (${code})`);
  problems.push({
    subject: asked,
    message:
      matching.length > 1 ? `matches several findings in ${dir}` : `is not the fingerprint of a finding in ${dir}`,
    hint:
      known.length === 0
        ? 'its run has no findings; name the folder of another run: assay replay FINGERPRINT DIR'
        : `its findings: ${known.join(', ')}${findings.length > NAMED ? ', …' : ''}`,
  });
  return undefined;
}

/** The allowed effects of a log; all, if it does not say. */
const effectsOf = (allow: unknown) =>
  Array.isArray(allow) ? EFFECTS.filter((effect) => allow.includes(effect)) : EFFECTS;

/** The settings of the run that found it, for its test only; settings of the replay take precedence. */
function settingsFor(
  invocation: ReplayInvocation,
  { start, finding, test }: Replay,
  dir: string,
): Settings<OptionOf<'verify'>> {
  const { settings, isSet } = invocation;
  const { options, target } = start;
  const spec = options['specSource'];
  const numberOf = (name: 'settle' | 'timeout' | 'maxRate', logged: unknown): number | undefined =>
    isSet(name) || typeof logged !== 'number' ? settings[name] : logged;
  return {
    ...resolve(COMMAND_OPTIONS.verify, [], []),
    ...settings,
    baseUrl: settings.baseUrl ?? (target.embedded ? undefined : target.baseUrl),
    spec: settings.spec ?? (typeof spec === 'string' ? spec : undefined),
    allow: settings.allow ?? effectsOf(options['allow']),
    insecure: settings.insecure || options['insecure'] === true,
    settle: numberOf('settle', options['settleMs']) ?? settings.settle,
    timeout: numberOf('timeout', options['timeoutMs']),
    maxRate: numberOf('maxRate', options['maxRate']),
    out: isSet('out') ? settings.out : join(dir, 'replay'),
    only: [test],
    seed: finding.seed ?? start.seed,
    path: finding.path,
    strict: settings.strict || options['strict'] === true,
  };
}

/** The code of findings whose tests look again some time after the last call, and compare that with what they saw before. */
const WAITS_ITSELF = 'model-conformance/not-lasting' satisfies FindingCode;

/** Runs the test of a finding again, with the same seed and, where there is one, the same counterexample. */
export async function replay(invocation: ReplayInvocation): Promise<number> {
  const { operands, problems, directory } = invocation;
  const [asked = '', given = 'assay-report'] = operands;
  const dir = inDirectory(directory, given);
  const records = (await orProblem(given, problems, () => readLog(dir))) ?? [];
  const found = records.length === 0 ? undefined : findReplay(records, asked, given, problems);
  refuse(problems);
  if (found === undefined) throw new Error('neither a finding nor a problem');
  const settings = settingsFor(invocation, found, dir);
  const service = settings.baseUrl === undefined ? startEmbedded() : undefined;
  const { fingerprint, code: kind, pauseSeconds, recurred } = found.finding;
  const code = await verifyAgainst({ ...invocation, settings, isSet: () => false, isFlag: () => false }, service, {
    ...(pauseSeconds === undefined || kind === WAITS_ITSELF ? {} : { pauseMs: pauseSeconds * 1000 }),
    ...(recurred === false ? { unproven: fingerprint } : {}),
  });
  if (!settings.json) process.stdout.write(`${fingerprint} ${outcome(found.finding, settings.out)}\n`);
  return code;
}

function outcome({ fingerprint, recurred }: MergedFinding, out: string): string {
  const { findings, totals } = viewOf(readLog(out)).summary;
  if (findings.some((each) => each.fingerprint === fingerprint)) return 'was reproduced.';
  if (totals.passed + totals.failed === 0) return 'was not tested again: see the reason above.';
  if (recurred === false) return 'was not reproduced, which proves nothing: see the reason above.';
  return 'was not reproduced: the defect is fixed, or it is intermittent.';
}
