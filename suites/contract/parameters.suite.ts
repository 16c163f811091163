import { isSuccess } from '../../spec/index.ts';
import type { Form, Json, Operation, Parameter } from '../../spec/index.ts';
import { mayBePastEnd } from '../../domain/read-list.ts';
import { validRequest } from '../../domain/requests.ts';
import type { TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { parameterSchema } from '../kit/schema-parts.ts';
import { isJudgedElsewhere, reportStatus, statusOf } from './violations.ts';

const session = await openSession();

/** Valid values by type. */
const VALID = {
  // Larger pages than by default may be refused: the maximum page size is not documented.
  int32: [1, 2, 10],
  int64: [0, 1],
  boolean: [true, false],
  // Shorter texts may be refused: the lengths are not documented.
  text: ['assay', 'a b', "o'neil", 'søn', '50%'],
} as const;

for (const operation of session.contract.operations) {
  const parameters = operation.parameters.filter((each) => each.in === 'query');
  if (parameters.length === 0) continue;
  if (operation.method !== 'GET' || parameters.every((each) => validValues(operation, each).length === 0)) continue;
  defineForForms(session, {
    suite: 'contract/parameters',
    title: 'accepts every documented parameter',
    operation,
    checks: ['valid-request-served'],
    requirements: ['errors.success'],
    run: (t, form) => acceptsParameters(t, operation, form, parameters),
  });
}

async function acceptsParameters(
  t: TestContext,
  operation: Operation,
  form: Form,
  parameters: readonly Parameter[],
): Promise<void> {
  const request = await validRequest(t, operation, form);
  for (const parameter of parameters)
    for (const value of validValues(operation, parameter)) {
      const label = `${parameter.name}=${JSON.stringify(value)}`;
      const query = { ...request.query, [parameter.name]: value };
      const exchange = await t.send(operation, { ...request, query, valid: true, label });
      const status = statusOf(exchange);
      if (isSuccess(status) || isJudgedElsewhere(status)) continue;
      if (status === 404 && mayBePastEnd(operation, query)) continue;
      reportStatus(t, operation, exchange, {
        code: 'valid-request-served/member-refused',
        slug: parameter.name,
        request: label,
        expected: `a success, since ${parameter.name} is documented and the value is valid`,
      });
    }
}

/** Values that the document shows to be valid; none where it does not show which values are valid. */
function validValues(operation: Operation, parameter: Parameter): readonly Json[] {
  const { type, format, 'x-grade': grade } = parameterSchema(session.contract, parameter);
  const isGuaranteed = session.knowledge.guarantees('valid-requests-succeed', operation);
  if (!isGuaranteed || grade !== undefined || parameter.style === 'deepObject') return [];
  if (type === 'boolean') return VALID.boolean;
  if (type === 'integer') return VALID[format === 'int64' ? 'int64' : 'int32'];
  return type === 'string' && /^(search|filter)/.test(parameter.name) ? VALID.text : [];
}
