import { isSuccess } from '../../spec/index.ts';
import type { Operation } from '../../spec/index.ts';
import { requestToRefuse } from '../../domain/requests.ts';
import { defineForForms } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { reportStatus, statusOf } from './violations.ts';
import { isUuidParameter, defineRejection, uuidsOf } from './wrong-ids.ts';

const session = await openSession();

/** Texts that are not a uuid: other text, a number, a digit missing, letters that are not hexadecimal. */
const MALFORMED = [
  'not-a-uuid',
  '12345',
  '00000000-0000-0000-0000-00000000000',
  'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz',
];

for (const operation of session.contract.operations) {
  const uuids = uuidsOf(session, operation);
  if (uuids.length === 0) continue;
  defineRejection(
    session,
    {
      suite: 'contract/ids',
      title: 'rejects a malformed id with 400 or 404',
      checks: ['malformed-id'],
      requirements: ['ids.uuid'],
    },
    { operation, uuids, values: () => MALFORMED, allowed: [400, 404] },
    { code: 'malformed-id/status', requirement: 'ids.uuid', request: 'a malformed', expected: 'status 400 or 404' },
  );
  const inner = uuids.filter((name) => canBeEmpty(operation, name));
  if (inner.length > 0) defineEmptyId(operation, inner);
}

/**
 * True for an id between two slashes in the path of a GET, unless the path without it is another documented path: a gateway may treat
 * `//` as `/`. Other methods are not tested: a deployment could take an empty id as all ids, and change many items.
 */
function canBeEmpty({ method, path }: Operation, name: string): boolean {
  const without = path.replace(`/{${name}}/`, '/');
  return method === 'GET' && without !== path && !session.contract.operations.some((each) => fits(each, without));
}

/** True for a GET whose path matches the template; a fixed segment of the template cannot be a uuid. */
function fits(operation: Operation, template: string): boolean {
  const words = template.split('/');
  const segments = operation.path.split('/');
  return (
    operation.method === 'GET' &&
    segments.length === words.length &&
    segments.every((segment, at) => {
      const word = words[at] ?? '';
      if (!segment.startsWith('{')) return segment === word;
      return word.startsWith('{') || !isUuidParameter(session, operation, segment.slice(1, -1));
    })
  );
}

function defineEmptyId(operation: Operation, names: readonly string[]): void {
  defineForForms(session, {
    title: 'does not serve a path with an empty id',
    suite: 'contract/ids',
    operation,
    checks: ['malformed-id'],
    requirements: ['ids.required'],
    run: async (t, form) => {
      const request = await requestToRefuse(t, operation, form);
      for (const name of names) {
        const label = `an empty ${name}`;
        const path = { ...request.path, [name]: '' };
        const exchange = await t.send(operation, { ...request, path, valid: false, label });
        // Some gateways answer unknown paths with an HTML page.
        if (!isSuccess(statusOf(exchange)) || exchange.response?.json === undefined) continue;
        reportStatus(t, operation, exchange, {
          code: 'malformed-id/empty',
          requirement: 'ids.required',
          slug: name,
          request: label,
          expected: 'a refusal: the parameter is required',
        });
      }
    },
  });
}
