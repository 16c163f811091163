import { isSuccess } from '../../spec/index.ts';
import type { Form, Json, Operation, Parameter } from '../../spec/index.ts';
import { validRequest } from '../../domain/requests.ts';
import type { TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { isJudgedElsewhere, statusOf, wrongStatus } from './violations.ts';

const session = await openSession();

/**
 * Percent-encoded texts, after the empty one: reserved characters and words, control characters, markup, malformed
 * UTF-8.
 */
const UNUSUAL_TEXTS = [
  '|%27|%22|null|%00|%25|%5B%5D|*|%5C|%F0%9F%92%8E|%E2%80%AE|..%2F..%2F|%3Cscript%3E|1%20OR%201%3D1|%FF%FE|%C3%28',
  'a'.repeat(2000),
].join('|');
const UNUSUAL_NUMBERS = [
  '-1|0|1|2147483647|2147483648|-2147483648|-2147483649|9007199254740993|9223372036854775807|9223372036854775808',
  '1.5|1e3|0x10|%2B1|NaN|٣|text|',
].join('|');
const UNUSUAL_BOOLEANS = 'true|false|True|TRUE|1|0|yes|maybe|on|';

/** Valid values by type. */
const VALID = {
  int32: [1, 2, 50],
  int64: [0, 1],
  boolean: [true, false],
  text: ['assay', 'a b', "o'neil", 'ø', '50%'],
} as const;

for (const operation of session.contract.operations) {
  const parameters = operation.parameters.filter((each) => each.in === 'query');
  if (parameters.length === 0) continue;
  defineForForms(
    session,
    {
      suite: 'contract/parameters',
      title: 'answers boundary and invalid values without a server error',
      operation,
      checks: ['no-server-error', 'answered'],
      requirements: ['errors.no-server-error'],
      cost: 40,
    },
    (t, form) => sendUnusualValues(t, operation, form, parameters),
  );
  if (operation.method !== 'GET' || parameters.every((each) => validValues(operation, each).length === 0)) continue;
  defineForForms(
    session,
    {
      suite: 'contract/parameters',
      title: 'accepts every documented parameter',
      operation,
      checks: ['valid-request-served'],
      requirements: ['errors.success'],
    },
    (t, form) => acceptsParameters(t, operation, form, parameters),
  );
}

async function sendUnusualValues(
  t: TestContext,
  operation: Operation,
  form: Form,
  parameters: readonly Parameter[],
): Promise<void> {
  const request = await validRequest(t, operation, form);
  const turn = operation.forms.indexOf(form);
  const sendValuesOf = async (parameter: Parameter): Promise<void> => {
    const { name } = parameter;
    const { [name]: _own, ...query } = request.query ?? {};
    const queries = [
      ...unusualValues(parameter).map((value) => `${name}=${value}`),
      `${name}=1&${name}=2`,
      `${name}[a]=1`,
      `${name}[a]=1&${name}[a]=2`,
    ];
    // Each value through one form, the forms in turn.
    for (const rawQuery of queries.filter((_, index) => index % operation.forms.length === turn))
      await t.send(operation, {
        ...request,
        query,
        rawQuery,
        valid: false,
        label: rawQuery.slice(0, name.length + 41),
      });
  };
  await Promise.all(parameters.map(sendValuesOf));
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
      t.report(
        wrongStatus(operation, exchange, {
          code: 'valid-request-served/member-refused',
          slug: parameter.name,
          request: label,
          expected: `a success, since ${parameter.name} is documented and the value is valid`,
        }),
      );
    }
}

function schemaOf(parameter: Parameter): Readonly<Record<string, Json>> {
  const { schema } = session.contract.resolve(parameter.schema);
  return typeof schema === 'object' ? schema : {};
}

function unusualValues(parameter: Parameter): readonly string[] {
  const { type } = schemaOf(parameter);
  const isNumber = type === 'integer' || type === 'number';
  return (isNumber ? UNUSUAL_NUMBERS : type === 'boolean' ? UNUSUAL_BOOLEANS : UNUSUAL_TEXTS).split('|');
}

/** Values that the document shows to be valid; none where it does not say which values there are. */
function validValues(operation: Operation, parameter: Parameter): readonly Json[] {
  const { type, format, 'x-grade': grade } = schemaOf(parameter);
  const isGuaranteed = session.knowledge.guarantees('valid-requests-succeed', operation);
  if (!isGuaranteed || grade !== undefined || parameter.style === 'deepObject') return [];
  if (type === 'boolean') return VALID.boolean;
  if (type === 'integer') return VALID[format === 'int64' ? 'int64' : 'int32'];
  return type === 'string' && /^(search|filter)/.test(parameter.name) ? VALID.text : [];
}
