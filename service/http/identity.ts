import { createHash } from 'node:crypto';
import type { Permission } from './call.ts';
import { Refusal } from './refusal.ts';

export interface Identity {
  readonly userId: string;
  readonly permissions: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** A second tenant, with a world of its own. */
  readonly otherTenant?: boolean;
}

/** The tokens of a running service. */
export interface Tokens {
  /** Every permission. */
  readonly full: string;
  /** Valid, without any `RACI:…` permission. */
  readonly limited: string;
  /** Like `full`, but no longer valid. */
  readonly expired: string;
  /** Every permission, of another tenant. */
  readonly otherTenant: string;
  /** With one permission each. */
  readonly permissions: Readonly<Record<Exclude<Permission, 'none' | 'any'>, string>>;
}

export interface Identities {
  readonly tokens: Tokens;
  readonly byToken: ReadonlyMap<string, Identity>;
}

const ACCESS_CONTROL = 'RACI:management.accesscontrol';
const AI_AGENTS = 'RACI:management.aiagents';
const EVERYTHING = new Set([ACCESS_CONTROL, AI_AGENTS]);
const ADMINISTRATOR = { userId: '0a6f2c84-59d1-4c0e-9d2b-7b1f6a3e5c01', permissions: EVERYTHING, expiresAt: Infinity };
const CHALLENGE = { 'www-authenticate': 'Bearer' };

/** The same secret gives the same tokens. */
export function createIdentities(secret: string, full?: string): Identities {
  const token = (name: string) => createHash('sha256').update(`${name}:${secret}`).digest('base64url');
  const tokens: Tokens = {
    full: full ?? token('full'),
    limited: token('limited'),
    expired: token('expired'),
    otherTenant: token('other tenant'),
    permissions: { [ACCESS_CONTROL]: token(ACCESS_CONTROL), [AI_AGENTS]: token(AI_AGENTS) },
  };
  const reader = {
    userId: '0a6f2c84-59d1-4c0e-9d2b-7b1f6a3e5c02',
    permissions: new Set<string>(),
    expiresAt: Infinity,
  };
  const byToken = new Map<string, Identity>([
    [tokens.full, ADMINISTRATOR],
    [tokens.limited, reader],
    [tokens.expired, { ...ADMINISTRATOR, expiresAt: Date.UTC(2020, 0) }],
    [tokens.otherTenant, { ...ADMINISTRATOR, userId: '0a6f2c84-59d1-4c0e-9d2b-7b1f6a3e5c03', otherTenant: true }],
    ...Object.entries(tokens.permissions).map(
      ([permission, value]) => [value, { ...ADMINISTRATOR, permissions: new Set([permission]) }] as const,
    ),
  ]);
  return { tokens, byToken };
}

/** @throws Refusal 401 or 403. */
export function authorise(
  identities: Identities,
  permission: Permission,
  authorization: string | undefined,
): Identity | undefined {
  if (permission === 'none') return undefined;
  const identity = identify(identities, authorization);
  if (identity === undefined) throw new Refusal(401, 'The token is missing, invalid or expired.', undefined, CHALLENGE);
  if (permission !== 'any' && !identity.permissions.has(permission)) {
    throw new Refusal(403, `The token lacks ${permission}.`);
  }
  return identity;
}

function identify(identities: Identities, authorization: string | undefined): Identity | undefined {
  if (authorization === undefined || !/^bearer /i.test(authorization)) return undefined;
  const identity = identities.byToken.get(authorization.slice(7));
  return identity !== undefined && identity.expiresAt > Date.now() ? identity : undefined;
}
