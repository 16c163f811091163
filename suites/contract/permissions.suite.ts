import type { Exchange, Form, Operation, TokenName } from '../../spec/index.ts';
import { requestToRefuse, sendValid } from '../../domain/requests.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { reportViolation } from '../kit/violation.ts';
import { isJudgedElsewhere, reportStatus, statusOf } from './violations.ts';

const session = await openSession();

const permissions = Object.keys(session.options.tokens.permissions ?? {});

/** Operations of which the required permission is known. */
const declared = session.contract.operations.filter(
  ({ permission }) => permission !== 'none' && permission !== 'unstated',
);

for (const operation of permissions.length === 0 ? [] : declared)
  defineForForms(session, {
    suite: 'contract/permissions',
    title: 'accepts tokens with the required permission, and rejects others with 403',
    operation,
    checks: ['authorisation'],
    requirements: [
      'auth.permission-suffices',
      ...(operation.permission === 'any' ? ['auth.any-token'] : ['auth.lacking-permission']),
    ],
    run: async (t, form) => {
      for (const permission of permissions) await tryPermission(t, operation, form, permission);
    },
  });

async function tryPermission(t: TestContext, operation: Operation, form: Form, permission: string): Promise<void> {
  const isEnough = operation.permission === 'any' || operation.permission === permission;
  const withToken = (request: RequestSpec): RequestSpec => ({
    ...request,
    identity: permission as TokenName,
    label: `with a token for ${permission} only`,
  });
  if (isEnough) mustBeServed(t, operation, permission, await sendValid(t, operation, form, withToken));
  else await mustRefuse(t, operation, withToken(await requestToRefuse(t, operation, form)), permission);
}

function mustBeServed(t: TestContext, operation: Operation, permission: string, exchange: Exchange): void {
  const status = statusOf(exchange);
  if (status !== 401 && status !== 403) return;
  // Who may work on the items of others is not documented.
  const ofAnother = operation.path.includes('{');
  reportViolation(t, 'authorisation/permission-refused', operation, {
    subject: String(status),
    requirement: operation.permission === 'any' ? 'auth.any-token' : 'auth.permission-suffices',
    grade: ofAnother ? 'inferred' : undefined,
    message: `${operation.id} answers a token with the permission ${permission} with status ${status}`,
    expected: 'no refusal for lack of a permission',
    received: `status ${status}`,
    exchanges: [exchange],
  });
}

async function mustRefuse(
  t: TestContext,
  operation: Operation,
  request: RequestSpec,
  permission: string,
): Promise<void> {
  const exchange = await t.send(operation, request);
  const status = statusOf(exchange);
  if (status === 403 || isJudgedElsewhere(status)) return;
  reportStatus(t, operation, exchange, {
    code: 'authorisation/status',
    served: 'authorisation/accepted',
    slug: 'other-permission',
    requirement: 'auth.lacking-permission',
    request: `a token with ${permission} and without ${operation.permission}`,
    expected: 'status 403',
  });
}
