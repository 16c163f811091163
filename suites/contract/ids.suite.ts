import { randomUUID } from 'node:crypto';
import type { Form, Operation } from '../../spec/index.ts';
import { validRequest } from '../../domain/requests.ts';
import type { TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { statusOf, wrongStatus } from './violations.ts';

const session = await openSession();

/** Texts that are not a uuid: other text, a number, a digit missing, letters that are not hexadecimal. */
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
  const allowed = session.knowledge.unknownIdStatuses?.(operation) ?? [404];
  const existence = session.contract.requirements.filter(
    ({ id, operations }) => id === 'policies.activate-exists' && operations?.includes(operation.id),
  );
  if (allowed.length > 0)
    defineForForms(
      session,
      {
        suite: 'contract/ids',
        title: 'rejects an unknown id with 404',
        operation,
        checks: ['unknown-id'],
        requirements: ['errors.not-found', ...existence.map((each) => each.id)],
      },
      (t, form) => rejectsUnknownIds(t, operation, form, { ids, allowed }),
    );
  defineForForms(
    session,
    {
      suite: 'contract/ids',
      title: 'rejects a malformed id with 400 or 404',
      operation,
      checks: ['malformed-id'],
      requirements: ['ids.uuid'],
    },
    (t, form) => rejectsMalformedIds(t, operation, form, ids),
  );
}

function isUuidParameter(operation: Operation, name: string): boolean {
  const schema = operation.parameters.find((each) => each.in === 'path' && each.name === name)?.schema;
  const resolved = schema === undefined ? undefined : session.contract.resolve(schema).schema;
  return typeof resolved === 'object' && resolved['format'] === 'uuid';
}

interface UnknownIds {
  readonly ids: readonly string[];
  readonly allowed: readonly number[];
}

async function rejectsUnknownIds(t: TestContext, operation: Operation, form: Form, given: UnknownIds): Promise<void> {
  const request = await validRequest(t, operation, form, operation.method === 'GET' ? 'shared' : 'victim');
  for (const name of given.ids) {
    const path = { ...request.path, [name]: randomUUID() };
    const exchange = await t.send(operation, { ...request, path, label: `an unknown ${name}` });
    const status = statusOf(exchange);
    if (status === 0 || given.allowed.includes(status)) continue;
    t.report(
      wrongStatus(operation, exchange, {
        code: 'unknown-id/status',
        subject: `${name} ${status}`,
        requirement: 'errors.not-found',
        request: `an unknown ${name}`,
        expected: 'status 404',
      }),
    );
  }
}

async function rejectsMalformedIds(
  t: TestContext,
  operation: Operation,
  form: Form,
  ids: readonly string[],
): Promise<void> {
  const request = await validRequest(t, operation, form, operation.method === 'GET' ? 'shared' : 'victim');
  for (const name of ids)
    for (const malformed of MALFORMED) {
      const path = { ...request.path, [name]: malformed };
      const exchange = await t.send(operation, { ...request, path, label: `a malformed ${name}` });
      const status = statusOf(exchange);
      if (status === 0 || status === 400 || status === 404) continue;
      t.report(
        wrongStatus(operation, exchange, {
          code: 'malformed-id/status',
          subject: `${name} ${status}`,
          requirement: 'ids.uuid',
          request: `a malformed ${name}`,
          expected: 'status 400 or 404',
        }),
      );
    }
}
