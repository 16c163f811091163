import { randomUUID } from 'node:crypto';
import type { Exchange, Operation } from '../../spec/index.ts';
import { isSuccess } from '../../spec/index.ts';
import { differences } from '../kit/compare.ts';
import { isUuid } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import { resourceOf, resourcesOf } from '../../domain/resources.ts';
import { openSession } from '../kit/session.ts';
import type { RequestSpec, Violation, TestContext } from '../kit/context.ts';
import { validRequest } from '../../domain/requests.ts';

const session = await openSession();

/** A request that must be answered with 401, and the sentence that says so. */
interface Probe {
  readonly label: string;
  readonly requirement: string;
  readonly ask: Pick<RequestSpec, 'identity' | 'authorization'>;
}

const PROBES: readonly Probe[] = [
  { label: 'no token', requirement: 'auth.missing', ask: { identity: 'none' } },
  { label: 'a made-up token', requirement: 'auth.invalid', ask: { identity: 'invalid' } },
  ...(session.options.tokens.expired === undefined
    ? []
    : [{ label: 'an expired token', requirement: 'auth.expired', ask: { identity: 'expired' } } as const]),
  { label: 'a token without a scheme', requirement: 'auth.malformed-header', ask: { authorization: '$ASSAY_TOKEN' } },
  { label: 'another scheme', requirement: 'auth.malformed-header', ask: { authorization: 'Basic $ASSAY_TOKEN' } },
  { label: 'a scheme without a token', requirement: 'auth.malformed-header', ask: { authorization: 'Bearer' } },
];

for (const operation of session.contract.operations) {
  for (const form of operation.forms) {
    if (operation.permission === 'none' || !promises(operation, '401')) continue;
    defineTest(
      session,
      {
        suite: 'contract/authentication',
        title: 'without a valid token it answers 401',
        operation,
        form,
        checks: ['authentication', 'refused-changes-nothing'],
        requirements: [
          'errors.unauthorized',
          'auth.refused-changes-nothing',
          'forms.equivalent',
          ...PROBES.map((each) => each.requirement),
          ...session.contract.requirements
            .filter((each) => each.id.endsWith('.needs-token') && each.operations?.includes(operation.id))
            .map((each) => each.id),
        ],
        effects: [operation.effect],
      },
      async (t) => {
        const ask = await validRequest(t, operation, form);
        const before = await stateBehind(t, operation, ask);
        const wrong: { probe: Probe; exchange: Exchange }[] = [];
        for (const probe of PROBES) {
          const exchange = await t.send(operation, { ...ask, ...probe.ask, label: probe.label });
          if (exchange.response !== undefined && exchange.response.status !== 401) wrong.push({ probe, exchange });
        }
        if (wrong.length === 0) wrong.push(...(await strangers(t, operation, ask)));
        for (const { probe, exchange } of rootsOf(wrong)) t.report(refused(operation, probe, exchange));
        if (wrong.length === 0) await unchanged(t, operation, ask, before);
      },
    );

    if (operation.permission === 'unstated' || !promises(operation, '403')) continue;
    defineTest(
      session,
      {
        suite: 'contract/authentication',
        operation,
        form,
        title: operation.permission === 'any' ? 'any valid token is served' : 'a token without the permission gets 403',
        checks: ['authorisation', 'refused-changes-nothing'],
        requirements:
          operation.permission === 'any' ? ['auth.any-token'] : ['auth.lacking-permission', 'errors.forbidden'],
        effects: [operation.effect],
      },
      async (t) => {
        const ask = await validRequest(t, operation, form);
        const before = await stateBehind(t, operation, ask);
        if (await tryLimited(t, operation, ask)) await unchanged(t, operation, ask, before);
      },
    );
  }
}

/** Api.md promises these refusals of all its operations; another description must say so itself. */
function promises(operation: Operation, status: string): boolean {
  return (
    session.knowledge.guarantees('statuses', operation) || operation.responses.some((each) => each.status === status)
  );
}

/** The item that an operation would change, as it is now. */
function stateBehind(t: TestContext, operation: Operation, ask: RequestSpec): Promise<Exchange | undefined> {
  const resource =
    operation.method === 'GET' || !session.knowledge.guarantees('storage', operation)
      ? undefined
      : resourceOf(resourcesOf(t.session.contract), operation);
  const id = ask.path?.[resource?.idName ?? ''];
  if (resource?.read === undefined || id === undefined) return Promise.resolve(undefined);
  return t.send(resource.read, { path: { [resource.idName]: id }, label: 'read what it would change' });
}

/** Members that a deployment may move by itself. */
const VOLATILE = /modified|summary|progress|cost|order/i;

/** What was refused changed nothing. */
async function unchanged(
  t: TestContext,
  operation: Operation,
  ask: RequestSpec,
  before: Exchange | undefined,
): Promise<void> {
  if (before?.response?.status !== 200) return;
  await t.holds(async () => {
    const after = await stateBehind(t, operation, ask);
    if (after === undefined) return undefined;
    const changed =
      after.response?.status === 200
        ? differences(before.response?.json, after.response.json).filter((each) => !VOLATILE.test(each))
        : [`status ${after.response?.status ?? 'none'}`];
    if (changed.length === 0) return undefined;
    return {
      check: 'refused-changes-nothing',
      requirement: 'auth.refused-changes-nothing',
      operation,
      cause: `changed by a refused request: ${changed[0] ?? ''}`,
      message: `${operation.id} changes something though it refuses the token`,
      expected: 'the item as it was',
      received: `another ${changed.join(', ')}`,
      exchanges: [before, after],
    };
  });
}

/** What is not there is not told to a stranger either: the token is missing, whatever the id. */
async function strangers(
  t: TestContext,
  operation: Operation,
  ask: RequestSpec,
): Promise<{ probe: Probe; exchange: Exchange }[]> {
  const names = Object.keys(ask.path ?? {}).filter((name) => isUuid(ask.path?.[name]));
  if (names.length === 0) return [];
  const probe: Probe = { label: 'no token and an unknown id', requirement: 'auth.missing', ask: { identity: 'none' } };
  const path = { ...ask.path, ...Object.fromEntries(names.map((name) => [name, randomUUID()])) };
  const exchange = await t.send(operation, { ...ask, ...probe.ask, path, label: probe.label });
  return exchange.response === undefined || exchange.response.status === 401 ? [] : [{ probe, exchange }];
}

/** Where every probe fails alike, the missing token says it all. */
function rootsOf<T extends { exchange: Exchange }>(wrong: readonly T[]): readonly T[] {
  const alike = wrong.every((each) => each.exchange.response?.status === wrong[0]?.exchange.response?.status);
  return alike && wrong.length === PROBES.length ? wrong.slice(0, 1) : wrong;
}

function refused(operation: Operation, probe: Probe, exchange: Exchange): Violation {
  const status = exchange.response?.status ?? 0;
  const served = isSuccess(status);
  return {
    check: 'authentication',
    requirement: probe.requirement,
    operation,
    cause: `${probe.label}: ${served ? 'served' : status}`,
    message: served
      ? `${operation.id} is served with ${probe.label}`
      : `${operation.id} answers ${status} to ${probe.label}`,
    expected: 'status 401',
    received: `status ${status}`,
    exchanges: [exchange],
  };
}

/** True where it was refused as it must be. */
async function tryLimited(t: TestContext, operation: Operation, ask: RequestSpec): Promise<boolean> {
  if (t.session.options.tokens.limited === undefined) t.skip('no limited token was given (--limited-token)');
  const open = operation.permission === 'any';
  const exchange = await t.send(operation, { ...ask, identity: 'limited', label: 'with the limited token' });
  const status = exchange.response?.status;
  if (status === undefined || (open ? isSuccess(status) : status === 403)) return !open;
  t.report({
    check: 'authorisation',
    requirement: open ? 'auth.any-token' : 'auth.lacking-permission',
    operation,
    cause: isSuccess(status) ? 'served' : `status ${status}`,
    message: open
      ? `${operation.id} refuses a valid token with ${status}, though it asks for no permission`
      : `${operation.id} answers ${status} to a token that lacks ${operation.permission}`,
    expected: open ? 'a success: any valid token will do' : 'status 403',
    received: `status ${status}`,
    exchanges: [exchange],
  });
  return false;
}
