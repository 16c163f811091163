import { itemId, withBody } from '../proxy/call.ts';
import { at, wait } from '../proxy/handler.ts';
import { asList, asObject, idOf } from '../proxy/json.ts';
import { isUuid } from '../../spec/uuid.ts';
import { createdId, problem, succeeded } from '../proxy/reply.ts';
import type { Call, Context, Next, Reply } from '../proxy/message.ts';
import { acknowledgement, byFull, collectionPath, ofAny, onOrders, overlapping, SERIAL, stateful } from './operator.ts';
import type { Operator } from './operator.ts';
import { changes, CREATE, isOf, MUTATIONS, onRoles, UPDATES, UPDATE } from './resources.ts';

/** Path of the item that a write addresses, without the verb of an action. */
const pathOfItem = (call: Call): string =>
  call.path.replace(/\/(?:[a-z][\w-]*)$/i, (verb, at: number) => (isUuid(call.path.slice(at + 1)) ? verb : ''));

/** Answers a write that would succeed with 200 and does not carry it out. */
async function loseWrite(call: Call, next: Next, context: Context): Promise<Reply> {
  const current = await context.send('GET', pathOfItem(call));
  const isValid = succeeded(current) && (call.body.length === 0 || call.json !== undefined);
  return isValid ? acknowledgement(call, current) : next();
}

/** Writes that overlap other writes. */
export const OVERLAP_OPERATORS = {
  'lost-to-same': {
    title: 'Of two overlapping writes of different kinds on one item, both are answered with 200 and one is lost.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(MUTATIONS, (where, resource) =>
      overlapping({ op: changes(resource) }, itemId, (call, next, others, context) =>
        isOf(call, where) && others.some((other) => other.route?.id !== where.op)
          ? loseWrite(call, next, context)
          : next(),
      ),
    ),
  },
  'lost-to-other-item': {
    title: 'A write that overlaps a write on another item is not carried out.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(MUTATIONS, (where) =>
      overlapping(where, ofAny, (call, next, others, context) =>
        others.some((other) => itemId(other) !== itemId(call)) ? loseWrite(call, next, context) : next(),
      ),
    ),
  },
  'all-lost': {
    title: 'Overlapping writes on one item are all answered with 200 and none is carried out.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(UPDATES, (where) =>
      overlapping(where, itemId, (call, next, others, context) =>
        others.length > 0 ? loseWrite(call, next, context) : next(),
      ),
    ),
  },
  'writes-merged': {
    title: 'Of two overlapping updates, texts of both are stored.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(UPDATE, (where) =>
      overlapping(where, itemId, (call, next, others) => {
        const other = asObject(others[0]?.json)['description'];
        return others.length > 0 && call.json !== undefined && other !== undefined
          ? next(withBody({ ...asObject(call.json), description: other }))
          : next();
      }),
    ),
  },
  'writes-crossed': {
    title: 'Overlapping updates of two items store each other’s bodies.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(UPDATES, (where) =>
      overlapping(where, ofAny, (call, next, others) => {
        const other = others.find((candidate) => itemId(candidate) !== itemId(call) && candidate.json !== undefined);
        return other === undefined ? next() : next({ body: other.body });
      }),
    ),
  },
  'overlap-fails': {
    title: 'Overlapping writes on one item are answered with 500.',
    breaks: '500: unexpected server error (section 7)',
    checks: ['no-server-error', 'overlap'],
    variants: onRoles(MUTATIONS, (where) =>
      overlapping(where, itemId, (_, next, others) => (others.length > 0 ? problem(500) : next())),
    ),
  },
  'creation-lost': {
    title: 'Of two overlapping creations, one is lost.',
    breaks: SERIAL,
    checks: ['overlap', 'created-reads-back'],
    variants: onRoles(CREATE, (where, { collection }) =>
      overlapping(where, ofAny, async (call, next, others, context) => {
        const reply = await next();
        if (others.length > 0 && succeeded(reply))
          await context.send('DELETE', `${collectionPath(call, collection)}/${createdId(reply)}`);
        return reply;
      }),
    ),
  },
  'creations-shared': {
    title: 'Two overlapping creations are answered with one item.',
    breaks: SERIAL,
    checks: ['overlap', 'created-reads-back'],
    variants: onRoles(CREATE, (where) =>
      stateful(() => {
        let pending: Promise<Reply> | undefined;
        return at(byFull(where, ({ json }) => json !== undefined)).handles((_, next) => {
          pending ??= wait(8)
            .then(() => next())
            .finally(() => {
              pending = undefined;
            });
          return pending;
        });
      }),
    ),
  },
  'orders-merged': {
    title: 'Two overlapping orders are merged.',
    breaks: 'the order is set as a whole (section 3)',
    checks: ['overlap'],
    variants: onOrders('set', (where) =>
      overlapping(
        where,
        ofAny,
        (call, next, others) => {
          const [wanted, other] = [asList(call.json), asList(others[0]?.json)];
          if (other.length < 2 || wanted.length < 2) return next();
          const head = other.slice(0, other.length >> 1);
          const known = new Set(head.map(idOf));
          const merged = [...head, ...wanted.filter((entry) => !known.has(idOf(entry)))];
          return next(withBody(merged.map((entry, order) => ({ ...asObject(entry), order }))));
        },
        20,
      ),
    ),
  },
} as const satisfies Record<string, Operator>;
