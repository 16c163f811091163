import type { Operation } from '../../spec/index.ts';
import {
  asList,
  asObject,
  hit,
  idOf,
  isUuid,
  items,
  parsed,
  problem,
  succeeded,
  wait,
  withBody,
  withItems,
  withJson,
} from '../proxy/edit.ts';
import type { Where } from '../proxy/edit.ts';
import type { Call, Context, Make, Reply } from '../proxy/message.ts';
import { seenThrough } from '../surface.ts';
import type { Resource, Surface } from '../surface.ts';
import { acknowledgement, byFull, collectionPath, itemId, overlapping, stateful } from './operator.ts';
import type { Operator, Variant } from './operator.ts';

const SERIAL = 'every call that is answered with 200 takes effect, whatever overlaps it (sections 3, 4 and 7)';

type Roles = (resource: Resource) => readonly (Operation | undefined)[];

/** A variant for each pair of a role and the operations that may overlap it. */
const onRoles =
  (roles: Roles, make: (where: Where, resource: Resource) => Make) =>
  (surface: Surface): readonly Variant[] =>
    surface.resources.flatMap((resource) =>
      roles(resource).flatMap((operation) =>
        operation === undefined
          ? []
          : [{ operation, seenIn: seenThrough(surface, operation), make: (where: Where) => make(where, resource) }],
      ),
    );

const MUTATIONS: Roles = ({ update, patch, remove, actions }) => [
  update,
  patch,
  remove,
  ...actions.filter(({ body, responses }) => body === undefined && responses[0]?.content.length === 0),
];
const changes = (resource: Resource): readonly string[] => MUTATIONS(resource).flatMap((each) => each?.id ?? []);
const isOf = (call: Call, where: Where): boolean => call.route?.id === where.op;

async function acknowledged(call: Call, context: Context): Promise<Reply> {
  return acknowledgement(
    call,
    await context.send(
      'GET',
      call.path.replace(/\/(?:[a-z][\w-]*)$/i, (verb, at: number) => (isUuid(call.path.slice(at + 1)) ? verb : '')),
    ),
  );
}

/** The item of a read that overlaps is that of another read. */
const crossed = (where: Where): Make =>
  stateful(() => {
    let waiting: { readonly call: Call; readonly reply: Promise<Reply> } | undefined;
    return () => (call, next) => {
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
  });

/** What a read answers while a write of the resource is under way. */
const whileWritten = (where: Where, resource: Resource, same: boolean, reply: (plain: Reply) => Reply): Make =>
  overlapping(
    { op: [where.op, ...changes(resource), resource.create.id].flat() },
    (call) => (same ? itemId(call) : ''),
    async (call, next, others) => {
      const plain = await next();
      const isRead = isOf(call, where) && (where.form === undefined || where.form === call.route?.form);
      return isRead && succeeded(plain) && others.some(({ method }) => method !== 'GET') ? reply(plain) : plain;
    },
    6,
  );

/** Calls that overlap. */
export const OVERLAP_OPERATORS = {
  'lost-to-same': {
    title:
      'Of two overlapping writes on one item, both are answered with 200 and one is not carried out where the kinds differ.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(MUTATIONS, (where, resource) =>
      overlapping({ op: changes(resource) }, itemId, (call, next, others, context) =>
        isOf(call, where) && others.some((other) => other.route?.id !== where.op)
          ? acknowledged(call, context)
          : next(),
      ),
    ),
  },
  'lost-to-other-item': {
    title: 'A write is not carried out where it overlaps a write on another item.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(MUTATIONS, (where) =>
      overlapping(
        where,
        () => '',
        (call, next, others, context) =>
          others.some((other) => itemId(other) !== itemId(call)) ? acknowledged(call, context) : next(),
      ),
    ),
  },
  'all-lost': {
    title: 'Overlapping writes on one item are all answered with 200 and none is carried out.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(
      ({ update, patch }) => [update, patch],
      (where) =>
        overlapping(where, itemId, (call, next, others, context) =>
          others.length > 0 ? acknowledged(call, context) : next(),
        ),
    ),
  },
  'writes-merged': {
    title: 'Of two overlapping updates, texts of both are stored.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(
      ({ update }) => [update],
      (where) =>
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
    variants: onRoles(
      ({ update, patch }) => [update, patch],
      (where) =>
        overlapping(
          where,
          () => '',
          (call, next, others) => {
            const other = others.find(
              (candidate) => itemId(candidate) !== itemId(call) && candidate.json !== undefined,
            );
            return other === undefined ? next() : next({ body: other.body });
          },
        ),
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
    variants: onRoles(
      ({ create }) => [create],
      (where, { collection }) =>
        overlapping(
          where,
          () => '',
          async (call, next, others, context) => {
            const reply = await next();
            const id = idOf({ id: parsed(reply), ...asObject(parsed(reply)) });
            if (others.length > 0 && succeeded(reply))
              await context.send('DELETE', `${collectionPath(call, collection)}/${id}`);
            return reply;
          },
        ),
    ),
  },
  'creations-shared': {
    title: 'Two overlapping creations are answered with one item.',
    breaks: SERIAL,
    checks: ['overlap', 'created-reads-back'],
    variants: onRoles(
      ({ create }) => [create],
      (where) =>
        stateful(() => {
          let pending: Promise<Reply> | undefined;
          return () => (call, next) => {
            if (
              !hit(
                call,
                byFull(where, ({ json }) => json !== undefined),
              )
            )
              return next();
            pending ??= wait(8)
              .then(() => next())
              .finally(() => {
                pending = undefined;
              });
            return pending;
          };
        }),
    ),
  },
  'creations-doubled': {
    title: 'Overlapping creations are carried out twice.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(
      ({ create }) => [create],
      (where) =>
        overlapping(
          where,
          () => '',
          async (_, next, others) => {
            const reply = await next();
            if (others.length > 0 && succeeded(reply)) await next();
            return reply;
          },
        ),
    ),
  },
  'reads-crossed': {
    title: 'Overlapping reads of two items get each other’s responses.',
    breaks: 'GET answers the item of that id (section 4)',
    checks: ['overlap', 'created-reads-back', 'updated-reads-back'],
    variants: onRoles(({ read }) => [read], crossed),
  },
  'missing-while-written': {
    title: 'An item is answered with 404 while it is written.',
    breaks: '404: resource does not exist (section 7)',
    checks: ['overlap'],
    variants: onRoles(
      ({ read }) => [read],
      (where, resource) => whileWritten(where, resource, true, () => problem(404)),
    ),
  },
  'list-empty-while-written': {
    title: 'A list is empty while an item is written.',
    breaks: 'GET answers the items of the collection (section 4)',
    checks: ['overlap'],
    variants: onRoles(
      ({ list }) => [list],
      (where, resource) =>
        whileWritten(where, resource, false, (plain) => withJson(plain, withItems(parsed(plain), []))),
    ),
  },
  'torn-read': {
    title: 'A read while an item is updated shows one new and one old text.',
    breaks: SERIAL,
    checks: ['overlap'],
    variants: onRoles(({ read, update }) => (update === undefined ? [] : [read]), tornRead),
  },
  'orders-merged': {
    title: 'Two overlapping orders are merged.',
    breaks: 'the order is set as a whole (section 3)',
    checks: ['overlap'],
    variants: (surface) =>
      surface.orderings.map(({ set, read }) => ({
        operation: set,
        seenIn: [set.id, read.id],
        make: (where: Where) =>
          overlapping(
            where,
            () => '',
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
      })),
  },
  'order-torn': {
    title: 'Half of the order is shown while it is set.',
    breaks: 'the order is set as a whole (section 3)',
    checks: ['overlap'],
    variants: (surface) =>
      surface.orderings.map(({ set, read }) => ({
        operation: read,
        seenIn: [set.id, read.id],
        make: (where: Where) =>
          overlapping(
            { op: [set.id, read.id] },
            () => '',
            async (call, next, others) => {
              const reply = await next();
              if (!isOf(call, where) || !succeeded(reply) || !others.some((other) => other.route?.id === set.id))
                return reply;
              const list = items(parsed(reply));
              return withJson(reply, withItems(parsed(reply), list.slice(0, Math.ceil(list.length / 2))));
            },
          ),
      })),
  },
} as const satisfies Record<string, Operator>;

function tornRead(where: Where, { update }: Resource): Make {
  return overlapping({ op: [where.op, update?.id ?? ''].flat() }, itemId, async (call, next, others) => {
    const reply = await next();
    const writer = others.find((other) => other.route?.id === update?.id);
    const name = asObject(writer?.json)['name'];
    if (!isOf(call, where) || !succeeded(reply) || name === undefined) return reply;
    return withJson(reply, { ...asObject(parsed(reply)), name });
  });
}
