import type { Exchange, Identity, TokenName } from '../../spec/index.ts';
import { formOf, methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec } from '../request-spec.ts';
import { INVALID_TOKEN, labelOf } from '../tokens.ts';
import type { KeyRing } from '../tokens.ts';

/** The Authorization header of a token, with the variable's name in place of the token. */
export function bearerOf(token: TokenName): string {
  return `Bearer $${labelOf(token).variable}`;
}

function headerFor(identity: Identity, keys: KeyRing): string | undefined {
  if (identity === 'none' || (identity === 'full' && keys.get('full') === undefined)) return undefined;
  return identity === 'invalid' ? `Bearer ${INVALID_TOKEN}` : bearerOf(identity);
}

/** The exchange of a request that was not sent. */
export function notSent(spec: RequestSpec, identity: Identity, why: string): Exchange {
  const form = formOf(spec);
  return {
    id: `not-sent-as-${identity}`,
    operation: spec.operation.id,
    form: form.name,
    identity,
    request: { method: methodOf(spec), url: form.path, headers: {} },
    failure: { kind: 'other', stage: 'connecting', message: `not sent: ${why}` },
    sentAt: Date.now(),
    durationMs: 0,
    attempts: 1,
  };
}

function withoutToken(spec: RequestSpec, identity: TokenName): Exchange {
  const { name, option, variable } = labelOf(identity);
  return notSent(spec, identity, `${name} was not given (${option} / ${variable})`);
}

/**
 * Sets the Authorization header of the request's identity; the variable's name stands in it for the token until the
 * request goes on the wire. A request whose token was not given fails without being sent.
 */
export function withAuthentication(keys: KeyRing): Middleware {
  return (next) => (spec) => {
    const identity = spec.identity ?? (spec.operation.permission === 'none' ? 'none' : 'full');
    const identified = { ...spec, identity };
    if (spec.authorization !== undefined) return next(identified);
    const needsOwn = identity !== 'none' && identity !== 'invalid' && identity !== 'full';
    if (needsOwn && keys.get(identity) === undefined) return Promise.resolve(withoutToken(spec, identity));
    const authorization = headerFor(identity, keys);
    return next(authorization === undefined ? identified : { ...identified, authorization });
  };
}
