import { AssayError, EXIT } from '../../spec/index.ts';
import type { Contract, TokenName } from '../../spec/index.ts';
import { endsSession } from '../../spec/ends-session.ts';
import { isRefused, showsAcceptance } from '../token-acceptance.ts';
import type { TargetOptions } from '../options.ts';
import { createTarget } from '../pipeline.ts';
import type { Target } from '../pipeline.ts';
import { labelOf } from '../tokens.ts';
import { failureProblem } from './failure-problems.ts';
import { chooseProbes, isRefusedByGateway, probeOf, readsByScheme, sendProbe } from './probes.ts';
import type { Probed, TargetProblem } from './probes.ts';
import { areAlike, lackedPermission, refusedSecretsProblem, responseProblem } from './response-problems.ts';
import { suggestBaseUrl, suggestHttps } from './suggest.ts';

export interface PreflightOptions {
  /** The target may be a mock, which gives every request the same response. */
  readonly maybeMock?: boolean;
  /** A token without one of the permissions is a problem. */
  readonly needsAll?: boolean;
  /** Only the full token is used, so that the others are not checked. */
  readonly isOnlyFull?: boolean;
}

const GIVE_UP_AFTER = 2;

/** True if further probes are useless: nothing has responded, and nothing will, or a gateway refused all, repeats included. */
function isHopeless(probed: readonly Probed[]): boolean {
  if (probed.length >= GIVE_UP_AFTER && probed.every(({ exchange }) => isRefusedByGateway(exchange))) return true;
  const kinds = probed.map(({ exchange }) => exchange.failure?.kind);
  if (kinds.includes(undefined)) return false;
  return /refused|dns|tls|aborted/.test(kinds.at(-1) ?? '') || kinds.length >= GIVE_UP_AFTER;
}

/** After so many successes with a permission, no further probes of it are needed. More than one, because a single operation may not check tokens. */
const SUCCESSES = 2;

/** Sends probes until some of each permission have succeeded. */
async function sendProbes(target: Target, contract: Contract): Promise<readonly Probed[]> {
  const probed: Probed[] = [];
  const successes = new Map<string, number>();
  for (const probe of chooseProbes(contract)) {
    const { permission } = probe.operation;
    const before = successes.get(permission) ?? 0;
    if (before >= SUCCESSES) continue;
    const result = await sendProbe(target, probe);
    probed.push(result);
    if (result.exchange.response?.status === 200) successes.set(permission, before + 1);
    if (isHopeless(probed)) break;
  }
  return probed.length > 0 ? probed : [await sendProbe(target, probeOf('/'))];
}

async function silenceProblem(
  target: Target,
  contract: Contract,
  [first]: readonly Probed[],
): Promise<TargetProblem | undefined> {
  if (first === undefined) return undefined;
  const kind = first.exchange.failure?.kind;
  const https = kind === 'reset' || kind === 'protocol' ? await suggestHttps(target, contract) : undefined;
  return https ?? failureProblem(target, first.exchange);
}

/** A server that responds in the same way to everything, even an unknown path, is not the service, except for a mock. */
async function samenessProblem(target: Target, probed: readonly Probed[]): Promise<TargetProblem | undefined> {
  const [first] = probed;
  if (!first || !areAlike(probed.map(({ exchange }) => exchange))) return undefined;
  const { exchange } = await sendProbe(target, probeOf('/assay-asks-for-an-unknown-path'));
  if (!areAlike([first.exchange, exchange])) return undefined;
  return {
    message: `${target.baseUrl} is not the service: it returns the same response to every request (${exchange.response?.status}).`,
    hint: 'Check host, port and path of --base-url / ASSAY_BASE_URL.',
  };
}

/** Another base URL must only respond: its operations may have no harmless request. */
async function baseProblem(target: Target): Promise<TargetProblem | undefined> {
  const { bases = {} } = target.connection;
  for (const baseUrl of new Set(Object.values(bases))) {
    const other = target.at(baseUrl);
    try {
      const { exchange } = await sendProbe(other, probeOf('/'));
      if (exchange.failure) return failureProblem(other, exchange);
    } finally {
      await other.close();
    }
  }
  return undefined;
}

async function findProblem(
  target: Target,
  contract: Contract,
  { maybeMock = false, needsAll = false }: PreflightOptions,
): Promise<TargetProblem | undefined> {
  const probed = await sendProbes(target, contract);
  if (probed.every(({ exchange }) => exchange.failure)) return silenceProblem(target, contract, probed);
  const isUndocumented = probed.every(({ operation }) => contract.operation(operation.id) === undefined);
  if (isUndocumented) return undefined;
  const problem = responseProblem(target, probed);
  const isElsewhere = probed.every(({ exchange }) =>
    [undefined, 200, 301, 302, 404, 405, 410].includes(exchange.response?.status),
  );
  if (problem && isElsewhere) return (await suggestBaseUrl(target, contract)) ?? problem;
  const lacked = needsAll ? lackedPermission(probed) : undefined;
  return problem ?? lacked ?? (maybeMock ? undefined : samenessProblem(target, probed));
}

/** The first token besides the full one that is refused with 401; a lack of permission would be 403. */
async function refusedToken(
  target: Target,
  contract: Contract,
  names: readonly TokenName[],
): Promise<TargetProblem | undefined> {
  const locked = chooseProbes(contract).filter(({ identity }) => identity === 'full');
  for (const identity of names.filter((name) => name !== 'full' && name !== 'expired')) {
    const statuses: number[] = [];
    for (const { operation } of locked) {
      const { response } = (await sendProbe(target, { operation, identity })).exchange;
      if (response !== undefined) statuses.push(response.status);
      if (statuses.filter(showsAcceptance).length > 1) break;
    }
    const { name, option, variable } = labelOf(identity);
    if (isRefused(statuses))
      return {
        message: `${target.baseUrl} does not accept ${name} (401): ${option} / ${variable}.`,
        hint: 'It may be mistyped, expired or for another deployment. Without it, the tests that need it are skipped.',
      };
  }
  return undefined;
}

/** A single refused read may be a defect of its operation; if several are refused and none succeeds, their secret is wrong. */
const READS_OF_A_SECRET = { fewest: 2, most: 3 } as const;

/** Secrets that every plain read they protect refuses with 401, where other secrets protect other operations. */
async function refusedSecrets(target: Target, contract: Contract): Promise<TargetProblem | undefined> {
  const { fewest, most } = READS_OF_A_SECRET;
  for (const { schemes, reads } of readsByScheme(contract, target.keys)) {
    if (reads.length < fewest) continue;
    let isRefused = true;
    for (const operation of reads.slice(0, most)) {
      const { exchange } = await sendProbe(target, { operation, identity: 'full' });
      isRefused = exchange.response?.status === 401;
      if (!isRefused) break;
    }
    if (isRefused) return refusedSecretsProblem(target, schemes);
  }
  return undefined;
}

/** Sends a few plain reads, so that the target knows reads that succeed with its token. */
export async function readSome(target: Target, contract: Contract): Promise<void> {
  const reads = chooseProbes(contract).filter(({ identity }) => identity === 'full');
  await Promise.all(reads.slice(0, 3).map((probe) => sendProbe(target, probe)));
}

/** Throws an AssayError (exit 3) unless the target is reached, is this service and accepts the token. Only problems of all probes count. */
export async function preflight(options: TargetOptions, contract: Contract, about: PreflightOptions): Promise<void> {
  const target = createTarget({ ...options, retry: { ...options.retry, reconnect: false } });
  try {
    const names = target.keys.names.filter((name) => name === 'full' || about.isOnlyFull !== true);
    for (const name of names) await target.keys.get(name)?.get();
    const problem =
      (await findProblem(target, contract, about)) ??
      (await baseProblem(target)) ??
      (await refusedToken(target, contract, names)) ??
      (await refusedSecrets(target, contract));
    if (problem) throw new AssayError(problem.message, { hint: problem.hint, exitCode: EXIT.unreachable });
  } finally {
    await target.close();
  }
}

const MOST_PATHS = 3;

/**
 * Whether the target has paths of the description: a GET without parameters and token is answered otherwise than with 404, also if
 * the description has another method only.
 */
export async function hasPaths(options: TargetOptions, { operations }: Contract): Promise<boolean> {
  const plain = operations.filter((each) => !each.path.includes('{') && !endsSession(each));
  const paths = new Set(plain.flatMap(({ forms }) => forms.map(({ path }) => path)));
  const target = createTarget({ ...options, retry: { ...options.retry, reconnect: false } });
  try {
    for (const path of [...paths].slice(0, MOST_PATHS)) {
      const { response } = (await sendProbe(target, probeOf(path))).exchange;
      if (response !== undefined && response.status !== 404) return true;
    }
    return false;
  } finally {
    await target.close();
  }
}
