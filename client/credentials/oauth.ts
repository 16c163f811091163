import { setTimeout as delay } from 'node:timers/promises';
import type * as oauth4webapi from 'oauth4webapi';
import { Agent, fetch } from 'undici';
import { AssayError, EXIT } from '../../spec/index.ts';
import { issued } from './issued.ts';
import type { IssuedToken } from './issued.ts';
import type { OAuthSource } from './source.ts';

const TIMEOUT_MS = 15_000;

/** Waits before further attempts if the endpoint cannot be reached or fails. */
const WAITS_MS = [300, 1_000];

type Library = typeof oauth4webapi;

/** Loaded on demand, to keep other commands fast. */
const library = (): Promise<Library> => import('oauth4webapi');

export interface OAuthOptions {
  readonly insecure: boolean;
}

class Transient extends Error {}

function clientAuth(oauth: Library, { clientSecret, clientAuthentication }: OAuthSource): ReturnType<Library['None']> {
  if (clientSecret === undefined) return oauth.None();
  return clientAuthentication === 'post' ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
}

function parametersOf({ scope, username, password, parameters = {} }: OAuthSource): Record<string, string> {
  return {
    ...parameters,
    ...(scope === undefined ? {} : { scope }),
    ...(username === undefined ? {} : { username, password: password ?? '' }),
  };
}

/** Removes the identity token from the response: it would be checked against an issuer that is not configured. */
async function withoutIdToken(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  const type = { 'content-type': headers.get('content-type') ?? 'application/json' };
  try {
    const { id_token: _unused, ...body } = JSON.parse(text) as Record<string, unknown>;
    return new Response(JSON.stringify(body), { status, headers: type });
  } catch {
    return new Response(text, { status, headers: type });
  }
}

async function request(oauth: Library, source: OAuthSource, { insecure }: OAuthOptions): Promise<Response> {
  const { tokenUrl, clientId, username } = source;
  const agent = new Agent({ connect: { rejectUnauthorized: !insecure } });
  try {
    const response = await oauth.genericTokenEndpointRequest(
      { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl },
      { client_id: clientId },
      clientAuth(oauth, source),
      username === undefined ? 'client_credentials' : 'password',
      parametersOf(source),
      {
        // The settings allow http: for this machine only.
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (url, init) => fetch(url, { ...init, dispatcher: agent }),
        signal: () => AbortSignal.timeout(TIMEOUT_MS),
      },
    );
    if (response.status >= 500 || response.status === 429) throw new Transient(`it answers ${response.status}`);
    return await withoutIdToken(response);
  } catch (error) {
    if (error instanceof Transient) throw error;
    throw new Transient(reasonOf(error));
  } finally {
    await agent.close();
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

/** The reason in the endpoint's refusal (RFC 6749, section 5.2), or the defect of its response. */
function refusalOf(oauth: Library, error: unknown): string {
  if (error instanceof Transient) return error.message;
  if (error instanceof oauth.ResponseBodyError)
    return [error.error, error.error_description].filter((each) => each !== undefined).join(': ');
  return `the response is not a token (${reasonOf(error)})`;
}

async function requestPatiently(oauth: Library, source: OAuthSource, options: OAuthOptions): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request(oauth, source, options);
    } catch (error) {
      const waitMs = WAITS_MS[attempt];
      if (waitMs === undefined) throw error;
      await delay(waitMs);
    }
  }
}

async function tokenBy(oauth: Library, source: OAuthSource, options: OAuthOptions): Promise<IssuedToken> {
  const response = await requestPatiently(oauth, source, options);
  const { access_token: token, expires_in: seconds } = await oauth.processGenericTokenEndpointResponse(
    { issuer: new URL(source.tokenUrl).origin },
    { client_id: source.clientId },
    response,
  );
  return issued(token, seconds === undefined ? undefined : Date.now() + seconds * 1_000);
}

/** Requests a token; throws an AssayError if it is refused. */
export async function tokenOfOAuth(source: OAuthSource, name: string, options: OAuthOptions): Promise<IssuedToken> {
  const oauth = await library();
  const { tokenUrl } = source;
  try {
    return await tokenBy(oauth, source, options).catch((error: unknown) => {
      const isClientRefused = error instanceof oauth.ResponseBodyError && error.error === 'invalid_client';
      if (!isClientRefused || source.clientAuthentication !== undefined) throw error;
      return tokenBy(oauth, { ...source, clientAuthentication: 'post' }, options);
    });
  } catch (error) {
    throw new AssayError(`The token endpoint ${tokenUrl} does not issue ${name}: ${refusalOf(oauth, error)}.`, {
      hint: 'Check the URL, client ID, client secret, user and scope.',
      exitCode: EXIT.unreachable,
      cause: error,
    });
  }
}
