import { randomUUID } from 'node:crypto';
import { isSuccess } from '../../spec/index.ts';
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
  const inner = uuids.filter((name) => canBeEmpty(operation, name));
  if (inner.length > 0) rejectsEmpty(operation, inner);
}

/**
 * True for an id between two slashes of a GET, where what is left without it is no other documented path: a gateway may take `//` as `/`.
 * Other methods could change more than one item of a deployment that takes no id for every id.
 */
function canBeEmpty({ method, path }: Operation, name: string): boolean {
  const without = path.replace(`/{${name}}/`, '/');
  return method === 'GET' && without !== path && !session.contract.operations.some((each) => fits(each, without));
}

/** True for a GET whose path fits a template; the words in it are no ids. */
function fits(operation: Operation, template: string): boolean {
  const words = template.split('/');
  const segments = operation.path.split('/');
  return (
    operation.method === 'GET' &&
    segments.length === words.length &&
    segments.every((segment, at) => {
      const word = words[at] ?? '';
      if (!segment.startsWith('{')) return segment === word;
      return word.startsWith('{') || !isUuidParameter(operation, segment.slice(1, -1));
    })
  );
}

function rejectsEmpty(operation: Operation, names: readonly string[]): void {
  defineForForms(
    session,
    {
      title: 'does not serve a path with an empty id',
      suite: 'contract/ids',
      operation,
      checks: ['malformed-id'],
      requirements: ['ids.required'],
    },
    async (t, form) => {
      const request = await requestToRefuse(t, operation, form);
      for (const name of names) {
        const label = `an empty ${name}`;
        const path = { ...request.path, [name]: '' };
        const exchange = await t.send(operation, { ...request, path, valid: false, label });
        // A page of HTML is what some gateways answer to any path that they do not know.
        if (!isSuccess(statusOf(exchange)) || exchange.response?.json === undefined) continue;
        t.report(
          wrongStatus(operation, exchange, {
            code: 'malformed-id/empty',
            requirement: 'ids.required',
            slug: name,
            request: label,
            expected: 'a refusal: the parameter is required',
          }),
        );
      }
    },
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
