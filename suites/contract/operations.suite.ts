import { isSuccess } from '../../spec/index.ts';
import type { CheckName, Form, Operation } from '../../spec/index.ts';
import { sendValid } from '../../domain/requests.ts';
import type { TestContext } from '../kit/context.ts';
import { defineForForms, hasAwaited } from '../kit/define-test.ts';
import { firstAnswer } from '../kit/first-answer.ts';
import { openSession } from '../kit/session.ts';
import { reportViolation } from '../kit/violation.ts';
import { reportStatus } from './violations.ts';

const session = await openSession();

const CHECKS: readonly CheckName[] = [
  'answered',
  'no-server-error',
  'status-documented',
  'valid-request-served',
  'content-type-offered',
  'json-well-formed',
  'body-fits-schema',
  'headers-declared',
];

const REQUIREMENTS = [
  'auth.bearer',
  'content.response-well-formed',
  'errors.documented-status',
  'errors.success',
  'errors.created',
  'versioning.responses-json',
];

for (const operation of session.contract.operations) {
  const isOpen = operation.permission === 'none';
  defineForForms(session, {
    suite: 'contract/operations',
    title: 'serves a valid request as documented',
    operation,
    checks: CHECKS,
    requirements: [
      ...REQUIREMENTS,
      ...(operation.forms.length > 1 ? ['forms.both-exist'] : []),
      ...(hasContent(operation) ? ['content.response-schema', 'content.response-type'] : []),
      ...(operation.path.includes('{') ? [] : ['service.described-operations']),
      ...requirementsOf(operation),
      ...(isOpen ? ['status.without-token', 'status.json'] : []),
    ],
    run: (t, form) => servesValidRequest(t, operation, form),
  });
}

/** True where the description gives a success a body; else any body, or none, is allowed. */
function hasContent({ responses }: Operation): boolean {
  return responses.some(({ status, content }) => /^(2|default)/i.test(status) && content.length > 0);
}

async function servesValidRequest(t: TestContext, operation: Operation, form: Form): Promise<void> {
  const isServed = t.knowledge.guarantees('valid-requests-succeed', operation);
  const isOpen = operation.permission === 'none' && isServed;
  const expect = isOpen ? 'any' : 'success';
  const exchange = await sendValid(t, operation, form, (request) => ({ ...request, expect }));
  if (t.knowledge.mayServeOther?.(operation, exchange) === true) return servesValidRequest(t, operation, form);
  const { response } = exchange;
  if (response === undefined) return;
  const success = isSuccess(response.status);
  if (success && operation.method === 'GET' && !operation.path.includes('{')) await firstAnswer(t, exchange);
  if (success && hasAwaited()) await t.knowledge.begin?.(t, operation);
  if (success && isServed && hasContent(operation) && response.body.length === 0 && operation.path.endsWith('}'))
    reportViolation(t, 'body-fits-schema/missing', operation, {
      subject: String(response.status),
      expected: 'the item',
      received: `status ${response.status} without a body`,
      exchanges: [exchange],
    });
  // Whether it ignores the token is not documented: only a server error is a violation.
  if (isOpen && success)
    await sendValid(t, operation, form, (request) => ({
      ...request,
      authorization: 'Bearer assay-made-this-token-up',
      valid: false,
      label: 'with a token that nobody has issued',
    }));
  if (isOpen && !success)
    reportStatus(t, operation, exchange, {
      code: 'valid-request-served/without-token',
      requirement: 'status.without-token',
      request: 'a request without a token',
      expected: 'status 200, since no token is required',
    });
}

/** Requirements of the operation that a single response can violate. */
function requirementsOf(operation: Operation): readonly string[] {
  return session.contract.requirements
    .filter(({ id, section, operations }) => {
      if (id === 'published.fields') return true;
      const isOfResponse = section.startsWith('9 ') || id.endsWith('.id-uuid') || id === 'published.paginated-fields';
      return isOfResponse && operations?.includes(operation.id);
    })
    .map((each) => each.id);
}
