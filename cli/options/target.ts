import { EFFECTS } from '../../spec/contract.ts';
import { baseUrl, decimal, duration, effects, flag, text, token } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

export const targetOptions = {
  baseUrl: optional(baseUrl, 'the part of the URL before /api/…; default: the embedded service'),
  token: optional(token, 'API token with every permission', { secret: true }),
  limitedToken: optional(token, 'valid token without the access control and AI agent permissions', { secret: true }),
  expiredToken: optional(token, 'expired token', { secret: true }),
  spec: optional(text('file|url'), 'another OpenAPI 3.x or Swagger 2 description, YAML or JSON'),
  allow: optional(
    effects,
    `effects allowed: ${EFFECTS.join(', ')} or all; default: all on the embedded service, read,reversible elsewhere`,
  ),
  timeout: optional(duration({ min: 100, max: 3_600_000 }, 'ms'), 'timeout of one request; default: 30 s'),
  maxRate: optional(decimal({ min: 0.01, max: 10_000_000 }), 'maximum number of requests per second'),
  insecure: withDefault(flag, false, 'accept certificates that cannot be verified'),
};
