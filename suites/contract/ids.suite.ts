import { randomUUID } from 'node:crypto';
import type { Operation } from '../../spec/index.ts';
import { itemsOf } from '../../domain/items.ts';
import { requestToRefuse } from '../../domain/requests.ts';
import { defineForForms } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { statusOf, wrongStatus } from './violations.ts';
import type { StatusRule } from './violations.ts';

const session = await openSession();

/** Texts that are not a uuid: other text, a number, a digit missing, letters that are not hexadecimal. */
const MALFORMED = [
  'not-a-uuid',
  '12345',
  '00000000-0000-0000-0000-00000000000',
  'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz',
];

for (const operation of session.contract.operations) {
  const ids = operation.parameters.filter((each) => each.in === 'path').map((each) => each.name);
  const uuids = ids.filter((name) => isUuidParameter(operation, name));
  if (uuids.length === 0 || !session.knowledge.guarantees('ids', operation)) continue;
  const allowed = session.knowledge.unknownIdStatuses?.(operation) ?? [404];
  const existence = session.contract.requirements.filter(
    ({ id, operations }) => id === 'policies.activate-exists' && operations?.includes(operation.id),
  );
  if (allowed.length > 0)
    rejects(
      {
        title: 'rejects an unknown id with 404',
        checks: ['unknown-id'],
        requirements: ['errors.not-found', ...existence.map((each) => each.id)],
      },
      { operation, uuids, values: () => [randomUUID()], allowed, mayBeEmpty: true },
      { code: 'unknown-id/status', requirement: 'errors.not-found', request: 'an unknown', expected: 'status 404' },
    );
  rejects(
    { title: 'rejects a malformed id with 400 or 404', checks: ['malformed-id'], requirements: ['ids.uuid'] },
    { operation, uuids, values: () => MALFORMED, allowed: [400, 404] },
    { code: 'malformed-id/status', requirement: 'ids.uuid', request: 'a malformed', expected: 'status 400 or 404' },
  );
}

function isUuidParameter(operation: Operation, name: string): boolean {
  const schema = operation.parameters.find((each) => each.in === 'path' && each.name === name)?.schema;
  const resolved = schema === undefined ? undefined : session.contract.resolve(schema).schema;
  return typeof resolved === 'object' && resolved['format'] === 'uuid';
}

interface Ids {
  readonly operation: Operation;
  /** Names of the path parameters. */
  readonly uuids: readonly string[];
  /** Wrong values for each of them. */
  readonly values: () => readonly string[];
  readonly allowed: readonly number[];
  /** An empty list is allowed too: what a list below an unknown item answers is not stated. */
  readonly mayBeEmpty?: boolean;
}

/** Declares tests that replace each id of the path by wrong values. */
function rejects(
  spec: Pick<TestDefinition, 'title' | 'checks' | 'requirements'>,
  { operation, uuids, values, allowed, mayBeEmpty = false }: Ids,
  rule: StatusRule,
): void {
  defineForForms(session, { ...spec, suite: 'contract/ids', operation }, async (t, form) => {
    const request = await requestToRefuse(t, operation, form);
    for (const name of uuids)
      for (const value of values()) {
        const label = `${rule.request} ${name}`;
        const path = { ...request.path, [name]: value };
        const exchange = await t.send(operation, { ...request, path, valid: false, label });
        const status = statusOf(exchange);
        const isEmpty = mayBeEmpty && status === 200 && itemsOf(exchange.response?.json)?.length === 0;
        if (status !== 0 && !allowed.includes(status) && !isEmpty)
          t.report(wrongStatus(operation, exchange, { ...rule, slug: name, request: label }));
      }
  });
}
