import { randomUUID } from 'node:crypto';
import type { Operation } from '../../spec/index.ts';
import {
  asList,
  asObject,
  at,
  empty,
  hit,
  idOf,
  isUuid,
  items,
  json,
  parsed,
  problem,
  relist,
  requests,
  rewrite,
  succeeded,
  withBody,
  withItems,
  withJson,
} from '../proxy/edit.ts';
import type { Where } from '../proxy/edit.ts';
import type { Call, Context, Make, Reply } from '../proxy/message.ts';
import { bodyRef, itemsRef, membersOf, resourceOf, seenThrough, typesOf } from '../surface.ts';
import type { Resource, Surface } from '../surface.ts';
import { acknowledge, acknowledgement, byFull, collectionPath, itemId, itemPath, stateful } from './operator.ts';
import type { Operator, Variant } from './operator.ts';

const STORED = 'a write that is answered with 200 takes effect (sections 3, 4 and 7)';
const GONE = 'what was deleted is answered with 404 (section 7)';
const OTHERS = 'a write changes the item of that id (section 4)';

type Roles = (resource: Resource) => readonly (Operation | undefined)[];
const WRITES: Roles = ({ update, patch, remove, actions }) => [update, patch, remove, ...actions];

/** A variant for each operation of a resource that has one of the roles. */
const onRoles =
  (
    roles: Roles,
    make: (where: Where, resource: Resource, operation: Operation) => Make,
    fits: (operation: Operation, surface: Surface) => boolean = () => true,
  ) =>
  (surface: Surface): readonly Variant[] =>
    surface.resources.flatMap((resource) =>
      roles(resource)
        .filter((operation): operation is Operation => operation !== undefined && fits(operation, surface))
        .map((operation) => ({
          operation,
          seenIn: seenThrough(surface, operation),
          make: (where: Where) => make(where, resource, operation),
        })),
    );

/** Operations that promise an effect that can be read: not previews, dry runs and the like. */
const hasEffect = (operation: Operation, surface: Surface): boolean => !changesNothing(operation, surface);

/** `POST /items/{id}/verb` that takes the body of an update: it tries something out and stores nothing. */
function changesNothing(operation: Operation, surface: Surface): boolean {
  const resource = resourceOf(surface, operation);
  if (resource?.update === undefined || !resource.actions.includes(operation)) return false;
  return sameBody(surface, operation, resource.update);
}

function sameBody({ contract }: Surface, a: Operation, b: Operation): boolean {
  const [one, other] = [bodyRef(contract, a), bodyRef(contract, b)];
  return one !== undefined && one.pointer === other?.pointer;
}

const itemNow = (context: Context, call: Call, { collection }: Resource): Promise<Reply> =>
  context.send('GET', itemPath(call, collection));

/** Another item of the collection than the one that a request addresses, as the target lists it. */
async function neighbour(call: Call, context: Context, { collection }: Resource): Promise<string | undefined> {
  const listed = items(parsed(await context.send('GET', `${collectionPath(call, collection)}?take=1000`)));
  return listed.map(idOf).findLast((id) => id !== '' && id !== itemId(call));
}

const toNeighbour = (call: Call, id: string): string => call.path.replace(new RegExp(itemId(call), 'i'), id);

/** Reads that answer the first state they saw, until the item is deleted. */
const stale = (where: Where): Make =>
  stateful(() => {
    const seen = new Map<string, Reply>();
    return (context) => async (call, next) => {
      if (context.tokens.full === '' || !hit(call, byFull(where))) return next();
      const reply = await next();
      const old = seen.get(call.path.toLowerCase());
      if (succeeded(reply) && old === undefined) seen.set(call.path.toLowerCase(), reply);
      return succeeded(reply) && old !== undefined ? old : reply;
    };
  });

/** A deleted item stays where it was read or listed. */
const survives = (
  resource: Resource,
  change: (removed: ReadonlyMap<string, Reply>, call: Call, reply: Reply) => Reply,
): Make =>
  stateful(() => {
    const removed = new Map<string, Reply>();
    return (context) => async (call, next) => {
      const isRemoval = call.route?.operation === resource.remove && call.role === 'full';
      const before = isRemoval ? await itemNow(context, call, resource) : undefined;
      const reply = await next();
      if (before !== undefined && succeeded(before) && succeeded(reply)) removed.set(itemId(call), before);
      return call.role === 'full' ? change(removed, call, reply) : reply;
    };
  });

/** Every second write on an item is acknowledged and not carried out. */
const everySecond = (where: Where, resource: Resource): Make =>
  stateful(() => {
    const seen = new Map<string, number>();
    return acknowledge(where, resource.collection, (call) => {
      const times = (seen.get(itemId(call)) ?? 0) + 1;
      seen.set(itemId(call), times);
      return times % 2 === 0;
    });
  });

const isDeep = ({ path }: Operation): boolean => (path.match(/\{/g) ?? []).length > 1;

/** Writes that are lost, doubled, applied elsewhere or shown wrongly. */
export const WRITE_OPERATORS = {
  'write-forgotten': {
    title: 'A write is answered with 200 and not carried out.',
    breaks: STORED,
    checks: [
      'updated-reads-back',
      'deleted-is-gone',
      'activation',
      'json-patch',
      'job-runs',
      'approvals',
      'processing-order',
      'form-shared-state',
    ],
    perForm: true,
    variants: (surface) => [
      ...onRoles(
        WRITES,
        (where, resource, operation) =>
          acknowledge(
            where,
            resource.collection,
            () => true,
            async (call, context) =>
              operation.body === undefined &&
              operation.responses.some(({ status, content }) => status === '200' && content.length > 0)
                ? json({ jobProgressId: randomUUID() })
                : acknowledgement(call, await itemNow(context, call, resource)),
          ),
        hasEffect,
      )(surface),
      ...surface.orderings.map(({ set, read }) => ({
        operation: set,
        seenIn: [set.id, read.id],
        make: (where: Where) =>
          at(
            byFull(where, (call) => Array.isArray(call.json)),
            () => empty(),
          ),
      })),
    ],
  },
  'second-write-forgotten': {
    title: 'Every second write on an item is not carried out.',
    breaks: STORED,
    checks: ['updated-reads-back', 'activation', 'json-patch', 'model-conformance'],
    variants: onRoles(
      ({ update, patch, actions }) => [update, patch, ...actions.filter(({ body }) => body === undefined)],
      everySecond,
      (operation) => operation.responses[0]?.content.length === 0 || operation.method !== 'POST',
    ),
  },
  'create-forgotten': {
    title: 'A created item is gone at once.',
    breaks: STORED,
    checks: ['created-reads-back', 'form-shared-state', 'model-conformance'],
    variants: onRoles(
      ({ create }) => [create],
      (where, { collection }) =>
        at(byFull(where), async (call, next, context) => {
          const reply = await next();
          const id = idOf({ id: parsed(reply), ...asObject(parsed(reply)) });
          if (succeeded(reply) && id !== '') await context.send('DELETE', `${collectionPath(call, collection)}/${id}`);
          return reply;
        }),
    ),
  },
  'create-other-id': {
    title: 'The id that is answered is not that of the new item.',
    breaks: 'uuid string (new policy id) (section 4)',
    checks: ['created-reads-back'],
    variants: onRoles(
      ({ create }) => [create],
      (where) =>
        rewrite(byFull(where), (value) =>
          typeof value === 'string'
            ? randomUUID()
            : 'id' in asObject(value)
              ? { ...asObject(value), id: randomUUID() }
              : value,
        ),
      ({ responses }) => responses.some(({ status, content }) => status === '200' && content.length > 0),
    ),
  },
  'write-twice': {
    title: 'A creation or a run is carried out twice.',
    breaks: STORED,
    checks: ['created-reads-back', 'job-runs', 'model-conformance', 'overlap', 'form-shared-state'],
    variants: onRoles(
      ({ create, actions }) => [
        create,
        ...actions.filter(({ body, responses }) => body === undefined && responses[0]?.content.length !== 0),
      ],
      (where) =>
        at(byFull(where), async (_, next) => {
          const reply = await next();
          if (succeeded(reply)) await next();
          return reply;
        }),
    ),
  },
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
  'deleted-still-listed': {
    title: 'A deleted item is still listed.',
    breaks: GONE,
    checks: ['deleted-is-gone', 'filters', 'model-conformance', 'query-styles'],
    variants: onRoles(
      ({ list, remove }) => (remove === undefined ? [] : [list]),
      (where, resource) =>
        survives(resource, (removed, call, reply) => {
          if (!hit(call, where) || !succeeded(reply)) return reply;
          const shown = new Set(items(parsed(reply)).map(idOf));
          const back = [...removed].filter(([id]) => !shown.has(id)).map(([, old]) => parsed(old));
          return withJson(reply, withItems(parsed(reply), [...items(parsed(reply)), ...back]));
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
    variants: onRoles(
      ({ list }) => [list],
      (where, resource) =>
        stateful(() => {
          let newest = '';
          return () => async (call, next) => {
            const reply = await next();
            if (call.route?.operation === resource.create && succeeded(reply))
              newest = idOf({ id: parsed(reply), ...asObject(parsed(reply)) });
            if (!hit(call, byFull(where)) || !succeeded(reply)) return reply;
            return withJson(
              reply,
              withItems(
                parsed(reply),
                items(parsed(reply)).filter((item) => idOf(item) !== newest),
              ),
            );
          };
        }),
    ),
  },
  'stale-read': {
    title: 'A read answers what the item was when it was first read.',
    breaks: STORED,
    checks: ['updated-reads-back', 'json-patch', 'activation', 'form-shared-state', 'model-conformance'],
    perForm: true,
    variants: onRoles(({ read }) => [read], stale),
  },
  'stale-list': {
    title: 'A list shows items as they were when they were first listed.',
    breaks: STORED,
    checks: ['updated-reads-back', 'activation', 'created-reads-back', 'filters', 'model-conformance'],
    variants: onRoles(
      ({ list, update }) => (update === undefined ? [] : [list]),
      (where) =>
        stateful(() => {
          const first = new Map<string, unknown>();
          return relist(byFull(where), (list) =>
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
    variants: onRoles(
      ({ read }) => [read],
      (where, resource) =>
        at(byFull(where), async (call, next, context) => {
          const reply = await next();
          const other = succeeded(reply) ? await neighbour(call, context, resource) : undefined;
          return other === undefined ? reply : next({ path: toNeighbour(call, other) });
        }),
    ),
  },
  'leak-to-neighbour': {
    title: 'A write also changes another item of the collection.',
    breaks: OTHERS,
    checks: [
      'activation',
      'model-conformance',
      'updated-reads-back',
      'deleted-is-gone',
      'json-patch',
      'created-reads-back',
    ],
    variants: onRoles(
      ({ update, remove, actions }) => [
        update,
        remove,
        ...actions.filter(({ body, responses }) => body === undefined && responses[0]?.content.length === 0),
      ],
      (where, resource) =>
        at(byFull(where), async (call, next, context) => {
          const reply = await next();
          const other = succeeded(reply) ? await neighbour(call, context, resource) : undefined;
          if (other !== undefined) await next({ path: toNeighbour(call, other) });
          return reply;
        }),
    ),
  },
  'neighbour-instead': {
    title: 'A write changes another item of the collection instead.',
    breaks: OTHERS,
    checks: ['activation', 'updated-reads-back', 'deleted-is-gone', 'json-patch', 'job-runs'],
    variants: onRoles(
      WRITES,
      (where, resource) =>
        at(byFull(where), async (call, next, context) => {
          if (!succeeded(await itemNow(context, call, resource))) return next();
          const other = await neighbour(call, context, resource);
          return next(other === undefined ? undefined : { path: toNeighbour(call, other) });
        }),
      (operation, surface) => hasEffect(operation, surface) && !isDeep(operation),
    ),
  },
  'written-form-only': {
    title: 'An item that was created through one form is unknown to the other.',
    breaks: 'both forms behave the same (sections 4 and 9)',
    checks: ['form-shared-state', 'form-equivalence'],
    variants: onRoles(
      ({ read }) => [read],
      (where, resource) =>
        stateful(() => {
          const origin = new Map<string, string>();
          return () => async (call, next) => {
            const reply = await next();
            if (call.route?.operation === resource.create && succeeded(reply))
              origin.set(idOf({ id: parsed(reply), ...asObject(parsed(reply)) }), call.route.form);
            const form = origin.get(itemId(call));
            return hit(call, where) && form !== undefined && form !== call.route?.form ? problem(404) : reply;
          };
        }),
      ({ forms }) => forms.length > 1,
    ),
  },
  'refused-update-stored': {
    title: 'An update that is refused with 400 changes the texts of the item.',
    breaks: 'a refused request changes nothing (section 7)',
    checks: ['refused-changes-nothing'],
    variants: onRoles(
      ({ update }) => [update],
      (where, resource) =>
        at(
          byFull(where, ({ json: body }) => typeof body === 'object'),
          async (call, next, context) => {
            const reply = await next();
            if (reply.status !== 400) return reply;
            const old = asObject(parsed(await itemNow(context, call, resource)));
            const name = asObject(call.json)['name'];
            if ('name' in old)
              await context.send('PUT', itemPath(call, resource.collection), {
                ...old,
                name: typeof name === 'string' && name !== '' ? name : `${String(old['name'])}*`,
              });
            return reply;
          },
        ),
    ),
  },
  'trial-stored': {
    title: 'An operation that tries something out stores it.',
    breaks: 'a dry run or a preview stores nothing (section 4)',
    checks: ['dry-run'],
    perForm: true,
    variants: (surface) =>
      onRoles(
        ({ actions }) => actions,
        (where, resource) =>
          at(byFull(where), async (call, next, context) => {
            const reply = await next();
            if (succeeded(reply)) await context.send('PUT', itemPath(call, resource.collection), call.json);
            return reply;
          }),
        changesNothing,
      )(surface),
  },
  'update-partial': {
    title: 'A write that names several entries is carried out for the first only.',
    breaks: STORED,
    checks: ['approvals', 'json-patch'],
    variants: (surface) =>
      surface.operations.flatMap((operation) => {
        const entries = membersOf(surface.contract, bodyRef(surface.contract, operation)).find(
          ({ types, required }) => required && types.includes('array'),
        );
        if (entries === undefined) return [];
        return [
          {
            operation,
            name: entries.name,
            seenIn: seenThrough(surface, operation),
            make: (where: Where) =>
              requests(
                byFull(where, ({ json: body }) => asList(asObject(body)[entries.name]).length > 1),
                ({ json: body }) =>
                  withBody({ ...asObject(body), [entries.name]: asList(asObject(body)[entries.name]).slice(0, 1) }),
              ),
          },
        ];
      }),
  },
  'command-swapped': {
    title: 'A command with two values does the other one.',
    breaks: STORED,
    checks: ['approvals'],
    variants: (surface) =>
      surface.operations.flatMap((operation) =>
        membersOf(surface.contract, bodyRef(surface.contract, operation))
          .filter(({ required, schema }) => required && asList(asObject(schema)['enum']).length === 2)
          .map(({ name, schema }) => ({
            operation,
            name,
            seenIn: seenThrough(surface, operation),
            make: (where: Where) =>
              requests(
                byFull(where, ({ json: body }) => name in asObject(body)),
                ({ json: body }) =>
                  withBody({
                    ...asObject(body),
                    [name]: asList(asObject(schema)['enum']).find((each) => each !== asObject(body)[name]),
                  }),
              ),
          })),
      ),
  },
  'other-parent-served': {
    title: 'A part of an item is also served under another item.',
    breaks: 'the path names the item that the part belongs to (section 4)',
    checks: ['job-ownership', 'unknown-id'],
    variants: (surface) =>
      surface.operations
        .filter(
          (operation) =>
            operation.method === 'GET' && isDeep(operation) && resourceOf(surface, operation) !== undefined,
        )
        .map((operation) => ({ operation, make: otherParent })),
  },
  'first-parent-served': {
    title: 'The parts of the first item that was asked for are served for every item.',
    breaks: 'the path names the item that the part belongs to (section 4)',
    checks: ['job-ownership', 'job-runs', 'dry-run'],
    variants: (surface) =>
      surface.operations
        .filter(
          (operation) =>
            operation.method === 'GET' &&
            /\}\/[^{}]+$/.test(operation.path) &&
            resourceOf(surface, operation) !== undefined &&
            !isDeep(operation),
        )
        .map((operation) => ({ operation, make: firstParent })),
  },
  'sublist-misses-newest': {
    title: 'A list below an item does not show what was added last.',
    breaks: STORED,
    checks: ['job-runs', 'audit-log', 'job-ownership'],
    variants: (surface) =>
      surface.operations
        .filter(
          (operation) =>
            operation.method === 'GET' &&
            operation.path.includes('{') &&
            itemsRefOrPaged(surface, operation) &&
            !surface.resources.some(({ read }) => read === operation) &&
            !isDeep(operation),
        )
        .map((operation) => ({
          operation,
          make: (where: Where) =>
            relist(byFull(where), (list) => (list.length <= 1 ? [] : newestLast(list).slice(0, -1))),
        })),
  },
  'log-silent': {
    title: 'A log shows nothing of what was done.',
    breaks: 'the audit log endpoints answer the audit log (section 4)',
    checks: ['audit-log', 'query-styles'],
    perForm: true,
    variants: (surface) =>
      surface.operations
        .filter(
          ({ method, path, parameters }) =>
            method === 'GET' &&
            resourceOf(surface, { path } as Operation) === undefined &&
            parameters.some(({ name }) => /^objectIds?$/i.test(name)),
        )
        .map((operation) => ({ operation, make: (where: Where) => relist(byFull(where), () => []) })),
  },
} as const satisfies Record<string, Operator>;

function itemsRefOrPaged({ contract }: Surface, operation: Operation): boolean {
  return (
    itemsRef(contract, operation) !== undefined ||
    typesOf(bodyRef(contract, operation)?.schema ?? {}).length > 0 ||
    operation.parameters.some(({ name }) => /^page/i.test(name))
  );
}

/** A list with the newest item last, by the first member that is a date. */
function newestLast(list: readonly unknown[]): readonly unknown[] {
  const stamp = (item: unknown): string =>
    Object.values(asObject(item)).find(
      (value): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value),
    ) ?? '';
  return list.toSorted((a, b) => stamp(a).localeCompare(stamp(b)));
}

const parentPath = (call: Call): { readonly parent: string; readonly rest: string } => {
  const [parent = ''] = Object.values(call.route?.params ?? {});
  const at = call.path.indexOf(parent);
  return { parent, rest: call.path.slice(at + parent.length).toLowerCase() };
};

const otherParent = (where: Where): Make =>
  stateful(() => {
    const owner = new Map<string, string>();
    return () => async (call, next) => {
      const reply = await next();
      if (call.role !== 'full' || call.method !== 'GET') return reply;
      const { parent, rest } = parentPath(call);
      if (succeeded(reply)) owner.set(rest, parent);
      const known = owner.get(rest);
      return hit(call, where) && isUuid(parent) && known !== undefined && known !== parent
        ? next({ path: call.path.replace(parent, known) })
        : reply;
    };
  });

const firstParent = (where: Where): Make =>
  stateful(() => {
    let first: string | undefined;
    return at(byFull(where), async (call, next) => {
      const reply = await next();
      const { parent } = parentPath(call);
      if (!succeeded(reply) || !isUuid(parent)) return reply;
      first ??= parent;
      const other = await next({ path: call.path.replace(parent, first) });
      return succeeded(other) ? other : reply;
    });
  });
