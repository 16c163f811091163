import type { Operation } from '../../spec/index.ts';
import { itemId } from '../proxy/call.ts';
import type { OperationId, Where } from '../proxy/call.ts';
import { listAt } from '../proxy/handler.ts';
import { idOf } from '../proxy/json.ts';
import type { Call, Context, Make, Reply } from '../proxy/message.ts';
import { seenThrough } from '../surface.ts';
import type { Collection, Surface } from '../surface.ts';
import { collectionPath, itemPath, opOf } from './operator.ts';
import type { Variant } from './operator.ts';

export type Roles = (resource: Collection) => readonly (Operation | undefined)[];

export const READ: Roles = ({ read }) => [read];

export const LIST: Roles = ({ list }) => [list];

export const CREATE: Roles = ({ create }) => [create];

export const UPDATE: Roles = ({ update }) => [update];

export const UPDATES: Roles = ({ update, patch }) => [update, patch];

export const WRITES: Roles = ({ update, patch, remove, actions }) => [update, patch, remove, ...actions];

/** A variant for each operation of a resource that has one of the roles. */
export const onRoles =
  (
    roles: Roles,
    make: (where: Where, resource: Collection, operation: Operation) => Make,
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

/** Writes whose success has no documented body. */
export const MUTATIONS: Roles = ({ update, patch, remove, actions }) => [
  update,
  patch,
  remove,
  ...actions.filter(({ body, responses }) => body === undefined && responses[0]?.content.length === 0),
];

/** Ids of the {@link MUTATIONS} of a resource. */
export const changes = (resource: Collection): readonly OperationId[] =>
  MUTATIONS(resource).flatMap((each) => (each === undefined ? [] : opOf(each)));

export const isOf = (call: Call, where: Where): boolean => call.route?.id === where.op;

export const itemNow = (context: Context, call: Call, { collection }: Collection): Promise<Reply> =>
  context.send('GET', itemPath(call, collection));

/** Another item of the collection than the one that a request addresses, as the target lists it; undefined if there is none. */
export async function neighbour(call: Call, context: Context, { collection }: Collection): Promise<string | undefined> {
  const listed = await listAt(context, `${collectionPath(call, collection)}?take=1000`);
  return listed.map(idOf).findLast((id) => id !== '' && id !== itemId(call));
}

export const toNeighbour = (call: Call, id: string): string => call.path.replace(new RegExp(itemId(call), 'i'), id);

export const isDeep = ({ path }: Operation): boolean => (path.match(/\{/g) ?? []).length > 1;
