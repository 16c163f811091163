import { isSuccess } from '../../spec/index.ts';
import type { Operation } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { sendValid } from '../../domain/requests.ts';

const session = await openSession();

for (const operation of session.contract.operations) {
  for (const form of operation.forms) {
    defineTest(
      session,
      {
        suite: 'contract/operations',
        title: 'a valid request is served as documented',
        operation,
        form,
        checks: [
          'answered',
          'no-server-error',
          'status-documented',
          'valid-request-served',
          'content-type-offered',
          'json-well-formed',
          'body-fits-schema',
          'headers-declared',
          ...(operation.permission === 'none' ? ['served-without-token' as const] : []),
        ],
        requirements: [
          'forms.both-exist',
          'auth.bearer',
          'content.response-schema',
          'content.response-type',
          'content.response-well-formed',
          'errors.documented-status',
          'errors.success',
          'errors.created',
          'versioning.responses-json',
          ...spokenOf(operation),
          ...(operation.permission === 'none' ? ['status.without-token', 'status.json'] : []),
        ],
        effects: [operation.effect],
      },
      async (t) => {
        const isServed = session.knowledge.guarantees('valid-requests-succeed', operation);
        const open = operation.permission === 'none' && isServed;
        const expect = isServed && !open ? 'success' : 'any';
        const exchange = await sendValid(t, operation, form, (ask) => ({ ...ask, expect }));
        const { response } = exchange;
        if (response === undefined) return;
        const promised = operation.responses.find((each) => each.status === '200')?.content.length ?? 0;
        if (
          isSuccess(response.status) &&
          response.body.length === 0 &&
          promised > 0 &&
          isServed &&
          operation.path.endsWith('}')
        ) {
          t.report({
            check: 'body-fits-schema',
            cause: 'no body for an item that exists',
            message: `${operation.id} answers ${response.status} without the item that exists`,
            expected: 'the item, as the document says',
            received: `status ${response.status}, no body`,
            exchanges: [exchange],
          });
        }
        if (open && !isSuccess(response.status)) {
          t.report({
            check: 'served-without-token',
            requirement: 'status.without-token',
            cause: `status ${response.status}`,
            message: `${operation.id} is not served without a token`,
            expected: 'status 200: this one is called without an Authorization header',
            received: `status ${response.status}`,
            exchanges: [exchange],
          });
        }
      },
    );
  }
}

/** Sentences of sections 2 and 9, and what is published of the fields, about this operation that its answer alone can break. */
function spokenOf(operation: Operation): readonly string[] {
  return session.contract.requirements
    .filter(
      (each) =>
        each.id === 'published.fields' ||
        ((each.section === '9' || each.id.endsWith('.id-uuid') || each.id === 'published.paginated-fields') &&
          each.operations?.includes(operation.id) === true),
    )
    .map((each) => each.id);
}
