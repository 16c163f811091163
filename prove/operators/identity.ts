import type { Operation } from '../../spec/index.ts';
import { asFull, hit } from '../proxy/call.ts';
import type { Where } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { empty, problem, text } from '../proxy/reply.ts';
import type { Caller, Make, Reply } from '../proxy/message.ts';
import { onEach, onEachOf, statuses } from './operator.ts';
import { onRoles } from './resources.ts';
import type { Operator } from './operator.ts';

const UNAUTHORIZED = 'a missing, invalid or expired token is answered with 401 (section 5)';
const FORBIDDEN = 'a token that lacks the permission is answered with 403 (section 5)';
const needsToken = ({ permission, authUndeclared }: Operation): boolean =>
  permission !== 'none' && authUndeclared !== true;
/** Where the document does not show the permission, a token may lack it. */
const showsPermission = (operation: Operation): boolean => needsToken(operation) && operation.permission !== 'unstated';
const needsPermission = ({ permission, authUndeclared }: Operation): boolean =>
  permission.startsWith('RACI:') && authUndeclared !== true;
const isWrite = ({ method }: Operation): boolean => method !== 'GET';
/** A preview or a dry run, which has no observable effect if it is carried out although it was refused. */
const isTrial = ({ effect, body }: Operation): boolean => effect === 'costly' && body !== undefined;
const from = (where: Where, ...callers: readonly Caller[]): Where => ({
  ...where,
  when: ({ role }) => callers.includes(role),
});

/** Serves requests of some callers as if they had the full token. */
const accepting =
  (...callers: readonly Caller[]) =>
  (where: Where): Make =>
    at(from(where, ...callers)).handles((call, next, context) => next(asFull(call, context)));

const answering = (status: number, wanted: string): Reply => {
  if (wanted === 'login-page') return text('<!doctype html><title>Sign in</title>', 'text/html');
  return status === 200 ? empty() : problem(status);
};

/** Answers with another status instead of `expected`. */
const answeredOtherwise = (
  expected: number,
  names: Readonly<Record<string, number>>,
  fits: (operation: Operation) => boolean,
): Operator['variants'] =>
  onEachOf(names, fits, (where, status, name) =>
    at(where).replies((reply) => (reply.status === expected ? answering(status, name) : reply)),
  );

const SCHEMES: Readonly<Record<string, RegExp>> = {
  basic: /^Basic /i,
  'bare-token': /^[^\s]+$/,
  token: /^Token /i,
  'any-scheme': /^\w+ /,
};

export const IDENTITY_OPERATORS = {
  'no-token-accepted': {
    title: 'A request without a token is served.',
    breaks: UNAUTHORIZED,
    checks: ['authentication'],
    perForm: true,
    variants: onEach(needsToken, accepting('none')),
  },
  'invalid-token-accepted': {
    title: 'A request with an invalid token is served.',
    breaks: UNAUTHORIZED,
    checks: ['authentication'],
    perForm: true,
    variants: onEach(needsToken, accepting('invalid')),
  },
  'expired-token-accepted': {
    title: 'A request with an expired token is served.',
    breaks: UNAUTHORIZED,
    checks: ['authentication'],
    perForm: true,
    variants: onEach(needsToken, accepting('expired')),
  },
  'limited-token-accepted': {
    title: 'A token without the permission is served.',
    breaks: FORBIDDEN,
    checks: ['authorisation'],
    perForm: true,
    variants: onEach(needsPermission, accepting('limited')),
  },
  'scheme-accepted': {
    title: 'An Authorization header that is not Bearer and a token is accepted.',
    breaks: 'the header is Bearer, one space and an API token (section 5)',
    checks: ['authentication'],
    variants: (surface) =>
      onEachOf(SCHEMES, needsToken, (where, pattern, scheme) =>
        at({
          ...where,
          when: ({ role, headers }) => role === 'invalid' && pattern.test(headers['authorization'] ?? ''),
        }).handles((call, next, context) =>
          (call.headers['authorization'] ?? '').includes(context.tokens.full) || scheme === 'any-scheme'
            ? next(asFull(call, context))
            : next(),
        ),
      )(surface).filter(({ name, operation }) => name === 'any-scheme' || operation.method === 'GET'),
  },
  'unauthorized-otherwise': {
    title: 'A request without a valid token is not answered with 401.',
    breaks: UNAUTHORIZED,
    checks: ['authentication', 'no-server-error'],
    perForm: true,
    variants: answeredOtherwise(401, { ...statuses(200, 400, 403, 404, 500), 'login-page': 200 }, needsToken),
  },
  'forbidden-otherwise': {
    title: 'A request without the permission is not answered with 403.',
    breaks: FORBIDDEN,
    checks: ['authorisation', 'no-server-error'],
    perForm: true,
    variants: answeredOtherwise(403, statuses(200, 400, 401, 404, 500), needsPermission),
  },
  'refused-write-happens': {
    title: 'A write without the permission is refused, but takes effect.',
    breaks: 'a rejected request is not carried out (section 5)',
    checks: ['refused-changes-nothing'],
    variants: onEach(
      (operation, { resources }) =>
        needsPermission(operation) &&
        isWrite(operation) &&
        !isTrial(operation) &&
        resources.some(({ operations }) => operations.includes(operation)),
      (where) =>
        at(from(where, 'limited')).handles(async (call, next, context) => {
          const refused = await next();
          if (refused.status === 403) await next(asFull(call, context));
          return refused;
        }),
    ),
  },
  'full-token-refused': {
    title: 'A token with every permission is refused with 403.',
    breaks: 'a token with the permission is served (section 5)',
    checks: ['valid-request-served'],
    perForm: true,
    variants: onEach(showsPermission, (where) => at(from(where, 'full')).successes(() => problem(403))),
  },
  'limited-token-refused': {
    title: 'An operation for any valid token is refused to some of them.',
    breaks: 'an endpoint whose summary says only "Auth" needs any valid token (section 5)',
    checks: ['authorisation'],
    perForm: true,
    variants: onEachOf(
      statuses(401, 403),
      ({ permission }) => permission === 'any',
      (where, status) => at(from(where, 'limited')).successes(() => problem(status)),
    ),
  },
  'other-permission-accepted': {
    title: 'A token with another permission is served.',
    breaks: FORBIDDEN,
    checks: ['authorisation'],
    variants: onEach(needsPermission, (where, { permission }) =>
      at({ ...where, when: ({ role }) => role.startsWith('RACI:') && role !== permission }).handles(
        (call, next, context) => next(asFull(call, context)),
      ),
    ),
  },
  'own-permission-refused': {
    title: 'A token with the permission, and no other, is refused.',
    breaks: 'each endpoint declares the permission that it needs (section 5)',
    checks: ['authorisation'],
    variants: onEach(needsPermission, (where, { permission }) =>
      at({ ...where, when: ({ role }) => role === permission }).successes(() => problem(403)),
    ),
  },
  'other-tenant-served': {
    title: 'The token of another tenant is accepted for the items of this tenant.',
    breaks: 'what one tenant creates is invisible to others (not in the document; inferred)',
    checks: ['tenant-isolation'],
    variants: (surface) =>
      onRoles(
        ({ read, list, update, remove }) => [read, list, update, remove],
        accepting('otherTenant'),
      )(surface).map(({ operation, make }) => ({ operation, make })),
  },
  'token-required': {
    title: 'An operation that needs no token refuses requests without one.',
    breaks: 'every request except the status check carries a token (section 5)',
    checks: ['valid-request-served'],
    variants: onEach(
      ({ permission }) => permission === 'none',
      (where) => () => (call, next) => (hit(call, where) && call.role !== 'full' ? problem(401) : next()),
    ),
  },
} as const satisfies Record<string, Operator>;
