import { chooseProbes, hasPaths, preflight } from '../../client/index.ts';
import { knowledgeFor } from '../../domain/index.ts';
import { AssayError, EXIT, loadContract } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import type { SuiteRunOptions } from '../../suites/index.ts';
import { keepSecret } from '../secrets.ts';
import type { RunRecorder } from '../run/record-run.ts';

/** Options and contract with the paths at which the service was found. */
export interface Found {
  readonly options: SuiteRunOptions;
  readonly contract: Contract;
}

const pathsOf = ({ operations }: Contract): string =>
  operations.flatMap(({ forms }) => forms.map(({ path }) => path)).join('\n');

/** The prefix that the servers of the description add to its paths. */
function prefixOf(contract: Contract): string {
  return contract.operations[0]?.forms[0]?.name ?? '';
}

/**
 * Checks that the target is the service. Mocks and test deployments often serve the paths of another description
 * directly at the base URL, without the prefix of its servers: if the service answers there and not where the
 * description says, that is used.
 */
export async function findService(
  options: SuiteRunOptions,
  contract: Contract,
  recorder: Pick<RunRecorder, 'note'>,
): Promise<Found> {
  const found = await check(options, contract);
  if (found.contract !== contract)
    recorder.note(
      `The paths of the service start directly at --base-url, without the description's server prefix ${prefixOf(contract)}.`,
    );
  return found;
}

async function check(options: SuiteRunOptions, contract: Contract): Promise<Found> {
  try {
    await preflight({ ...options, onSecret: keepSecret }, contract, {
      maybeMock: !knowledgeFor(contract).guarantees('shapes'),
      needsAll: options.only.length === 0 && options.skip.length === 0,
    });
  } catch (error) {
    const isElsewhere = error instanceof AssayError && error.exitCode === EXIT.unreachable;
    const bare = isElsewhere ? await bareOf(options, contract) : undefined;
    if (bare === undefined) throw error;
    return findBare(options, contract, bare, error);
  }
  // Without a read that needs no values, the preflight has not seen whether there is any path of the description.
  const bare = chooseProbes(contract).length === 0 ? await bareOf(options, contract) : undefined;
  return bare !== undefined && (await isBare(options, contract, bare))
    ? { options: { ...options, withoutServers: true }, contract: bare }
    : { options, contract };
}

async function isBare(options: SuiteRunOptions, contract: Contract, bare: Contract): Promise<boolean> {
  return !(await hasPaths(options, contract)) && hasPaths(options, bare);
}

/** The contract without the prefixes of its servers; undefined if it has none. */
async function bareOf(options: SuiteRunOptions, contract: Contract): Promise<Contract | undefined> {
  if (options.specSource === undefined) return undefined;
  const bare = await loadContract(options.specSource, { withoutServers: true });
  return pathsOf(bare) === pathsOf(contract) ? undefined : bare;
}

/** Where the service has these paths, its refusal tells more than that the others are missing. */
async function findBare(
  options: SuiteRunOptions,
  contract: Contract,
  bare: Contract,
  problem: unknown,
): Promise<Found> {
  try {
    await preflight(options, bare, { maybeMock: true });
    return { options: { ...options, withoutServers: true }, contract: bare };
  } catch (error) {
    throw !(error instanceof AssayError) || (await isBare(options, contract, bare)) ? error : problem;
  }
}
