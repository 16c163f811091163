import { EFFECTS } from '../../spec/contract.ts';
import { bases, fixtures, header, headers } from './structured.ts';
import { auth, credential, credentials, tokens, tokenUrl } from './auth.ts';
import { baseUrl, decimal, duration, effects, flag, text, token } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

export const targetOptions = {
  baseUrl: optional(
    baseUrl,
    'the part of the URL before /api/…; without it, verify, load and capacity use the embedded service',
  ),
  token: optional(token, 'API token with every permission', { secret: true }),
  limitedToken: optional(token, 'valid token without the access control and AI agent permissions', { secret: true }),
  expiredToken: optional(token, 'expired token', { secret: true }),
  tokenCommand: optional(text('command'), 'command that prints the full token, as text or JSON'),
  limitedTokenCommand: optional(text('command'), 'command that prints the limited token'),
  tokenUrl: optional(tokenUrl, 'OAuth 2.0 token endpoint that issues the full token'),
  clientId: optional(text('id'), 'OAuth client ID'),
  clientSecret: optional(text('secret'), 'OAuth client secret', { secret: true, noFlag: true }),
  username: optional(text('name'), 'OAuth user (password grant); without it, client credentials are used'),
  password: optional(text('password'), 'password of the OAuth user', { secret: true, noFlag: true }),
  scope: optional(text('scope'), 'OAuth scope to request'),
  auth: withDefault(auth, {}, 'where the full and the limited token come from', { fileOnly: true, hidden: true }),
  tokens: withDefault(
    tokens,
    {},
    'tokens with one permission each (RACI:…), and that of another tenant (otherTenant)',
    { fileOnly: true, hidden: true },
  ),
  credential: withDefault(
    credential,
    {},
    'secret for a security scheme of the description (user:password for HTTP Basic); preferably set in ASSAY_CREDENTIAL_NAME',
    { flagOnly: true, hidden: true },
  ),
  credentials: withDefault(credentials, {}, 'secrets of the security schemes of the description, by their names', {
    fileOnly: true,
    hidden: true,
  }),
  spec: optional(text('file|url'), 'another OpenAPI 3.x or Swagger 2 description, YAML or JSON'),
  allow: optional(
    effects,
    `effects allowed: ${EFFECTS.join(', ')} or all; default: all on the embedded service, read,reversible elsewhere`,
  ),
  timeout: optional(
    duration({ min: 100, max: 3_600_000 }, 'ms'),
    'timeout of one request; default: 30 s, in load and capacity 10 s',
  ),
  maxRate: optional(decimal({ min: 0.01, max: 10_000_000 }), 'maximum number of requests per second'),
  insecure: withDefault(flag, false, 'accept certificates that cannot be verified'),
  ca: optional(text('file'), 'additional certificate authorities to trust (PEM)'),
  cert: optional(text('file'), 'client certificate (PEM)'),
  key: optional(text('file'), 'key of the client certificate (PEM), if it is not in the same file'),
  header: withDefault(
    header,
    {},
    'header to send with every request; the value of a secret header can be left out and set in ASSAY_HEADER_NAME',
    { flagOnly: true, hidden: true },
  ),
  headers: withDefault(headers, {}, 'headers to send with every request', { fileOnly: true, hidden: true }),
  bases: withDefault(bases, {}, 'base URLs of operations that are served elsewhere, by path or operation id', {
    fileOnly: true,
  }),
  fixtures: withDefault(
    fixtures,
    {},
    'values that must exist in the tenant: organization, endpoint, entityType, bodies of operations',
    { fileOnly: true },
  ),
};
