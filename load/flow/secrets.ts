import { secretHeaders, withSecretQuery } from '../../client/security.ts';
import { GIVEN_TOKEN } from '../authentication.ts';
import type { FlowSecrets } from './job.ts';

/** The token that a flow gave with `authorize`; without one, its requests carry no secrets. */
export interface GivenToken {
  readonly token: string | undefined;
}

/** The authentication of one request: headers, and parameters of the query. */
export interface SentSecrets {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
}

function bearer(token: string | undefined): SentSecrets['headers'] {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/**
 * The authentication of a request as the description declares it for the operation, or else a bearer token.
 * @param secrets undefined if the description does not have the operation
 * @param token of the run
 */
export function sentSecrets(
  secrets: FlowSecrets | undefined,
  token: string | undefined,
  given: GivenToken | undefined,
): SentSecrets {
  if (given !== undefined && given.token === undefined) return { headers: {}, query: '' };
  if (secrets === undefined) return { headers: bearer(given?.token ?? token), query: '' };
  if (given === undefined) {
    const { sendsToken, headers, query } = secrets;
    return { headers: { ...headers, ...(sendsToken && bearer(token)) }, query };
  }
  const fill = (text: string): string => (text === GIVEN_TOKEN ? (given.token ?? '') : text);
  return {
    headers: secretHeaders(secrets.given, secrets.cookie, fill),
    query: withSecretQuery('', secrets.given, fill).slice(1),
  };
}
