import { hit, itemId } from '../proxy/call.ts';
import type { Where } from '../proxy/call.ts';
import { wait } from '../proxy/handler.ts';
import { asObject } from '../proxy/json.ts';
import { parsed, problem, relisted, succeeded, withJson } from '../proxy/reply.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import type { Collection } from '../surface.ts';
import { byFull, ofAny, onOrders, opOf, overlapping, SERIAL } from './operator.ts';
import type { Operator } from './operator.ts';
import { changes, isOf, LIST, onRoles, READ } from './resources.ts';

/** A read gets the response of an overlapping read of another item. */
const crossed =
  (where: Where): Make =>
  () => {
    let waiting: { readonly call: Call; readonly reply: Promise<Reply> } | undefined;
    return (call, next) => {
      if (!hit(call, byFull(where))) return next();
      const other = waiting;
      if (other !== undefined && itemId(other.call) !== itemId(call)) {
        waiting = undefined;
        return other.reply;
      }
      const reply = wait(4)
        .then(() => next())
        .finally(() => {
          if (waiting?.call === call) waiting = undefined;
        });
      waiting = { call, reply };
      return reply;
    };
  };

/** Changes the response to a read that overlaps a write of the resource: of the same item, or of any. */
const whileWritten = (where: Where, resource: Collection, same: boolean, reply: (plain: Reply) => Reply): Make =>
  overlapping(
    { op: [where.op, ...changes(resource), opOf(resource.create)].flat() },
    (call) => (same ? itemId(call) : ''),
    async (call, next, others) => {
      const plain = await next();
      const isRead = isOf(call, where) && (where.form === undefined || where.form === call.route?.form);
      return isRead && succeeded(plain) && others.some(({ method }) => method !== 'GET') ? reply(plain) : plain;
    },
    6,
  );

function tornRead(where: Where, { update }: Collection): Make {
  return overlapping(
    { op: [where.op, update === undefined ? [] : opOf(update)].flat() },
    itemId,
    async (call, next, others) => {
      const reply = await next();
      const writer = others.find((other) => other.route?.id === update?.id);
      const name = asObject(writer?.json)['name'];
      if (!isOf(call, where) || !succeeded(reply) || name === undefined) return reply;
      return withJson(reply, { ...asObject(parsed(reply)), name });
    },
  );
}

/** Reads that overlap writes or other reads. */
export const OVERLAP_READ_OPERATORS = {
  'reads-crossed': {
    title: 'Overlapping reads of two items get each other’s responses.',
    breaks: 'GET answers the item of that id (section 4)',
    checks: ['overlap', 'created-reads-back', 'updated-reads-back'],
    variants: onRoles(READ, crossed),
  },
  'missing-while-written': {
    title: 'An item is answered with 404 while it is written.',
    breaks: '404: resource does not exist (section 7)',
    checks: ['overlap'],
    variants: onRoles(READ, (where, resource) => whileWritten(where, resource, true, () => problem(404))),
  },
  'list-empty-while-written': {
    title: 'A list is empty while an item is written.',
    breaks: 'GET answers the items of the collection (section 4)',
    checks: ['overlap'],
    variants: onRoles(LIST, (where, resource) =>
      whileWritten(where, resource, false, (plain) => relisted(plain, () => [])),
    ),
  },
  'torn-read': {
    title: 'A read that overlaps an update shows one new and one old text.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(({ read, update }) => (update === undefined ? [] : [read]), tornRead),
  },
  'order-torn': {
    title: 'Half of the order is shown while it is set.',
    breaks: 'the order is set as a whole (section 3)',
    checks: ['overlap'],
    variants: onOrders('read', (where, { set, read }) =>
      overlapping({ op: [opOf(set), opOf(read)] }, ofAny, async (call, next, others) => {
        const reply = await next();
        if (!isOf(call, where) || !succeeded(reply) || !others.some((other) => other.route?.id === set.id))
          return reply;
        return relisted(reply, (list) => list.slice(0, Math.ceil(list.length / 2)));
      }),
    ),
  },
} as const satisfies Record<string, Operator>;
