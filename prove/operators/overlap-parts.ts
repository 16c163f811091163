import type { Operation } from '../../spec/index.ts';
import type { Where } from '../proxy/edit.ts';
import type { Call, Make } from '../proxy/message.ts';
import { seenThrough } from '../surface.ts';
import type { Resource, Surface } from '../surface.ts';
import type { Variant } from './operator.ts';

type Roles = (resource: Resource) => readonly (Operation | undefined)[];

/** A variant for each pair of a role and the operations that may overlap it. */
export const onRoles =
  (roles: Roles, make: (where: Where, resource: Resource) => Make) =>
  (surface: Surface): readonly Variant[] =>
    surface.resources.flatMap((resource) =>
      roles(resource).flatMap((operation) =>
        operation === undefined
          ? []
          : [{ operation, seenIn: seenThrough(surface, operation), make: (where: Where) => make(where, resource) }],
      ),
    );

export const MUTATIONS: Roles = ({ update, patch, remove, actions }) => [
  update,
  patch,
  remove,
  ...actions.filter(({ body, responses }) => body === undefined && responses[0]?.content.length === 0),
];

export const changes = (resource: Resource): readonly string[] => MUTATIONS(resource).flatMap((each) => each?.id ?? []);

export const isOf = (call: Call, where: Where): boolean => call.route?.id === where.op;
