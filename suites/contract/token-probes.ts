import { neededOf, wantedOf } from '../../client/index.ts';
import type { Target } from '../../client/index.ts';
import type { Operation } from '../../spec/index.ts';
import type { RequestSpec } from '../kit/context.ts';
import type { Session } from '../kit/session.ts';
import { secretOf } from './secret-words.ts';

/** What is known of the API that gets the probes. */
export interface ProbedApi extends Pick<Session, 'contract' | 'knowledge'> {
  readonly keys: Target['keys'];
}

/** A request that must be answered with 401. */
export interface Probe {
  readonly slug: string;
  readonly description: string;
  readonly requirement: string;
  readonly change: Pick<RequestSpec, 'identity' | 'authorization' | 'tampering' | 'path' | 'query'>;
}

function probe(slug: string, description: string, requirement: string, change: Probe['change']): Probe {
  return { slug, description, requirement: `auth.${requirement}`, change };
}

function malformed(slug: string, authorization: string): Probe {
  return probe(slug, `the header "Authorization: ${authorization}"`, 'malformed-header', { authorization });
}

export const noToken = (operation: Operation): Probe =>
  probe('no-token', `a request without ${secretOf(operation)}`, 'missing', { identity: 'none' });

const invalid = (operation: Operation): Probe =>
  probe('invalid-token', secretOf(operation, 'invalid'), 'invalid', { identity: 'invalid' });

export const EXPIRED = probe('expired-token', 'an expired token', 'expired', { identity: 'expired' });

/**
 * Detects services that compare only the beginning of a token, or read the header up to the next space, which is allowed where the document
 * does not say otherwise. Undefined for passwords: a wrong one for each operation may lock the account.
 */
export function lengthened({ contract, knowledge, keys }: ProbedApi, operation: Operation): Probe | undefined {
  if (wantedOf(operation, keys).wanted.some(({ kind }) => kind === 'basic')) return undefined;
  const isSpaced = knowledge.guarantees('statuses', operation) && contract.operations.indexOf(operation) % 2 === 1;
  return probe('lengthened-token', `${secretOf(operation, 'valid')} with more text at the end`, 'invalid', {
    tampering: { suffix: isSpaced ? ' assay' : '.assay' },
  });
}

/** Detects services that compare only the beginning of a token, or do not verify a signature. */
const SHORTENED = probe('shortened-token', 'a valid token without its last character', 'invalid', {
  authorization: 'Bearer ${ASSAY_TOKEN%?}',
});

/** Detects services that look a token up in a database that ignores the case of letters. */
const LOWERED = probe('lower-case-token', 'a valid token in lower case', 'invalid', {
  authorization: 'Bearer $(echo "$ASSAY_TOKEN" | tr A-Z a-z)',
});

/** A JSON Web Token that anyone can make: it says itself that it has no signature (RFC 7519, section 6). */
const UNSIGNED = [
  { alg: 'none', typ: 'JWT' },
  { sub: 'assay', exp: 4_102_444_800 },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

/** Detects services that ignore the scheme. Services of other descriptions may know several, or none. */
const OTHER_SCHEMES: readonly Probe[] = [
  malformed('no-scheme', '$ASSAY_TOKEN'),
  malformed('basic-scheme', 'Basic $ASSAY_TOKEN'),
  malformed('other-scheme', 'Token $ASSAY_TOKEN'),
];

const MALFORMED: readonly Probe[] = [
  SHORTENED,
  LOWERED,
  probe('unsigned-token', 'a JSON Web Token without a signature', 'invalid', { authorization: `Bearer ${UNSIGNED}.` }),
  ...OTHER_SCHEMES,
  malformed('no-value', 'Bearer'),
];

/** The probes that apply to the security schemes of the operation. */
export function probesFor({ knowledge, keys }: ProbedApi, operation: Operation): readonly Probe[] {
  const { wanted, missing } = wantedOf(operation, keys);
  const given = wanted.filter((scheme) => !missing.includes(scheme));
  const token = keys.get('full')?.current ?? '';
  // A token that ends with `=` has the same bytes without it; one whose letters are all upper or lower case may be a number.
  const mayBeValid = [
    ...(token.endsWith('=') ? [SHORTENED] : []),
    ...(isMixedCase(token) ? [] : [LOWERED]),
    ...(knowledge.guarantees('statuses', operation) ? [] : OTHER_SCHEMES),
  ];
  const parts = neededOf(operation, given).map(({ name }) =>
    probe(`without-${name}`, `a request without ${name}`, 'missing', { tampering: { without: name } }),
  );
  return [
    noToken(operation),
    invalid(operation),
    ...(keys.has('expired') && wanted.some(({ takesToken }) => takesToken) ? [EXPIRED] : []),
    ...(given.length > 1 ? parts : []),
    ...(wanted.some(({ kind }) => kind === 'bearer') ? MALFORMED : []).filter((each) => !mayBeValid.includes(each)),
  ];
}

/** True for a token with a part whose letters are of both cases, so that these have a meaning. */
function isMixedCase(token: string): boolean {
  return token.split(/[^A-Za-z0-9]/u).some((part) => /[A-Z].*[A-Z]/u.test(part) && /[a-z].*[a-z]/u.test(part));
}

/** All probes, but only one of the malformed headers: another one for each operation. */
export function earlyProbesFor(api: ProbedApi, operation: Operation): readonly Probe[] {
  const malformedOne = MALFORMED[api.contract.operations.indexOf(operation) % MALFORMED.length];
  return probesFor(api, operation).filter((each) => !MALFORMED.includes(each) || each === malformedOne);
}
