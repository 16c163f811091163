import { baseUrl, decimal, duration, effects, flag, text, token } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

export const targetOptions = {
  baseUrl: optional(baseUrl, 'what comes before /api/…; without it the embedded service'),
  token: optional(token, 'an API token with every permission', { secret: true }),
  limitedToken: optional(token, 'a valid token without the access control and AI agent permissions', { secret: true }),
  expiredToken: optional(token, 'a token that has expired', { secret: true }),
  spec: optional(text('file|url'), 'another OpenAPI 3.x or Swagger 2 description, YAML or JSON'),
  allow: optional(
    effects,
    'effects allowed: read, reversible, global, irreversible, costly or all; default: all on the embedded service, read,reversible elsewhere',
  ),
  timeout: optional(duration({ min: 100, max: 3_600_000 }, 'ms'), 'how long one request may take; default: 30 s'),
  maxRate: optional(decimal({ min: 0.01, max: 10_000_000 }), 'never more requests a second than this'),
  insecure: withDefault(flag, false, 'accept certificates that cannot be verified'),
};
