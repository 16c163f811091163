import { hit, itemId } from '../proxy/call.ts';
import type { Where } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { idOf } from '../proxy/json.ts';
import { createdId, parsed, problem, relisted, succeeded } from '../proxy/reply.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import type { Collection } from '../surface.ts';
import { acknowledgement, byFull, SAME_FORMS, stateful, TAKES_EFFECT } from './operator.ts';
import type { Operator } from './operator.ts';
import { itemNow, LIST, neighbour, onRoles, READ, toNeighbour, WRITES } from './resources.ts';

const GONE = 'what was deleted is answered with 404 (section 7)';

/** Reads answer the state of their first read, until the item is deleted. */
const stale = (where: Where): Make =>
  stateful(() => {
    const seen = new Map<string, Reply>();
    return at(byFull(where)).successes((reply, call) => {
      const old = seen.get(call.path.toLowerCase()) ?? reply;
      seen.set(call.path.toLowerCase(), old);
      return old;
    });
  });

/** Changes responses, knowing the items that were deleted, as they were before. */
const survives =
  (resource: Collection, change: (removed: ReadonlyMap<string, Reply>, call: Call, reply: Reply) => Reply): Make =>
  (context) => {
    const removed = new Map<string, Reply>();
    return async (call, next) => {
      const isRemoval = call.route?.operation === resource.remove && call.role === 'full';
      const before = isRemoval ? await itemNow(context, call, resource) : undefined;
      const reply = await next();
      if (before !== undefined && succeeded(before) && succeeded(reply)) removed.set(itemId(call), before);
      return call.role === 'full' ? change(removed, call, reply) : reply;
    };
  };

/** Each form caches its reads until the item is deleted through that form. */
const cachedByForm =
  (where: Where, resource: Collection): Make =>
  () => {
    const seen = new Map<string, Reply>();
    return async (call, next) => {
      const reply = await next();
      const key = `${call.route?.form ?? ''} ${itemId(call)}`;
      if (call.route?.operation === resource.remove && succeeded(reply)) seen.delete(key);
      if (!hit(call, byFull(where))) return reply;
      if (succeeded(reply)) seen.set(key, reply);
      return reply.status === 404 ? (seen.get(key) ?? reply) : reply;
    };
  };

/** Changes responses, knowing through which form each item was created. */
const withOrigins =
  (resource: Collection, change: (origins: ReadonlyMap<string, string>, call: Call, reply: Reply) => Reply): Make =>
  () => {
    const origins = new Map<string, string>();
    return async (call, next) => {
      const reply = await next();
      if (call.route?.operation === resource.create && succeeded(reply)) origins.set(createdId(reply), call.route.form);
      return change(origins, call, reply);
    };
  };

/** Reads and lists that do not show the stored state. */
export const READ_OPERATORS = {
  'deleted-still-readable': {
    title: 'A deleted item can still be read.',
    breaks: GONE,
    checks: ['deleted-is-gone'],
    variants: onRoles(
      ({ read, remove }) => (remove === undefined ? [] : [read]),
      (where, resource) =>
        survives(resource, (removed, call, reply) => (hit(call, where) ? (removed.get(itemId(call)) ?? reply) : reply)),
    ),
  },
  'deleted-in-one-form-only': {
    title: 'An item that was read through one form stays readable there after it is deleted through the other.',
    breaks: SAME_FORMS,
    checks: ['form-shared-state', 'deleted-is-gone'],
    variants: onRoles(
      ({ read, remove }) => (remove === undefined ? [] : [read]),
      (where, resource) => cachedByForm(where, resource),
      ({ forms }) => forms.length > 1,
    ),
  },
  'deleted-still-listed': {
    title: 'A deleted item is still listed.',
    breaks: GONE,
    checks: ['deleted-is-gone', 'filters', 'model-conformance', 'query-styles'],
    variants: onRoles(
      ({ list, remove }) => (remove === undefined ? [] : [list]),
      (where, resource) =>
        survives(resource, (removed, call, reply) => {
          if (!hit(call, where) || !succeeded(reply)) return reply;
          return relisted(reply, (list) => {
            const shown = new Set(list.map(idOf));
            return [...list, ...[...removed].filter(([id]) => !shown.has(id)).map(([, old]) => parsed(old))];
          });
        }),
    ),
  },
  'deleted-still-writable': {
    title: 'A write on a deleted item is answered with 200.',
    breaks: GONE,
    checks: ['deleted-is-gone', 'unknown-id', 'model-conformance'],
    variants: onRoles(WRITES, (where, resource) =>
      survives(resource, (removed, call, reply) =>
        hit(call, where) && reply.status === 404 && removed.has(itemId(call))
          ? acknowledgement(call, removed.get(itemId(call)) ?? reply)
          : reply,
      ),
    ),
  },
  'newest-not-listed': {
    title: 'The newest item is not listed.',
    breaks: 'GET answers the items of the collection (section 4)',
    checks: ['created-reads-back', 'filters', 'query-styles', 'model-conformance', 'form-shared-state'],
    variants: onRoles(LIST, (where, resource) => () => {
      let newest = '';
      return async (call, next) => {
        const reply = await next();
        if (call.route?.operation === resource.create && succeeded(reply)) newest = createdId(reply);
        if (!hit(call, byFull(where)) || !succeeded(reply)) return reply;
        return relisted(reply, (list) => list.filter((item) => idOf(item) !== newest));
      };
    }),
  },
  'stale-read': {
    title: 'A read answers what the item was when it was first read.',
    breaks: TAKES_EFFECT,
    checks: ['updated-reads-back', 'json-patch', 'activation', 'form-shared-state', 'model-conformance'],
    perForm: true,
    variants: onRoles(READ, stale),
  },
  'stale-list': {
    title: 'A list shows items as they were when they were first listed.',
    breaks: TAKES_EFFECT,
    checks: ['updated-reads-back', 'activation', 'created-reads-back', 'filters', 'model-conformance'],
    variants: onRoles(
      ({ list, update }) => (update === undefined ? [] : [list]),
      (where) =>
        stateful(() => {
          const first = new Map<string, unknown>();
          return at(byFull(where)).relists((list) =>
            list.map((item) => {
              const old = first.get(idOf(item));
              if (old === undefined) first.set(idOf(item), item);
              return old ?? item;
            }),
          );
        }),
    ),
  },
  'other-item-read': {
    title: 'A read answers another item of the collection.',
    breaks: 'GET answers the item of that id (section 4)',
    checks: ['created-reads-back', 'updated-reads-back', 'model-conformance'],
    variants: onRoles(READ, (where, resource) =>
      at(byFull(where)).handles(async (call, next, context) => {
        const reply = await next();
        const other = succeeded(reply) ? await neighbour(call, context, resource) : undefined;
        return other === undefined ? reply : next({ path: toNeighbour(call, other) });
      }),
    ),
  },
  'written-form-only': {
    title: 'An item that was created through one form is unknown to the other.',
    breaks: SAME_FORMS,
    checks: ['form-shared-state', 'form-equivalence'],
    variants: onRoles(
      READ,
      (where, resource) =>
        withOrigins(resource, (origins, call, reply) => {
          const form = origins.get(itemId(call));
          return hit(call, where) && form !== undefined && form !== call.route?.form ? problem(404) : reply;
        }),
      ({ forms }) => forms.length > 1,
    ),
  },
  'listed-in-own-form': {
    title: 'An item is listed only by the form through which it was created.',
    breaks: SAME_FORMS,
    checks: ['form-shared-state', 'form-equivalence', 'created-reads-back', 'filters', 'query-styles'],
    variants: onRoles(
      LIST,
      (where, resource) =>
        withOrigins(resource, (origins, call, reply) => {
          if (!hit(call, where) || !succeeded(reply)) return reply;
          const form = call.route?.form;
          return relisted(reply, (list) => list.filter((item) => (origins.get(idOf(item)) ?? form) === form));
        }),
      ({ forms }) => forms.length > 1,
    ),
  },
} as const satisfies Record<string, Operator>;
