import { randomUUID } from 'node:crypto';
import type { Operation } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { validRequest } from '../../domain/requests.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';

const session = await openSession();

/** An object that nothing was ever written about may well have an empty audit log; the document does not say. */
const OPEN_TO_UNKNOWN = new Set<string>([OPERATIONS.audit]);

/** Words that are no uuid, one for each way of being none. */
const MALFORMED = [
  'not-a-uuid',
  '12345',
  '00000000-0000-0000-0000-00000000000',
  'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz',
];

for (const operation of session.contract.operations) {
  const ids = operation.parameters
    .filter((each) => each.in === 'path' && isUuidParameter(operation, each.name))
    .map((each) => each.name);
  if (ids.length === 0 || !session.knowledge.guarantees('ids', operation)) continue;
  for (const form of operation.forms) {
    if (!OPEN_TO_UNKNOWN.has(operation.id)) {
      defineTest(
        session,
        {
          suite: 'contract/ids',
          title: 'an unknown id is answered with 404',
          operation,
          form,
          checks: ['unknown-id'],
          requirements: [
            'errors.not-found',
            ...(operation.id.endsWith('activate') ? ['policies.activate-exists'] : []),
          ],
          effects: [operation.effect],
        },
        async (t) => {
          const ask = await validRequest(t, operation, form, operation.method === 'GET' ? 'shared' : 'victim');
          for (const name of ids) await tryUnknown(t, operation, ask, name);
        },
      );
    }
    defineTest(
      session,
      {
        suite: 'contract/ids',
        title: 'a malformed id is answered with 400 or 404',
        operation,
        form,
        checks: ['malformed-id'],
        requirements: ['ids.uuid'],
        effects: [operation.effect],
      },
      async (t) => {
        const ask = await validRequest(t, operation, form, operation.method === 'GET' ? 'shared' : 'victim');
        for (const name of ids) {
          for (const word of MALFORMED)
            await tryMalformed(t, operation, { ...ask, path: { ...ask.path, [name]: word } }, name);
        }
      },
    );
  }
}

function isUuidParameter(operation: Operation, name: string): boolean {
  const schema = operation.parameters.find((each) => each.in === 'path' && each.name === name)?.schema;
  const resolved = schema === undefined ? undefined : session.contract.resolve(schema).schema;
  return typeof resolved === 'object' && resolved['format'] === 'uuid';
}

async function tryUnknown(t: TestContext, operation: Operation, ask: RequestSpec, name: string): Promise<void> {
  const exchange = await t.send(operation, {
    ...ask,
    path: { ...ask.path, [name]: randomUUID() },
    label: `an unknown ${name}`,
  });
  const status = exchange.response?.status;
  const refusedAnyhow = operation.body !== undefined && operation.id === OPERATIONS.approve && status === 400;
  if (status === undefined || status === 404 || refusedAnyhow) return;
  t.report({
    check: 'unknown-id',
    requirement: 'errors.not-found',
    operation,
    cause: `unknown ${name}: status ${status}`,
    message: `${operation.id} answers ${status} to an unknown ${name}`,
    expected: 'status 404: the resource does not exist',
    received: `status ${status}`,
    exchanges: [exchange],
  });
}

async function tryMalformed(t: TestContext, operation: Operation, ask: RequestSpec, name: string): Promise<void> {
  const exchange = await t.send(operation, { ...ask, label: `${name} is no uuid` });
  const status = exchange.response?.status;
  if (status === undefined || status === 404 || status === 400) return;
  t.report({
    check: 'malformed-id',
    requirement: 'ids.uuid',
    operation,
    cause: `malformed ${name}: status ${status}`,
    message: `${operation.id} answers ${status} to ${name} that is no uuid`,
    expected: 'status 400 or 404',
    received: `status ${status}`,
    exchanges: [exchange],
  });
}
