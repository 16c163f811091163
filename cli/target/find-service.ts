import { preflight } from '../../client/index.ts';
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
  try {
    await preflight({ ...options, onSecret: keepSecret }, contract, {
      maybeMock: !knowledgeFor(contract).guarantees('shapes'),
      needsAll: options.only.length === 0 && options.skip.length === 0,
    });
    return { options, contract };
  } catch (error) {
    const found =
      error instanceof AssayError && error.exitCode === EXIT.unreachable
        ? await findBare(options, contract)
        : undefined;
    if (found === undefined) throw error;
    recorder.note(
      `The paths of the service start directly at --base-url, without the description's server prefix ${prefixOf(contract)}.`,
    );
    return found;
  }
}

async function findBare(options: SuiteRunOptions, contract: Contract): Promise<Found | undefined> {
  if (options.specSource === undefined) return undefined;
  const bare = await loadContract(options.specSource, { withoutServers: true });
  if (pathsOf(bare) === pathsOf(contract)) return undefined;
  try {
    await preflight(options, bare, { maybeMock: true });
    return { options: { ...options, withoutServers: true }, contract: bare };
  } catch (error) {
    if (error instanceof AssayError) return undefined;
    throw error;
  }
}
