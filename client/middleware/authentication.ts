import type { Exchange, Identity, TokenName } from '../../spec/index.ts';
import { formOf, methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec } from '../request-spec.ts';
import { credentialsFor, usualIdentity } from '../security.ts';
import type { Credential } from '../security.ts';
import { labelOf } from '../tokens.ts';
import type { KeyRing } from '../tokens.ts';

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

function withoutToken(spec: RequestSpec, identity: TokenName, keys: KeyRing): Exchange {
  const { name, option, variable } = labelOf(identity);
  if (keys.has(identity)) return notSent(spec, identity, `${spec.operation.id} takes no token`);
  return notSent(spec, identity, `${name} was not given (${option} / ${variable})`);
}

function tampered({ tampering }: RequestSpec, credentials: readonly Credential[]): readonly Credential[] {
  const { suffix = '', without } = tampering ?? {};
  return credentials
    .filter(({ name }) => name !== without)
    .map((each) => (suffix === '' ? each : { ...each, secret: each.secret + suffix }));
}

/** A header that the request itself sets replaces the credential. */
function besides({ authorization }: RequestSpec, credentials: readonly Credential[]): readonly Credential[] {
  return authorization === undefined
    ? credentials
    : credentials.filter(({ parameter }) => parameter !== 'authorization');
}

/**
 * Adds the credentials of the request's identity, as the description declares them for the operation. Secrets are represented
 * by names of variables until the request is sent. A request whose token is not configured fails without being sent.
 */
export function withAuthentication(keys: KeyRing): Middleware {
  return (next) => (spec) => {
    const identity = spec.identity ?? usualIdentity(spec.operation);
    const found = credentialsFor(spec.operation, identity, keys);
    if (found === undefined && spec.authorization === undefined)
      return Promise.resolve(withoutToken(spec, identity as TokenName, keys));
    return next({ ...spec, identity, credentials: tampered(spec, besides(spec, found ?? [])) });
  };
}
