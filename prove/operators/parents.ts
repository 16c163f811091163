import { hit } from '../proxy/call.ts';
import type { Where } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asObject, items } from '../proxy/json.ts';
import { isUuid } from '../../spec/uuid.ts';
import { parsed, succeeded } from '../proxy/reply.ts';
import type { Call, Make } from '../proxy/message.ts';
import { pagingParameters, collectionAt } from '../surface.ts';
import { byFull, onEach, stateful, TAKES_EFFECT } from './operator.ts';
import type { Operator } from './operator.ts';
import { isDeep } from './resources.ts';

const stamp = (item: unknown): string =>
  Object.values(asObject(item)).find(
    (value): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value),
  ) ?? '';

/** Sorts a list by the first member that is a date, the newest item last. */
function newestLast(list: readonly unknown[]): readonly unknown[] {
  return list.toSorted((a, b) => stamp(a).localeCompare(stamp(b)));
}

const parentPath = (call: Call): { readonly parent: string; readonly rest: string } => {
  const [parent = ''] = Object.values(call.route?.params ?? {});
  const at = call.path.indexOf(parent);
  return { parent, rest: call.path.slice(at + parent.length).toLowerCase() };
};

const otherParent =
  (where: Where): Make =>
  () => {
    const owner = new Map<string, string>();
    return async (call, next) => {
      const reply = await next();
      if (call.role !== 'full' || call.method !== 'GET') return reply;
      const { parent, rest } = parentPath(call);
      if (succeeded(reply)) owner.set(rest, parent);
      const known = owner.get(rest);
      return hit(call, where) && isUuid(parent) && known !== undefined && known !== parent
        ? next({ path: call.path.replace(parent, known) })
        : reply;
    };
  };

const firstParent = (where: Where): Make =>
  stateful(() => {
    let first: string | undefined;
    return at(byFull(where)).handles(async (call, next) => {
      const reply = await next();
      const { parent } = parentPath(call);
      if (!succeeded(reply) || !isUuid(parent)) return reply;
      // An empty list is the same for every item.
      if (first === undefined && items(parsed(reply)).length === 0) return reply;
      first ??= parent;
      const other = await next({ path: call.path.replace(parent, first) });
      if (succeeded(other)) return other;
      // The first one is gone.
      first = undefined;
      return reply;
    });
  });

/** Reads of the parts of an item, and of the audit log. */
export const PARENT_OPERATORS = {
  'other-parent-served': {
    title: 'A part of an item is also served under another item.',
    breaks: 'the path names the item that the part belongs to (section 4)',
    checks: ['job-ownership', 'unknown-id'],
    variants: onEach(
      (operation, surface) =>
        operation.method === 'GET' && isDeep(operation) && collectionAt(surface, operation) !== undefined,
      otherParent,
    ),
  },
  'first-parent-served': {
    title: 'The parts of the first item that had some are served for every item.',
    breaks: 'the path names the item that the part belongs to (section 4)',
    checks: ['job-ownership', 'job-runs', 'dry-run'],
    variants: onEach(
      (operation, surface) =>
        operation.method === 'GET' &&
        /\}\/[^{}]+$/.test(operation.path) &&
        collectionAt(surface, operation) !== undefined &&
        !isDeep(operation),
      firstParent,
    ),
  },
  'sublist-misses-newest': {
    title: 'A list below an item does not show what was added last.',
    breaks: TAKES_EFFECT,
    checks: ['job-runs', 'audit-log', 'job-ownership'],
    variants: onEach(
      (operation, { resources }) =>
        operation.method === 'GET' &&
        operation.path.includes('{') &&
        pagingParameters(operation) !== undefined &&
        !resources.some(({ read }) => read === operation) &&
        !isDeep(operation),
      (where) => at(byFull(where)).relists((list) => (list.length <= 1 ? [] : newestLast(list).slice(0, -1))),
    ),
  },
  'log-silent': {
    title: 'A log shows nothing of what was done.',
    breaks: 'the audit log endpoints answer the audit log (section 4)',
    checks: ['audit-log', 'query-styles'],
    perForm: true,
    variants: onEach(
      (operation, surface) =>
        operation.method === 'GET' &&
        collectionAt(surface, operation) === undefined &&
        operation.parameters.some(({ name }) => /^objectIds?$/i.test(name)),
      (where) => at(byFull(where)).relists(() => []),
    ),
  },
} as const satisfies Record<string, Operator>;
