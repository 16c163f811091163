import { diagnose } from '../../client/index.ts';
import type { Diagnosis } from '../../client/index.ts';
import { count } from '../../reports/index.ts';
import { defined } from '../../spec/defined.ts';
import { AssayError, EFFECTS, EXIT } from '../../spec/index.ts';
import type { Contract, Effect } from '../../spec/index.ts';
import { paceAt, planSuites, runMs } from '../../suites/index.ts';
import type { SuiteRunOptions, TestPlan } from '../../suites/index.ts';
import { countLeft } from './clean.ts';
import { plainTextProblem } from './connection.ts';
import type { Advice } from './connection.ts';
import { findService } from './find-service.ts';
import type { RunTarget } from './target.ts';
import { missingSecrets } from './tokens.ts';

export interface Checkup {
  readonly baseUrl: string;
  readonly spec: { readonly title: string; readonly operations: number };
  /** Why a run would end at once, if it would. */
  readonly problem?: Advice;
  /** Whether a run can begin, by the exit code. */
  readonly exitCode: number;
  readonly diagnosis?: Diagnosis;
  readonly effects: { readonly allowed: readonly Effect[]; readonly notAllowed: readonly Effect[] };
  readonly plan?: TestPlan;
  readonly seconds?: number;
  /** What keeps a run from testing more, or safely. */
  readonly missing: readonly Advice[];
}

const TOKENS = {
  limited: ['no limited token is given', 'add --limited-token TOKEN to test 403 on every operation'],
  expired: [
    'no expired token is given',
    'add --expired-token TOKEN to test 401 with an expired token on every operation',
  ],
} as const;

/** Tokens that expire before a run of this length ends. */
function endingTokens({ identities }: Diagnosis, seconds = 0): readonly Advice[] {
  const end = Date.now() + seconds * 1_000;
  return identities
    .filter(({ identity, endsAt }) => identity !== 'expired' && endsAt !== undefined && Date.parse(endsAt) < end)
    .map(({ name, endsAt = '' }) => ({
      message: `the ${name} expires at ${endsAt}, before a run would finish, and is not renewed`,
      hint: 'use a token with a longer lifetime, or configure renewal (auth in docs/configuration.md)',
    }));
}

/** Tests that need effects which are not allowed. */
function skippedBy({ lacking }: TestPlan, { allow }: RunTarget): readonly Advice[] {
  const effects = EFFECTS.filter((effect) => lacking[effect] !== undefined);
  const tests = effects.reduce((sum, effect) => sum + (lacking[effect] ?? 0), 0);
  if (tests === 0) return [];
  const parts = effects.map((effect) => `${effect} (${lacking[effect]})`).join(', ');
  return [
    {
      message: `${count(tests, 'test')} would be skipped, by the effect that is not allowed: ${parts}`,
      hint: `--allow ${[...allow, ...effects].join(',')} runs them, if the deployment may be changed in this way`,
    },
  ];
}

/** A token of the wrong kind and a run without tests are mistakes of the settings. */
function exitCodeOf({ identities }: Diagnosis, { tests }: TestPlan): number {
  return tests === 0 || identities.some(({ problem }) => problem !== undefined) ? EXIT.usage : EXIT.passed;
}

function missingOf(
  target: RunTarget,
  contract: Contract,
  {
    diagnosis,
    plan,
    seconds,
  }: { readonly diagnosis: Diagnosis; readonly plan: TestPlan; readonly seconds?: number | undefined },
): readonly Advice[] {
  const missing: Advice[] = [...missingSecrets(target.tokens, contract), ...endingTokens(diagnosis, seconds)];
  for (const { identity, given } of diagnosis.identities)
    if (!given && (identity === 'limited' || identity === 'expired'))
      missing.push({ message: TOKENS[identity][0], hint: TOKENS[identity][1] });
  missing.push(...skippedBy(plan, target));
  const errors = contract.problems.filter(({ severity }) => severity === 'error').length;
  if (errors > 0)
    missing.push({
      message: `${count(errors, 'error')} in the description, where any value is accepted`,
      hint: 'assay spec lint lists them; correct them to test more',
    });
  const left = countLeft(target.baseUrl);
  if (left > 0)
    missing.push({
      message: `earlier runs left ${count(left, 'resource')}`,
      hint: 'remove them with assay clean, or start a run',
    });
  const plainText = plainTextProblem(target);
  return plainText === undefined ? missing : [...missing, plainText];
}

function secondsOf({ operations }: TestPlan, latencyMs: number, options: SuiteRunOptions): number {
  return Math.ceil(runMs({ ...options, operations }, paceAt(latencyMs), options.maxTimeMs) / 1000);
}

/** Checks a deployment with GET requests that change nothing. */
export async function checkUp(target: RunTarget, options: SuiteRunOptions, loaded: Contract): Promise<Checkup> {
  const { baseUrl, allow } = target;
  const effects = { allowed: allow, notAllowed: EFFECTS.filter((effect) => !allow.includes(effect)) };
  const common = { baseUrl, spec: { title: loaded.title, operations: loaded.operations.length }, effects };
  try {
    const found = await findService(options, loaded, { note: () => undefined });
    const diagnosis = await diagnose(found.options, found.contract);
    const plan = await planSuites(found.options, found.contract);
    const { latencyMs } = diagnosis;
    const seconds = latencyMs === undefined ? undefined : secondsOf(plan, latencyMs, options);
    const missing = missingOf(target, found.contract, { diagnosis, plan, seconds });
    return { ...common, exitCode: exitCodeOf(diagnosis, plan), diagnosis, plan, ...defined({ seconds }), missing };
  } catch (error) {
    if (!(error instanceof AssayError) || error.exitCode === EXIT.usage) throw error;
    const { message, hint, exitCode } = error;
    return { ...common, exitCode, problem: { message, hint }, missing: [] };
  }
}
