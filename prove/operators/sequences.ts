import { mapValues } from '../../spec/json.ts';
import { withBody } from '../proxy/call.ts';
import type { Where } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asList, asObject, idOf } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { json, problem, succeeded } from '../proxy/reply.ts';
import type { Call, Make } from '../proxy/message.ts';
import { seenThrough } from '../surface.ts';
import type { OrderedCollection, Surface } from '../surface.ts';
import { byFull, onOrders, stateful } from './operator.ts';
import type { Operator, Variant } from './operator.ts';

const WHOLE = 'the order is set as a whole by an ordered array, and read back (section 3)';
const PATCH = 'PATCH takes an array of JSON Patch operations (section 4; RFC 6902)';

type List = readonly unknown[];

/** Changes of an order, when it is stored or shown. */
const REORDERED = {
  reversed: (list: List) => list.toReversed(),
  'last-two-swapped': (list: List) => (list.length < 2 ? list : [...list.slice(0, -2), list.at(-1), list.at(-2)]),
  'last-lost': (list: List) => list.slice(0, -1),
  'by-id': (list: List) => list.toSorted((a, b) => idOf(a).localeCompare(idOf(b))),
} as const satisfies Record<string, (list: List) => List>;

/** Renumbers the entries of an order. */
const renumbered = (list: List): List =>
  list.map((entry, order) => ('order' in asObject(entry) ? { ...asObject(entry), order } : entry));

const onOrderings =
  (make: (where: Where, change: (list: List) => List, ordering: OrderedCollection) => Make, role: 'set' | 'read') =>
  (surface: Surface): readonly Variant[] =>
    Object.entries(REORDERED).flatMap(([name, change]) =>
      onOrders(role, (where, ordering) => make(byFull(where), change, ordering))(surface).map((each) => ({
        ...each,
        name,
      })),
    );

/** Other writes of the resource reverse the order. */
const disturbed = (surface: Surface): readonly Variant[] =>
  surface.orderings.flatMap(({ set, read, resource }) =>
    [resource.update, resource.remove, resource.create, ...resource.actions].flatMap((operation) =>
      operation === undefined
        ? []
        : [
            {
              operation,
              seenIn: [operation.id, set.id, read.id],
              make: (where: Where) =>
                at(byFull(where)).also(async (_, context) => {
                  const order = await listAt(context, read.forms[0]?.path ?? '');
                  if (order.length > 1)
                    await context.send('POST', set.forms[0]?.path ?? '', renumbered(order.toReversed()));
                }),
            },
          ],
    ),
  );

const operations = (call: Call): readonly JsonMap[] => asList(call.json).map(asObject);
const pathOf = (operation: JsonMap): string => (typeof operation['path'] === 'string' ? operation['path'] : '');

/** Changes the operations of a patch before they are applied. */
const patches = (where: Where, change: (all: readonly JsonMap[]) => List): Make =>
  at(byFull(where, ({ json: body }) => Array.isArray(body))).requests((call) => {
    const after = change(operations(call));
    return JSON.stringify(after) === JSON.stringify(call.json) ? undefined : withBody(after);
  });

const each =
  (kind: string, change: (operation: JsonMap) => List) =>
  (all: readonly JsonMap[]): List =>
    all.flatMap((one) => (one['op'] === kind ? change(one) : [one]));

const KINDS = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

/** Changes of the operations of a patch. */
const REWRITTEN: Readonly<Record<string, (all: readonly JsonMap[]) => List>> = {
  ...Object.fromEntries(KINDS.map((kind) => [`${kind}-ignored`, each(kind, () => [])])),
  'move-copies': each('move', (one) => [{ ...one, op: 'copy' }]),
  'copy-moves': each('copy', (one) => [{ ...one, op: 'move' }]),
  'index-replaces': each('add', (one) => [/\/\d+$/.test(pathOf(one)) ? { ...one, op: 'replace' } : one]),
  'append-prepends': each('add', (one) => [{ ...one, path: pathOf(one).replace(/\/-$/, '/0') }]),
  'removes-first': each('remove', (one) => [{ ...one, path: pathOf(one).replace(/\/\d+$/, '/0') }]),
  'null-ignored': each('replace', (one) => (one['value'] === null ? [] : [one])),
  'slash-escaped': (all) => all.map((one) => ({ ...one, path: pathOf(one).replaceAll('~1', '~01') })),
  'tilde-escaped': (all) => all.map((one) => ({ ...one, path: pathOf(one).replaceAll('~0', '~00') })),
  'first-only': (all) => all.slice(0, 1),
  'last-lost': (all) => (all.length > 1 ? all.slice(0, -1) : all),
  reversed: (all) => all.toReversed(),
};

/** A variant for each operation that takes a JSON Patch. */
const onPatches =
  (variants: Readonly<Record<string, (where: Where) => Make>>) =>
  (surface: Surface): readonly Variant[] =>
    surface.operations
      .filter(
        ({ method, body }) =>
          method === 'PATCH' && body?.content.some(({ type }) => type === 'application/json-patch+json') === true,
      )
      .flatMap((operation) =>
        Object.entries(variants).map(([name, make]) => ({
          operation,
          name,
          seenIn: seenThrough(surface, operation),
          make,
        })),
      );

const some = (where: Where, test: (operation: JsonMap) => boolean): Where =>
  byFull(where, (call) => Array.isArray(call.json) && operations(call).some(test));
const KNOWN: ReadonlySet<string> = new Set(KINDS);

export const SEQUENCE_OPERATORS = {
  'order-stored-otherwise': {
    title: 'The stored order differs from the one that was set.',
    breaks: WHOLE,
    checks: ['processing-order'],
    perForm: true,
    variants: onOrderings(
      (where, change) =>
        at({ ...where, when: (call) => call.role === 'full' && asList(call.json).length > 1 }).requests(
          ({ json: body }) => withBody(renumbered(change(asList(body)))),
        ),
      'set',
    ),
  },
  'order-shown-otherwise': {
    title: 'The shown order differs from the stored one.',
    breaks: WHOLE,
    checks: ['processing-order'],
    perForm: true,
    variants: onOrderings((where, change) => at(where).relists((list) => change(list)), 'read'),
  },
  'order-frozen': {
    title: 'The order is shown as it was when it was first read.',
    breaks: WHOLE,
    checks: ['processing-order'],
    variants: onOrders('read', (where) =>
      stateful(() => {
        let first: List | undefined;
        return at(byFull(where)).relists((list) => (first ??= list));
      }),
    ),
  },
  'order-disturbed': {
    title: 'A write on one item reverses the order.',
    breaks: WHOLE,
    checks: ['processing-order', 'model-conformance'],
    variants: disturbed,
  },
  'patch-altered': {
    title: 'The operations of a patch are not applied as RFC 6902 says.',
    breaks: PATCH,
    checks: ['json-patch'],
    perForm: true,
    variants: onPatches(mapValues(REWRITTEN, (change) => (where: Where) => patches(where, change))),
  },
  'patch-half-applied': {
    title: 'A patch that fails applies the operations before the failing one.',
    breaks: PATCH,
    checks: ['json-patch', 'refused-changes-nothing'],
    variants: onPatches({
      sequentially: (where) =>
        at(byFull(where, (call) => asList(call.json).length > 1)).handles(async (call, next) => {
          const reply = await next();
          if (succeeded(reply)) return reply;
          for (const operation of asList(call.json)) if (!succeeded(await next(withBody([operation])))) break;
          return reply;
        }),
    }),
  },
  'patch-failure-answered': {
    title: 'A patch that cannot be applied is not answered with 400 or 409.',
    breaks: '400: malformed request; 409: conflict (section 7)',
    checks: ['json-patch', 'no-server-error'],
    variants: onPatches({
      'failed-test-200': (where) =>
        at(some(where, ({ op }) => op === 'test')).replies((reply, call) =>
          [400, 409].includes(reply.status) ? json({ id: call.route?.params['id'] }) : reply,
        ),
      'failed-test-500': (where) =>
        at(some(where, ({ op }) => op === 'test')).replies((reply) =>
          [400, 409].includes(reply.status) ? problem(500) : reply,
        ),
      'unknown-operation-500': (where) =>
        at(some(where, ({ op }) => !KNOWN.has(String(op)))).replies(() => problem(500)),
      'path-to-nowhere-500': (where) =>
        at(byFull(where, (call) => Array.isArray(call.json))).replies((reply) =>
          [400, 409].includes(reply.status) ? problem(500) : reply,
        ),
      'empty-500': (where) =>
        at(byFull(where, (call) => Array.isArray(call.json) && call.json.length === 0)).replies(() => problem(500)),
      'missing-target-200': (where) =>
        at(some(where, ({ op }) => op === 'remove')).handles(async (call, next) => {
          const reply = await next();
          return succeeded(reply) ? reply : next(withBody(operations(call).filter(({ op }) => op !== 'remove')));
        }),
    }),
  },
  'patch-answers-old': {
    title: 'A patch is answered with the item as it was before.',
    breaks: 'PATCH answers the patched item (section 4)',
    checks: ['json-patch'],
    variants: onPatches({
      before: (where) =>
        at(byFull(where)).handles(async (call, next, context) => {
          const before = await context.send('GET', call.path);
          const reply = await next();
          return succeeded(reply) && succeeded(before) ? before : reply;
        }),
    }),
  },
} as const satisfies Record<string, Operator>;
