import type { Exchange, Identity } from '../../spec/index.ts';
import { formOf, methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec } from '../request-spec.ts';
import { INVALID_TOKEN, TOKEN_NAMES } from '../tokens.ts';
import type { Tokens } from '../tokens.ts';

function headerFor(identity: Identity, tokens: Tokens): string | undefined {
  if (identity === 'none' || (identity === 'full' && tokens.full === undefined)) return undefined;
  return identity === 'invalid' ? `Bearer ${INVALID_TOKEN}` : `Bearer $${TOKEN_NAMES[identity].variable}`;
}

function withoutToken(spec: RequestSpec, identity: 'limited' | 'expired'): Exchange {
  const { option, variable } = TOKEN_NAMES[identity];
  const form = formOf(spec);
  return {
    id: `no-${identity}-token`,
    operation: spec.operation.id,
    form: form.name,
    identity,
    request: { method: methodOf(spec), url: form.path, headers: {} },
    failure: { kind: 'other', message: `not sent: no ${identity} token was given (${option} / ${variable})` },
    sentAt: Date.now(),
    durationMs: 0,
    attempts: 1,
  };
}

/**
 * Sets the Authorization header of the request's identity; the variable's name stands in it for the token until the
 * request goes on the wire. A request whose token was not given fails without being sent.
 */
export function withAuthentication(tokens: Tokens): Middleware {
  return (next) => (spec) => {
    const identity = spec.identity ?? (spec.operation.permission === 'none' ? 'none' : 'full');
    const identified = { ...spec, identity };
    if (spec.authorization !== undefined) return next(identified);
    if ((identity === 'limited' || identity === 'expired') && tokens[identity] === undefined)
      return Promise.resolve(withoutToken(spec, identity));
    const authorization = headerFor(identity, tokens);
    return next(authorization === undefined ? identified : { ...identified, authorization });
  };
}
