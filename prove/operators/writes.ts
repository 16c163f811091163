import { randomUUID } from 'node:crypto';
import type { CheckName, Operation } from '../../spec/index.ts';
import { itemId, withBody } from '../proxy/call.ts';
import type { Where } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asList, asObject } from '../proxy/json.ts';
import { createdId, empty, json, parsed, succeeded } from '../proxy/reply.ts';
import type { Make } from '../proxy/message.ts';
import { bodyRef, membersOf, collectionAt, seenThrough } from '../surface.ts';
import type { Collection, Surface } from '../surface.ts';
import {
  acknowledge,
  acknowledgement,
  byFull,
  collectionPath,
  itemPath,
  onOrders,
  stateful,
  TAKES_EFFECT,
} from './operator.ts';
import type { Operator } from './operator.ts';
import { CREATE, isDeep, itemNow, neighbour, onRoles, toNeighbour, UPDATE, WRITES } from './resources.ts';

const OTHERS = 'a write changes the item of that id (section 4)';

/** Operations with an effect that can be read. */
const hasEffect = (operation: Operation, surface: Surface): boolean => !storesNothing(operation, surface);

/** `POST /items/{id}/verb` with the body of an update: a preview or a dry run. */
function storesNothing(operation: Operation, surface: Surface): boolean {
  const resource = collectionAt(surface, operation);
  if (resource?.update === undefined || !resource.actions.includes(operation)) return false;
  const [own, update] = [operation, resource.update].map((each) => bodyRef(surface.contract, each)?.pointer);
  return own !== undefined && own === update;
}

/** Every second write on an item is answered with 200 and not carried out. */
const everySecond = (where: Where, resource: Collection): Make =>
  stateful(() => {
    const seen = new Map<string, number>();
    return acknowledge(where, resource.collection, (call) => {
      const times = (seen.get(itemId(call)) ?? 0) + 1;
      seen.set(itemId(call), times);
      return times % 2 === 0;
    });
  });

/** Checks that are expected to catch a lost write, by method. */
const NOTICED: Readonly<Record<string, readonly CheckName[]>> = {
  PATCH: ['json-patch'],
  DELETE: ['deleted-is-gone', 'form-shared-state'],
};

const noticedBy = ({ method, path }: Operation): readonly CheckName[] =>
  NOTICED[method] ??
  (method === 'PUT' && path.endsWith('}') ? ['updated-reads-back'] : ['activation', 'job-runs', 'approvals']);

/** Writes that are lost, carried out twice, or applied to another item. */
export const WRITE_OPERATORS = {
  'write-forgotten': {
    title: 'A write is answered with 200 and not carried out.',
    breaks: TAKES_EFFECT,
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
      )(surface).map((variant) => ({ ...variant, checks: noticedBy(variant.operation) })),
      ...onOrders('set', (where) => at(byFull(where, (call) => Array.isArray(call.json))).handles(() => empty()), [
        'processing-order',
      ])(surface),
    ],
  },
  'second-write-forgotten': {
    title: 'Every second write on an item is not carried out.',
    breaks: TAKES_EFFECT,
    checks: ['updated-reads-back', 'activation', 'json-patch', 'model-conformance'],
    variants: onRoles(
      ({ update, patch, actions }) => [update, patch, ...actions.filter(({ body }) => body === undefined)],
      everySecond,
      (operation) => operation.responses[0]?.content.length === 0 || operation.method !== 'POST',
    ),
  },
  'create-forgotten': {
    title: 'A created item is deleted at once.',
    breaks: TAKES_EFFECT,
    checks: ['created-reads-back', 'form-shared-state', 'model-conformance'],
    variants: onRoles(CREATE, (where, { collection }) =>
      at(byFull(where)).also(async (call, context, reply) => {
        const id = createdId(reply);
        if (id !== '') await context.send('DELETE', `${collectionPath(call, collection)}/${id}`);
      }),
    ),
  },
  'create-other-id': {
    title: 'The response to a creation has a wrong id.',
    breaks: 'uuid string (new policy id) (section 4)',
    checks: ['created-reads-back'],
    variants: onRoles(
      CREATE,
      (where) =>
        at(byFull(where)).rewrites((value) =>
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
    breaks: TAKES_EFFECT,
    checks: ['created-reads-back', 'job-runs', 'model-conformance', 'overlap', 'form-shared-state'],
    variants: onRoles(
      ({ create, actions }) => [
        create,
        ...actions.filter(({ body, responses }) => body === undefined && responses[0]?.content.length !== 0),
      ],
      (where) =>
        at(byFull(where)).handles(async (_, next) => {
          const reply = await next();
          if (succeeded(reply)) await next();
          return reply;
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
        at(byFull(where)).handles(async (call, next, context) => {
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
    checks: ['activation', 'updated-reads-back', 'deleted-is-gone', 'json-patch', 'job-runs', 'approvals'],
    variants: onRoles(
      WRITES,
      (where, resource) =>
        at(byFull(where)).handles(async (call, next, context) => {
          if (!succeeded(await itemNow(context, call, resource))) return next();
          const other = await neighbour(call, context, resource);
          return next(other === undefined ? undefined : { path: toNeighbour(call, other) });
        }),
      (operation, surface) => hasEffect(operation, surface) && !isDeep(operation),
    ),
  },
  'refused-update-stored': {
    title: 'An update that is refused with 400 changes the texts of the item.',
    breaks: 'a refused request changes nothing (section 7)',
    checks: ['refused-changes-nothing'],
    variants: onRoles(UPDATE, (where, resource) =>
      at(byFull(where, ({ json: body }) => typeof body === 'object')).thoughRefused(async (call, context) => {
        const old = asObject(parsed(await itemNow(context, call, resource)));
        const name = asObject(call.json)['name'];
        if ('name' in old)
          await context.send('PUT', itemPath(call, resource.collection), {
            ...old,
            name: typeof name === 'string' && name !== '' ? name : `${String(old['name'])}*`,
          });
      }),
    ),
  },
  'trial-stored': {
    title: 'A preview or a dry run stores its body.',
    breaks: 'a dry run or a preview stores nothing (section 4)',
    checks: ['dry-run'],
    perForm: true,
    variants: (surface) =>
      onRoles(
        ({ actions }) => actions,
        (where, resource) =>
          at(byFull(where)).also((call, context) =>
            context.send('PUT', itemPath(call, resource.collection), call.json),
          ),
        storesNothing,
      )(surface),
  },
  'update-partial': {
    title: 'A write with several entries is carried out for the first only.',
    breaks: TAKES_EFFECT,
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
              at(byFull(where, ({ json: body }) => asList(asObject(body)[entries.name]).length > 1)).requests(
                ({ json: body }) =>
                  withBody({ ...asObject(body), [entries.name]: asList(asObject(body)[entries.name]).slice(0, 1) }),
              ),
          },
        ];
      }),
  },
} as const satisfies Record<string, Operator>;
