import { readSome, toFinding } from '../../client/index.ts';
import type { Connection, Target } from '../../client/index.ts';
import { authenticationOf, renewalOf } from '../../load/index.ts';
import type { Judge, LoadTarget } from '../../load/index.ts';
import { judgeExchange } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import type { RunTarget } from '../target/target.ts';

/** The target of the engines, with the authentication of their requests and the renewal of the token. */
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

interface RunContext {
  readonly seed: number;
  readonly connection: Connection;
}

/** Applies the checks of `verify` to sampled responses, which are already redacted. */
export function judgeOf(contract: Contract, run: RunContext): Judge {
  return (exchange, isKnown) => {
    const operation = contract.operation(exchange.operation);
    if (operation === undefined) return [];
    const context = {
      contract,
      ...run,
      isKnown,
      labels: new Map([[exchange.id, 'under load']]),
      redact: (text: string) => text,
    };
    return judgeExchange(contract, operation, exchange).map((violation) => toFinding(violation, context));
  };
}
