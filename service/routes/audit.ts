import { ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { badRequest } from '../http/refusal.ts';
import { isUuid } from '../model/shape.ts';
import { group, idParam } from './define.ts';
import { takePage } from './page.ts';

export const auditOperations = group('any', {
  'GET /auditLog/{objectId}/{objectTypeId}': (call) => {
    const [objectId, typeId] = [idParam(call, 'objectId'), idParam(call, 'objectTypeId')];
    const entries = call.world.audit.find(new Set([objectId]), (entry) => entry.objectTypeId === typeId);
    return ok(takePage(call, entries));
  },
  'GET /auditLog/getByObjectTypeIds': (call) => {
    const objects = uuids(call, 'objectIds');
    const types = uuids(call, 'objectTypeIds');
    const [author] = uuids(call, 'authorId');
    const [from, to] = [moment(call, 'fromDate') ?? -Infinity, moment(call, 'toDate') ?? Infinity];
    const entries = call.world.audit.find(
      objects,
      (entry) =>
        (types.size === 0 || types.has(entry.objectTypeId)) &&
        (author === undefined || entry.authorId === author) &&
        Date.parse(entry.createdAt) >= from &&
        Date.parse(entry.createdAt) <= to,
    );
    return ok(takePage(call, entries));
  },
});

function uuids(call: Call, name: string): ReadonlySet<string> {
  const values = call.query.list(name).filter((value) => value !== '');
  const wrong = values.find((value): boolean => !isUuid(value));
  if (wrong !== undefined)
    throw badRequest(`'${name}' is not valid.`, { [name]: [`'${wrong.slice(0, 100)}' is not a uuid.`] });
  return new Set(values.map((value) => value.toLowerCase()));
}

function moment(call: Call, name: string): number | undefined {
  const value = call.query.list(name).at(-1);
  if (value === undefined) return undefined;
  const time = /^\d{4}-/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw badRequest(`'${name}' is not valid.`, { [name]: ['Must be a date and time.'] });
  return time;
}
