import { isServed, isSuccess } from '../../spec/index.ts';
import type { Exchange, Form, Operation, Violation } from '../../spec/index.ts';
import { mentions } from '../../domain/items.ts';
import { pagingOf, searchParameterOf } from '../../domain/read-list.ts';
import { nameIn, neededOf, wantedOf } from '../../client/index.ts';
import { resourceOf } from '../../domain/resources.ts';
import { validRequest } from '../../domain/requests.ts';
import { differencesBetween } from '../kit/compare.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { defineForForms, firstForm } from '../kit/define-test.ts';
import { changesNothing } from '../kit/polling.ts';
import { collecting } from '../kit/evaluation.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { judgesPermission, queryOf, serveOnce } from './limited-token.ts';
import { otherWays, refusesOtherSpellings } from './other-spellings.ts';
import { secretOf } from './secret-words.ts';
import { isJudgedElsewhere, statusOf, wrongStatus } from './violations.ts';

const session = await openSession();

/** A request that must be answered with 401. */
interface Probe {
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

const noToken = (operation: Operation): Probe =>
  probe('no-token', `a request without ${secretOf(operation)}`, 'missing', { identity: 'none' });

const invalid = (operation: Operation): Probe =>
  probe('invalid-token', secretOf(operation, 'invalid'), 'invalid', { identity: 'invalid' });

const EXPIRED = probe('expired-token', 'an expired token', 'expired', { identity: 'expired' });

/** Detects services that compare only the beginning of a token, or read the header up to the next space. */
const lengthened = (operation: Operation): Probe =>
  probe('lengthened-token', `${secretOf(operation, 'valid')} with more text at the end`, 'invalid', {
    tampering: { suffix: session.contract.operations.indexOf(operation) % 2 === 0 ? '.assay' : ' assay' },
  });

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

/** Detects services that ignore the scheme. Services of other descriptions may know several. */
const OTHER_SCHEME = malformed('other-scheme', 'Token $ASSAY_TOKEN');

const MALFORMED: readonly Probe[] = [
  SHORTENED,
  LOWERED,
  probe('unsigned-token', 'a JSON Web Token without a signature', 'invalid', { authorization: `Bearer ${UNSIGNED}.` }),
  malformed('no-scheme', '$ASSAY_TOKEN'),
  malformed('basic-scheme', 'Basic $ASSAY_TOKEN'),
  OTHER_SCHEME,
  malformed('no-value', 'Bearer'),
];

/** The probes that apply to the security schemes of the operation. */
function probesFor(operation: Operation): readonly Probe[] {
  const { keys } = session.target;
  const { wanted, missing } = wantedOf(operation, keys);
  const given = wanted.filter((scheme) => !missing.includes(scheme));
  const token = keys.get('full')?.current ?? '';
  // A token that ends with `=` has the same bytes without it; one whose letters are all upper or lower case may be a number.
  const mayBeValid = [
    ...(token.endsWith('=') ? [SHORTENED] : []),
    ...(isMixedCase(token) ? [] : [LOWERED]),
    ...(session.knowledge.guarantees('statuses', operation) ? [] : [OTHER_SCHEME]),
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

const REJECTS = 'rejects missing, invalid and expired tokens with 401';

/** True for the first of several forms. It gets fewer probes: those that seldom find anything are sent through the other forms, later in the run. */
function runsEarly(operation: Operation, form: Form | undefined): boolean {
  return operation.forms.length > 1 && form?.name === firstForm(operation, REJECTS)?.name;
}

/** All probes, but only one of the malformed headers: another one for each operation. */
function earlyProbesFor(operation: Operation): readonly Probe[] {
  const malformedOne = MALFORMED[session.contract.operations.indexOf(operation) % MALFORMED.length];
  return probesFor(operation).filter((each) => !MALFORMED.includes(each) || each === malformedOne);
}

for (const operation of session.contract.operations) {
  const needsNone = operation.permission === 'none' || operation.authUndeclared === true;
  if (needsNone || !(isDocumented(operation, '401') || operation.security !== undefined)) continue;
  const needsToken = session.contract.requirements.filter(
    ({ id, operations }) => id.endsWith('.needs-token') && operations?.includes(operation.id),
  );
  defineForForms(session, {
    suite: 'contract/authentication',
    title: REJECTS,
    operation,
    checks: ['authentication', 'refused-changes-nothing'],
    requirements: [
      'errors.unauthorized',
      'auth.refused-changes-nothing',
      'forms.equivalent',
      ...probesFor(operation).map((each) => each.requirement),
      ...needsToken.map((each) => each.id),
    ],
    run: (t, form) =>
      refusedChangesNothing(t, operation, form, (own, request) => rejectsInvalidTokens(own, operation, request)),
  });
  if (operation.permission === 'unstated' || !isDocumented(operation, '403')) continue;
  const isOpen = operation.permission === 'any';
  defineForForms(session, {
    suite: 'contract/authentication',
    title: isOpen ? 'accepts any valid token' : 'rejects a token without the permission with 403',
    operation,
    checks: ['authorisation', 'refused-changes-nothing'],
    requirements: isOpen ? ['auth.any-token'] : ['auth.lacking-permission', 'errors.forbidden'],
    run: (t, form) =>
      refusedChangesNothing(t, operation, form, (own, request) => judgesPermission(own, operation, request)),
  });
}

/** True where the operation can be expected to answer with that status. */
function isDocumented(operation: Operation, status: string): boolean {
  return (
    session.knowledge.guarantees('statuses', operation) || operation.responses.some((each) => each.status === status)
  );
}

/** Sends requests that must be refused. Where all are, reports whether they changed the item that they name. */
async function refusedChangesNothing(
  t: TestContext,
  operation: Operation,
  form: Form,
  areRefused: (t: TestContext, request: RequestSpec) => Promise<boolean>,
): Promise<void> {
  await changesNothing(t, {
    prepare: () => validRequest(t, operation, form),
    read: (request) => readItem(t, operation, request),
    act: async (request) => {
      const sent: Exchange[] = [];
      return (await areRefused(collecting(t, sent), request)) ? sent : undefined;
    },
    difference(before, after, refused) {
      if (refused === undefined || after === undefined) return undefined;
      if (before !== undefined)
        return isServed(before) ? changeBetween(operation, [before, ...refused, after]) : undefined;
      return isCreation(operation) ? storedNevertheless(operation, [...refused, after]) : undefined;
    },
  });
}

function isCreation(operation: Operation): boolean {
  return resourceOf(session.knowledge.resources, operation)?.create === operation;
}

/** The response of the list that shows the item which a refused creation names; undefined where it does not. */
async function readListed(
  t: TestContext,
  list: Operation,
  { json = null }: RequestSpec,
): Promise<Exchange | undefined> {
  const name = nameIn(JSON.stringify(json), t.tag);
  const search = searchParameterOf(list);
  if (name === undefined || (search === undefined && pagingOf(list) !== undefined)) return undefined;
  const query = search === undefined ? {} : { query: { [search]: name } };
  const seen = await t.send(list, { ...query, label: 'look for the item in the list' });
  return mentions(seen.response?.json, name) ? seen : undefined;
}

/** The last exchange lists an item that the others, which were refused, were to create. */
function storedNevertheless(operation: Operation, exchanges: readonly Exchange[]): Violation {
  return violationOf('refused-changes-nothing/stored', operation, {
    requirement: 'auth.refused-changes-nothing',
    expected: 'no new item in the list',
    received: 'the item is listed',
    exchanges,
  });
}

/** Reads the item that the operation would change, or the list with the one that it would create. */
async function readItem(t: TestContext, operation: Operation, request: RequestSpec): Promise<Exchange | undefined> {
  if (operation.method === 'GET' || !t.knowledge.guarantees('storage', operation)) return undefined;
  const resource = resourceOf(t.knowledge.resources, operation);
  if (resource?.create === operation && resource.list !== undefined) return readListed(t, resource.list, request);
  const id = request.path?.[resource?.idName ?? ''];
  if (resource?.read === undefined || id === undefined) return undefined;
  return t.send(resource.read, { path: { [resource.idName]: id }, label: 'read the item' });
}

/** The first exchange and the last one read the same item; those between them were refused. */
function changeBetween(operation: Operation, exchanges: readonly Exchange[]): Violation | undefined {
  const [before, after] = [exchanges[0], exchanges.at(-1)];
  if (before === undefined || after === undefined) return undefined;
  const changed = isServed(after)
    ? differencesBetween(session.contract, before, after).filter(
        (each) => !session.knowledge.members.volatile.test(each) && !/modified/i.test(each),
      )
    : [`status ${statusOf(after)}`];
  const [first] = changed;
  if (first === undefined) return undefined;
  return violationOf('refused-changes-nothing/changed-data', operation, {
    subject: first,
    requirement: 'auth.refused-changes-nothing',
    expected: 'the unchanged item',
    received: `changed: ${changed.join(', ')}`,
    exchanges,
  });
}

/** A query parameter with the path of an operation that needs no token: a service may look for it in the whole URL. */
const OPEN_PATH: NonNullable<RequestSpec['query']> = Object.fromEntries(
  session.contract.operations
    .flatMap(({ permission, forms }) => (permission === 'none' ? forms.slice(0, 1) : []))
    .slice(0, 1)
    .map(({ path }) => ['path', path]),
);

/** True where every request was refused, with 401 where that is documented. */
async function rejectsInvalidTokens(t: TestContext, operation: Operation, request: RequestSpec): Promise<boolean> {
  const wrong: { readonly status: number; readonly violation: Violation }[] = [];
  const tryProbe = async ({ slug, description, requirement, change }: Probe, way = request): Promise<void> => {
    const exchange = await t.send(operation, { ...way, ...change, label: description });
    const status = statusOf(exchange);
    // contract/bodies judges whether the media type is accepted. Which refusal comes first is not documented.
    if ((status === 415 && way !== request) || (status === 404 && way.path !== request.path)) return;
    // Where 401 is not declared, any refusal is allowed.
    if (isJudgedElsewhere(status) || status === 401 || (!isDocumented(operation, '401') && !isSuccess(status))) return;
    const violation = wrongStatus(operation, exchange, {
      code: 'authentication/status',
      served: 'authentication/accepted',
      slug,
      requirement,
      grade: isSuccess(status) && operation.securityRequired === true ? 'documented' : undefined,
      request: description,
      expected: isDocumented(operation, '401') ? 'status 401' : 'a refusal, for example with status 401',
    });
    wrong.push({ status, violation });
  };
  const isEarly = runsEarly(operation, request.form);
  const probes = isEarly ? earlyProbesFor(operation) : probesFor(operation);
  if (!isEarly) await serveOnce(t, operation, request);
  for (const each of probes) await tryProbe(each.slug === 'invalid-token' && !isEarly ? lengthened(operation) : each);
  // A service may remember a token that it has just seen.
  if (!isEarly && wrong.length === 0 && probes.includes(EXPIRED)) await tryProbe(EXPIRED);
  const withoutToken = noToken(operation);
  const mostCommon = probes.filter(({ slug }) => slug === withoutToken.slug || slug === EXPIRED.slug);
  for (const { name, words, way } of isEarly ? [] : otherWays(operation, request))
    for (const each of mostCommon)
      if (wrong.length === 0)
        await tryProbe({ ...each, slug: `${each.slug}-${name}`, description: `${each.description} ${words}` }, way);
  if (!isEarly && wrong.length === 0 && operation.method === 'GET')
    await refusesOtherSpellings(t, operation, request, 'none');
  const query = { ...queryOf(session.contract, operation), ...OPEN_PATH };
  if (!isEarly && wrong.length === 0 && Object.keys(query).length > 0) {
    const description = `${withoutToken.description}, with query parameters`;
    const change = { identity: 'none', query: { ...request.query, ...query } } as const;
    await tryProbe({ ...withoutToken, slug: 'no-token-query', description, change });
  }
  const isOneDefect = wrong.length === probes.length && wrong.every(({ status }) => status === wrong[0]?.status);
  for (const { violation } of isOneDefect ? wrong.slice(0, 1) : wrong) t.report(violation);
  return wrong.length === 0;
}
