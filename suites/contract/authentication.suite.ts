import { isServed, isSuccess } from '../../spec/index.ts';
import type { Exchange, Form, Operation, Violation } from '../../spec/index.ts';
import { mentions } from '../../domain/items.ts';
import { pagingOf, searchParameterOf } from '../../domain/read-list.ts';
import { nameIn } from '../../client/index.ts';
import { resourceOf } from '../../domain/resources.ts';
import { validRequest } from '../../domain/requests.ts';
import { ownDifferences } from '../kit/compare.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { defineForForms, firstForm } from '../kit/define-test.ts';
import { changesNothing } from '../kit/polling.ts';
import { collecting } from '../kit/evaluation.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { judgesPermission, queryOf, serveOnce } from './limited-token.ts';
import { otherWays, refusesOtherSpellings } from './other-spellings.ts';
import { earlyProbesFor, EXPIRED, lengthened, noToken, probesFor } from './token-probes.ts';
import type { Probe } from './token-probes.ts';
import { isJudgedElsewhere, statusOf, wrongStatus } from './violations.ts';

const session = await openSession();
const API = { contract: session.contract, knowledge: session.knowledge, keys: session.target.keys };

const REJECTS = 'rejects missing, invalid and expired tokens with 401';

/** True for the first of several forms. It gets fewer probes: those that seldom find anything are sent through the other forms, later in the run. */
function runsEarly(operation: Operation, form: Form | undefined): boolean {
  return operation.forms.length > 1 && form?.name === firstForm(operation, REJECTS)?.name;
}

for (const operation of session.contract.operations) {
  const needsNone = operation.permission === 'none' || operation.authUndeclared === true;
  if (needsNone || !(isDocumented(operation, '401') || operation.security !== undefined)) continue;
  const needsToken = session.contract.requirements.filter(
    ({ id, operations }) => id.endsWith('.needs-token') && operations?.includes(operation.id),
  );
  const isRead = itemReaderOf(operation) !== undefined;
  defineForForms(session, {
    suite: 'contract/authentication',
    title: REJECTS,
    operation,
    checks: ['authentication', ...(isRead ? ['refused-changes-nothing' as const] : [])],
    requirements: [
      'errors.unauthorized',
      ...(isRead ? ['auth.refused-changes-nothing'] : []),
      'forms.equivalent',
      ...probesFor(API, operation).map((each) => each.requirement),
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
    checks: ['authorisation', ...(isRead ? ['refused-changes-nothing' as const] : [])],
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

/** How to read what the operation would change: by the id in its path, or in a list. Undefined where it is not known to be stored. */
function itemReaderOf(operation: Operation): { readonly read: Operation; readonly idName?: string } | undefined {
  if (operation.method === 'GET' || !session.knowledge.guarantees('storage', operation)) return undefined;
  const resource = resourceOf(session.knowledge.resources, operation);
  if (resource?.create === operation && resource.list !== undefined) return { read: resource.list };
  const isItem = resource?.read !== undefined && operation.path.includes(`{${resource.idName}}`);
  return isItem && resource.read !== undefined ? { read: resource.read, idName: resource.idName } : undefined;
}

/** Reads the item that the operation would change, or the list with the one that it would create. */
async function readItem(t: TestContext, operation: Operation, request: RequestSpec): Promise<Exchange | undefined> {
  const reader = itemReaderOf(operation);
  if (reader === undefined) return undefined;
  if (reader.idName === undefined) return readListed(t, reader.read, request);
  const id = request.path?.[reader.idName];
  return id === undefined ? undefined : t.send(reader.read, { path: { [reader.idName]: id }, label: 'read the item' });
}

/** The first exchange and the last one read the same item; those between them were refused. */
function changeBetween(operation: Operation, exchanges: readonly Exchange[]): Violation | undefined {
  const [before, after] = [exchanges[0], exchanges.at(-1)];
  if (before === undefined || after === undefined) return undefined;
  const changed = isServed(after)
    ? ownDifferences(session, before, after).filter((each) => !/modified/i.test(each))
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
  const probes = isEarly ? earlyProbesFor(API, operation) : probesFor(API, operation);
  if (!isEarly) await serveOnce(t, operation, request);
  for (const each of probes) {
    const longer = each.slug === 'invalid-token' && !isEarly ? lengthened(API, operation) : undefined;
    await tryProbe(longer ?? each);
  }
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
