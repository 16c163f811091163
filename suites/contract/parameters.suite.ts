import type { Json, Operation, Parameter } from '../../spec/index.ts';
import { isSuccess } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { validRequest } from '../../domain/requests.ts';

const session = await openSession();

/** Texts that no query parameter should choke on, already encoded. */
const ODD_TEXTS = [
  '',
  '%27',
  '%22',
  'null',
  '%00',
  '%25',
  '%F0%9F%92%8E',
  '%E2%80%AE',
  '..%2F..%2F',
  '%3Cscript%3E',
  '1%20OR%201%3D1',
  'a'.repeat(2000),
  '%FF%FE',
  '%C3%28',
  '%5B%5D',
  '*',
  '%5C',
];
const ODD_NUMBERS = [
  '-1',
  '0',
  '1',
  '2147483647',
  '2147483648',
  '-2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '1.5',
  '1e3',
  '0x10',
  '%2B1',
  'NaN',
  '٣',
];
const ODD_BOOLEANS = ['true', 'false', 'True', 'TRUE', '1', '0', 'yes', 'maybe', 'on'];

/** Values within what the description allows, that must be served. */
const SERVED: Readonly<Record<string, readonly Json[]>> = {
  int32: [1, 2, 50],
  int64: [0, 1],
  boolean: [true, false],
  text: ['assay', 'a b', "o'neil", 'ø', '50%'],
};

for (const operation of session.contract.operations) {
  const query = operation.parameters.filter((each) => each.in === 'query');
  if (query.length === 0) continue;
  for (const form of operation.forms) {
    defineTest(
      session,
      {
        suite: 'contract/parameters',
        title: 'boundary and ill-typed values bring no server error',
        operation,
        form,
        checks: ['no-server-error', 'answered'],
        requirements: ['errors.no-server-error'],
        effects: [operation.effect],
        cost: 40,
      },
      async (t) => {
        const ask = await validRequest(t, operation, form);
        for (const parameter of query) {
          const { [parameter.name]: _own, ...rest } = ask.query ?? {};
          for (const odd of oddValues(parameter)) {
            await t.send(operation, {
              ...ask,
              query: rest,
              rawQuery: `${parameter.name}=${odd}`,
              label: `${parameter.name}=${odd.slice(0, 40)}`,
            });
          }
          await t.send(operation, {
            ...ask,
            query: rest,
            rawQuery: `${parameter.name}=1&${parameter.name}=2`,
            label: `${parameter.name} twice`,
          });
          await t.send(operation, {
            ...ask,
            query: rest,
            rawQuery: `${parameter.name}[a]=1`,
            label: `${parameter.name} as an object`,
          });
          await t.send(operation, {
            ...ask,
            query: rest,
            rawQuery: `${parameter.name}[a]=1&${parameter.name}[a]=2`,
            label: `${parameter.name}[a] twice`,
          });
        }
      },
    );
    if (operation.method !== 'GET') continue;
    defineTest(
      session,
      {
        suite: 'contract/parameters',
        title: 'each documented parameter is taken',
        operation,
        form,
        checks: ['valid-request-served'],
        requirements: ['errors.success'],
        effects: [operation.effect],
      },
      async (t) => {
        const ask = await validRequest(t, operation, form);
        for (const parameter of query) {
          for (const value of servedValues(operation, parameter)) {
            const exchange = await t.send(operation, {
              ...ask,
              query: { ...ask.query, [parameter.name]: value },
              label: `${parameter.name}=${JSON.stringify(value)}`,
            });
            const status = exchange.response?.status ?? 0;
            if (isSuccess(status) || status >= 500 || status === 0) continue;
            t.report({
              check: 'valid-request-served',
              operation,
              cause: `${parameter.name} refused with ${status}`,
              message: `${operation.id} refuses ${parameter.name}=${JSON.stringify(value)} with ${status}`,
              expected: `a success: ${parameter.name} is documented and the value fits`,
              received: `status ${status}`,
              exchanges: [exchange],
            });
          }
        }
      },
    );
  }
}

function schemaOf(parameter: Parameter): Readonly<Record<string, Json>> {
  const { schema } = session.contract.resolve(parameter.schema);
  return typeof schema === 'object' ? schema : {};
}

function oddValues(parameter: Parameter): readonly string[] {
  const { type } = schemaOf(parameter);
  if (type === 'integer' || type === 'number') return [...ODD_NUMBERS, 'text', ''];
  return type === 'boolean' ? [...ODD_BOOLEANS, ''] : ODD_TEXTS;
}

/** Values that the document itself shows to be right; none where it leaves the set of values open. */
function servedValues(operation: Operation, parameter: Parameter): readonly Json[] {
  const { type, format, 'x-grade': grade } = schemaOf(parameter);
  if (
    !session.knowledge.guarantees('valid-requests-succeed', operation) ||
    grade !== undefined ||
    parameter.style === 'deepObject'
  )
    return [];
  if (type === 'boolean') return SERVED['boolean'] ?? [];
  if (type === 'integer') return SERVED[format === 'int64' ? 'int64' : 'int32'] ?? [];
  return type === 'string' && /^(search|filter)/.test(parameter.name) ? (SERVED['text'] ?? []) : [];
}
