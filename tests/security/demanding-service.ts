import type { TestServer } from '../../client/testing/fixtures.ts';
import { serveJson } from '../../client/testing/json-service.ts';
import type { Received } from '../../client/testing/json-service.ts';

/** Secrets that the service accepts, by the variables that hold them. */
export const SECRETS = {
  ASSAY_CREDENTIAL_LOGIN: 'ann:correct horse+battery',
  ASSAY_CREDENTIAL_HEADER_KEY: 'header-key-7f3a91',
  ASSAY_CREDENTIAL_QUERY_KEY: 'query-key/+&=5b2c',
  ASSAY_CREDENTIAL_COOKIE_KEY: 'cookie-key-9d8e77',
  ASSAY_TOKEN: 'issued-token-1c2d3e',
};

type Scheme = 'login' | 'headerKey' | 'queryKey' | 'cookieKey' | 'oauth';

const basic = `Basic ${Buffer.from(SECRETS.ASSAY_CREDENTIAL_LOGIN).toString('base64')}`;

/** Whether a request carries the secret of a scheme. */
const CARRIES: Readonly<Record<Scheme, (request: Received) => boolean>> = {
  login: ({ headers }) => headers.authorization === basic,
  headerKey: ({ headers }) => headers['x-api-key'] === SECRETS.ASSAY_CREDENTIAL_HEADER_KEY,
  queryKey: ({ query }) => query.get('api_key') === SECRETS.ASSAY_CREDENTIAL_QUERY_KEY,
  cookieKey: ({ headers }) => (headers.cookie ?? '').split('; ').includes(`sid=${SECRETS.ASSAY_CREDENTIAL_COOKIE_KEY}`),
  oauth: ({ headers }) => headers.authorization === `Bearer ${SECRETS.ASSAY_TOKEN}`,
};

/** What each path demands: any of the alternatives, and all schemes of one. */
const DEMANDS: Readonly<Record<string, readonly (readonly Scheme[])[]>> = {
  '/login': [['login']],
  '/header': [['headerKey']],
  '/query': [['queryKey']],
  '/cookie': [['cookieKey']],
  '/oauth': [['oauth']],
  '/both': [['oauth', 'headerKey']],
  '/either': [['cookieKey', 'queryKey'], ['login']],
};

const JSON_BODY = { 'application/json': { schema: { type: 'object', properties: { ok: { type: 'boolean' } } } } };

/** An API whose operations demand credentials in every way that a description can declare. */
export const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Secured', version: '1' },
  components: {
    securitySchemes: {
      login: { type: 'http', scheme: 'basic' },
      headerKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      queryKey: { type: 'apiKey', in: 'query', name: 'api_key' },
      cookieKey: { type: 'apiKey', in: 'cookie', name: 'sid' },
      oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://login.example.com', scopes: {} } } },
    },
  },
  paths: Object.fromEntries(
    Object.entries(DEMANDS).map(([path, demands]) => [
      path,
      {
        get: {
          security: demands.map((schemes) => Object.fromEntries(schemes.map((name) => [name, []]))),
          responses: { 200: { description: 'ok', content: JSON_BODY }, 401: { description: 'no' } },
        },
      },
    ]),
  ),
};

/** Serves the API; `unchecked` are schemes that it accepts without looking. */
export function serveSecured(unchecked: readonly Scheme[] = []): Promise<TestServer> {
  return serveJson((request) => {
    const { path, url, headers } = request;
    const demands = DEMANDS[path];
    const holds = (name: Scheme): boolean => unchecked.includes(name) || CARRIES[name](request);
    const status = demands === undefined ? 404 : demands.some((schemes) => schemes.every(holds)) ? 200 : 401;
    // What a careless service does: it shows what it was sent.
    return { status, json: { ok: status === 200, headers, url } };
  });
}
