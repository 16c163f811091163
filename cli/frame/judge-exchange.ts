import { toFinding } from '../../client/index.ts';
import type { Connection } from '../../client/index.ts';
import { judgeExchange } from '../../spec/index.ts';
import type { Contract, Exchange, Finding } from '../../spec/index.ts';

/** What the findings of a run have in common. */
interface RunContext {
  readonly seed: number;
  readonly connection: Connection;
}

/** The checks of `verify` on one exchange, for responses sampled under load. Exchanges are redacted when they are received. */
export function judgeOf(contract: Contract, run: RunContext): (exchange: Exchange) => readonly Finding[] {
  return (exchange) => {
    const operation = contract.operation(exchange.operation);
    if (operation === undefined) return [];
    const context = {
      contract,
      ...run,
      labels: new Map([[exchange.id, 'under load']]),
      redact: (text: string) => text,
    };
    return judgeExchange(contract, operation, exchange).map((violation) => toFinding(violation, context));
  };
}
