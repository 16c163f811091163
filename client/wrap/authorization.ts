import type { Exchange, Identity } from '../../spec/index.ts';
import type { RequestPlan, Wrap } from '../plan.ts';
import { INVALID_TOKEN, TOKEN_NAMES } from '../target/tokens.ts';
import type { Tokens } from '../target/tokens.ts';

function headerFor(identity: Identity): string | undefined {
  if (identity === 'none') return undefined;
  if (identity === 'invalid') return `Bearer ${INVALID_TOKEN}`;
  return `Bearer $${TOKEN_NAMES[identity].variable}`;
}

function unknownToken(plan: RequestPlan, identity: 'limited' | 'expired'): Exchange {
  const { option, variable } = TOKEN_NAMES[identity];
  return {
    id: `no-${identity}-token`,
    operation: plan.operation.id,
    form: plan.form.name,
    identity,
    request: { method: plan.operation.method, url: plan.form.path, headers: {} },
    failure: { kind: 'other', message: `not sent: there is no ${identity} token (${option} / ${variable})` },
    sentAt: Date.now(),
    durationMs: 0,
    attempts: 1,
  };
}

/**
 * Gives each plan the Authorization header of its identity, with the token's name in place of the token. Who is not
 * named is `full`, or `none` where the operation takes no token.
 */
export function withAuthorization(tokens: Tokens): Wrap {
  return (next) => (plan) => {
    const identity = plan.identity ?? (plan.operation.permission === 'none' ? 'none' : 'full');
    const named = { ...plan, identity };
    if (plan.authorization !== undefined) return next(named);
    if ((identity === 'limited' || identity === 'expired') && tokens[identity] === undefined) {
      return Promise.resolve(unknownToken(plan, identity));
    }
    const authorization = identity === 'full' && tokens.full === undefined ? undefined : headerFor(identity);
    return next(authorization === undefined ? named : { ...named, authorization });
  };
}
