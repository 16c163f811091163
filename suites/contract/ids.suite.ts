import { randomUUID } from 'node:crypto';
import { openSession } from '../kit/session.ts';
import { defineRejection, uuidsOf } from './wrong-ids.ts';

const session = await openSession();

for (const operation of session.contract.operations) {
  const uuids = uuidsOf(session, operation);
  const allowed = session.knowledge.unknownIdStatuses?.(operation) ?? [404];
  if (uuids.length === 0 || allowed.length === 0) continue;
  const existence = session.contract.requirements.filter(
    ({ id, operations }) => id === 'policies.activate-exists' && operations?.includes(operation.id),
  );
  defineRejection(
    session,
    {
      suite: 'contract/ids',
      title: 'rejects an unknown id with 404',
      checks: ['unknown-id'],
      requirements: ['errors.not-found', ...existence.map((each) => each.id)],
    },
    { operation, uuids, values: () => [randomUUID()], allowed, mayBeEmpty: true },
    { code: 'unknown-id/status', requirement: 'errors.not-found', request: 'an unknown', expected: 'status 404' },
  );
}
