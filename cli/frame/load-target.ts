import { readSome } from '../../client/index.ts';
import type { Target } from '../../client/index.ts';
import { authenticationOf, renewalOf } from '../../load/index.ts';
import type { LoadTarget } from '../../load/index.ts';
import type { Contract } from '../../spec/index.ts';
import type { RunTarget } from './target.ts';

/** The target of the engines: how their requests are authenticated, and what shows whether the token is still accepted. */
export async function loadTarget(
  { baseUrl, connection }: RunTarget,
  client: Target,
  contract: Contract,
): Promise<LoadTarget> {
  const renewal = renewalOf(client);
  await renewal?.get();
  if (renewal !== undefined) await readSome(client, contract);
  return { ...connection, baseUrl, authentication: authenticationOf(client), renewal };
}
