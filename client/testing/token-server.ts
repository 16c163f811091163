import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { serve } from './fixtures.ts';
import type { TestServer } from './fixtures.ts';

/** An OAuth 2.0 token endpoint with expiring tokens. */
export interface TokenServer extends TestServer {
  /** What {@link CLIENT} gets its tokens from. */
  readonly source: typeof CLIENT & { readonly tokenUrl: string };
  /** Received requests: the parameters of their bodies and the Authorization header. */
  readonly requests: { readonly parameters: URLSearchParams; readonly authorization: string | undefined }[];
  /** If set, it returns this status. */
  failing: number | undefined;
  /** True while a token is accepted. */
  readonly accepts: (token: string) => boolean;
  readonly revoke: () => void;
}

export const CLIENT = { clientId: 'robot', clientSecret: 'robot-secret: & ü' };

/** The name and the password of a Basic header, each form-encoded (RFC 6749, section 2.3.1). */
function basicOf(authorization: string): string {
  const both = Buffer.from(authorization.replace(/^Basic /u, ''), 'base64').toString('utf8');
  return both
    .split(':')
    .map((each) => decodeURIComponent(each.replaceAll('+', ' ')))
    .join(':');
}

/** Starts a token endpoint for {@link CLIENT}, and for the user `ada` with the password `lovelace-1815`. */
export async function serveTokens(livesMs: number, saysLifetime = true): Promise<TokenServer> {
  const ends = new Map<string, number>();
  const requests: TokenServer['requests'] = [];
  const isClient = (parameters: URLSearchParams, authorization = ''): boolean =>
    basicOf(authorization) === `${CLIENT.clientId}:${CLIENT.clientSecret}` ||
    (parameters.get('client_id') === CLIENT.clientId && parameters.get('client_secret') === CLIENT.clientSecret);
  const refusal = (parameters: URLSearchParams, authorization?: string): string | undefined => {
    if (!isClient(parameters, authorization)) return 'invalid_client';
    if (parameters.get('grant_type') === 'client_credentials') return undefined;
    return parameters.get('username') === 'ada' && parameters.get('password') === 'lovelace-1815'
      ? undefined
      : 'invalid_grant';
  };
  const server = await serve((request, response) => {
    void text(request).then((body) => {
      const parameters = new URLSearchParams(body);
      const { authorization } = request.headers;
      requests.push({ parameters, authorization });
      response.setHeader('content-type', 'application/json');
      const error = refusal(parameters, authorization);
      if (tokens.failing !== undefined) return response.writeHead(tokens.failing).end();
      if (error !== undefined)
        return response.writeHead(error === 'invalid_client' ? 401 : 400).end(JSON.stringify({ error }));
      const token = `issued-${randomUUID()}`;
      ends.set(token, Date.now() + livesMs);
      const lifetime = saysLifetime ? { expires_in: livesMs / 1_000 } : {};
      return response.end(
        JSON.stringify({ access_token: token, token_type: 'Bearer', id_token: 'of.no.use', ...lifetime }),
      );
    });
  });
  const tokens: TokenServer = {
    ...server,
    source: { ...CLIENT, tokenUrl: `${server.url}/connect/token` },
    requests,
    failing: undefined,
    accepts: (token) => (ends.get(token) ?? 0) > Date.now(),
    revoke: () => ends.clear(),
  };
  return tokens;
}
