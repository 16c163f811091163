import type { CheckName, Operation } from '../../spec/index.ts';
import type { Call, Context, Handler, Make, Next, Reply } from '../proxy/message.ts';
import { hit } from '../proxy/call.ts';
import type { OperationId, Where } from '../proxy/call.ts';
import { at, wait } from '../proxy/handler.ts';
import { asObject } from '../proxy/json.ts';
import { empty, json, parsed, succeeded } from '../proxy/reply.ts';
import type { OrderedCollection, Surface } from '../surface.ts';

/** Statements of the document that several operators contradict. */
export const TAKES_EFFECT = 'a write that is answered with 200 takes effect (sections 3, 4 and 7)';
export const SERIAL = 'every call that is answered with 200 takes effect, whatever overlaps it (sections 3, 4 and 7)';
export const SAME_FORMS = 'both forms behave the same (sections 4 and 9)';

/** One way to apply an operator to an operation. */
export interface Variant {
  readonly operation: Operation;
  /** Distinguishes variants on one operation: a member, a parameter, a kind of value. */
  readonly name?: string;
  readonly make: (where: Where) => Make;
  /** Ids of the operations that a correct finding can name; default: this operation. */
  readonly seenIn?: readonly string[];
  /** `published` if only published requirements are violated; default: `documented`. */
  readonly grade?: 'documented' | 'published';
  /** Default: those of the operator. */
  readonly checks?: readonly CheckName[];
}

/** A kind of defect, applied to every operation of a description that it fits. */
export interface Operator {
  /** What the mutated service does wrong. */
  readonly title: string;
  /** The statement of api.md that it contradicts, with its section. */
  readonly breaks: string;
  /** Checks that are expected to catch it. */
  readonly checks: readonly CheckName[];
  /** True if it is also applied to one form only, which violates that both forms behave the same. */
  readonly perForm?: boolean;
  readonly variants: (surface: Surface) => readonly Variant[];
}

/** The id of an operation, to select its requests. */
export const opOf = ({ id }: Operation): OperationId => id as OperationId;

/** A variant for each operation that fits. */
export const onEach =
  (
    fits: (operation: Operation, surface: Surface) => boolean,
    make: (where: Where, operation: Operation, surface: Surface) => Make,
    names: readonly (string | undefined)[] = [undefined],
  ) =>
  (surface: Surface): readonly Variant[] =>
    surface.operations
      .filter((operation) => fits(operation, surface))
      .flatMap((operation) =>
        names.map((name) => ({
          operation,
          ...(name === undefined ? {} : { name }),
          make: (where: Where) => make(where, operation, surface),
        })),
      );

/** A variant for each operation that fits and each value, named by the key of the value. */
export const onEachOf =
  <T>(
    values: Readonly<Record<string, T>>,
    fits: (operation: Operation, surface: Surface) => boolean,
    make: (where: Where, value: T, name: string) => Make,
  ) =>
  (surface: Surface): readonly Variant[] =>
    Object.entries(values).flatMap(([name, value]) =>
      onEach(fits, (where) => make(where, value, name), [name])(surface),
    );

/** A variant for each order of items; a correct finding can name the operation that sets it and the one that reads it. */
export const onOrders =
  (role: 'set' | 'read', make: (where: Where, ordering: OrderedCollection) => Make, checks?: readonly CheckName[]) =>
  (surface: Surface): readonly Variant[] =>
    surface.orderings.map((ordering) => ({
      operation: ordering[role],
      seenIn: [ordering.set.id, ordering.read.id],
      ...(checks && { checks }),
      make: (where: Where) => make(where, ordering),
    }));

/** Variants of an operator that answers with a status, by their names. */
export const statuses = (...all: readonly number[]): Readonly<Record<string, number>> =>
  Object.fromEntries(all.map((status) => [`${status}`, status]));

/** Restricts to requests with the full token, or to operations that need none. */
export const byFull = (where: Where, when: (call: Call) => boolean = () => true): Where => ({
  ...where,
  when: (call) => (call.role === 'full' || call.route?.operation.permission === 'none') && when(call),
});

/** Path of the collection that a request addresses, with its form. */
export function collectionPath(call: Call, collection: string): string {
  const end = call.path.toLowerCase().indexOf(collection.toLowerCase());
  return end < 0 ? call.path : call.path.slice(0, end + collection.length);
}

/** Path of the item in a collection that a request addresses, with its form. */
export const itemPath = (call: Call, collection: string): string =>
  `${collectionPath(call, collection)}/${Object.values(call.route?.params ?? {})[0] ?? ''}`;

/** Answers `reply` instead of forwarding a write to an item that exists. */
export const acknowledge = (
  where: Where,
  collection: string,
  when: (call: Call) => boolean,
  reply?: (call: Call, context: Context) => Promise<Reply> | Reply,
): Make =>
  at(byFull(where, when)).handles(async (call, next, context) => {
    const current = await context.send('GET', itemPath(call, collection));
    if (!succeeded(current)) return next();
    return reply === undefined ? acknowledgement(call, current) : reply(call, context);
  });

/** The response of the service to an accepted update: the updated item, or no body if none is documented. */
export function acknowledgement(call: Call, current: Reply): Reply {
  const hasBody = call.route?.operation.responses.some(
    ({ status, content }) => status.startsWith('2') && content.length > 0,
  );
  if (hasBody !== true) return empty();
  return json({ ...asObject(parsed(current)), ...(call.method === 'PUT' ? asObject(call.json) : {}) });
}

/** Gives the handler of each proxy its own state. */
export const stateful =
  (make: () => Make): Make =>
  (context) =>
    make()(context);

/** The key of {@link overlapping} for requests that overlap whatever items they address. */
export const ofAny = (): string => '';

/** Holds each request for `holdMs` and passes the handler the other requests with the same key that overlap it. */
export function overlapping(
  where: Where,
  key: (call: Call) => string,
  handler: (call: Call, next: Next, others: readonly Call[], context: Context) => Promise<Reply> | Reply,
  holdMs = 12,
): Make {
  return (context): Handler => {
    const active = new Map<string, Set<Call>>();
    return async (call, next) => {
      if (!hit(call, byFull(where))) return next();
      const group = active.get(key(call)) ?? new Set<Call>();
      active.set(key(call), group);
      const others = new Set(group);
      group.add(call);
      try {
        await wait(holdMs);
        for (const later of group) if (later !== call) others.add(later);
        return await handler(call, next, [...others], context);
      } finally {
        group.delete(call);
      }
    };
  };
}
