import { area } from '../define.ts';
import {
  asList,
  asObject,
  asks,
  at,
  empty,
  hit,
  idOf,
  items,
  parsed,
  relist,
  succeeded,
  withBody,
  withItems,
  withJson,
} from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';
import { after, also, frozen, orderOf, POLICIES, setOrderTo } from './parts.ts';

const define = area('order');
const {
  set: SET,
  order: READ,
  activate: ACTIVATE,
  deactivate: DEACTIVATE,
  update: UPDATE,
  create: CREATE,
  remove: DELETE,
} = POLICIES;
const WHOLE =
  'Policies have a processing order, set as a whole by posting an ordered array to setprocessingorder and read back by byprocessingorder (section 3)';
const row = (name: string, make: Make, operations: readonly string[] = [SET, READ]): Mutant =>
  define(name, WHOLE, operations, make, ['reversible', 'global']);
const isOrder = (call: Call): boolean => call.role === 'full' && asList(call.json).length > 1;

const numbered = (entries: readonly unknown[]): readonly unknown[] =>
  entries.map((entry, order) => ({ ...asObject(entry), order }));
const reorder = (change: (entries: readonly unknown[]) => readonly unknown[]): Make =>
  asks({ op: SET, when: isOrder }, (call) => withBody(numbered(change(asList(call.json)))));

/** Sets the order and then changes what was set. */
const thenChanged = (change: (now: readonly unknown[], before: readonly unknown[]) => readonly unknown[]): Make =>
  at({ op: SET, when: isOrder }, async (_, next, context) => {
    const before = await orderOf(context);
    const reply = await next();
    if (succeeded(reply)) await setOrderTo(context, change(await orderOf(context), before));
    return reply;
  });

const key = (entries: readonly unknown[]): string => entries.map(idOf).join(' ');

const SETS: readonly Mutant[] = [
  row(
    'odd-order-swaps-its-last',
    reorder((entries) =>
      entries.length % 2 === 0 ? entries : [...entries.slice(0, -2), entries.at(-1), entries.at(-2)],
    ),
  ),
  row(
    'even-order-swaps-its-first',
    reorder((entries) => (entries.length % 2 === 1 ? entries : [entries[1], entries[0], ...entries.slice(2)])),
  ),
  row(
    'only-first-six-are-set',
    thenChanged((now, before) => {
      const head = now.slice(0, 6);
      const known = new Set(head.map(idOf));
      return [...head, ...before.filter((entry) => !known.has(idOf(entry)))];
    }),
  ),
  row(
    'first-is-pinned',
    thenChanged((now, before) => [
      ...now.filter((entry) => idOf(entry) === idOf(before[0])),
      ...now.filter((entry) => idOf(entry) !== idOf(before[0])),
    ]),
  ),
  row(
    'last-is-pinned',
    thenChanged((now, before) => [
      ...now.filter((entry) => idOf(entry) !== idOf(before.at(-1))),
      ...now.filter((entry) => idOf(entry) === idOf(before.at(-1))),
    ]),
  ),
  row('an-order-set-before-is-ignored', () => {
    const known = new Set<string>();
    return async (call, next) => {
      if (!hit(call, { op: SET, when: isOrder })) return next();
      if (known.has(key(asList(call.json)))) return empty();
      known.add(key(asList(call.json)));
      return next();
    };
  }),
  row('each-third-order-ignored', () => {
    let count = 0;
    return async (call, next) => {
      if (!hit(call, { op: SET, when: isOrder })) return next();
      count += 1;
      return count % 3 === 0 ? empty() : next();
    };
  }),
  row(
    'set-sorted-by-name',
    asks({ op: SET, when: isOrder }, (call) =>
      withBody(
        numbered(
          asList(call.json).toSorted((a, b) =>
            String(asObject(a)['name']).localeCompare(String(asObject(b)['name']), 'en'),
          ),
        ),
      ),
    ),
  ),
  row(
    'forbidden-order-counts',
    at(
      { op: SET, when: (call) => call.role === 'limited' && asList(call.json).length > 1 },
      async (call, next, context) => {
        await context.ask('POST', call.path, call.json);
        return next();
      },
    ),
  ),
  row(
    'refused-order-counts-in-part',
    at({ op: SET, when: isOrder }, async (call, next, context) => {
      const reply = await next();
      if (reply.status < 400) return reply;
      const known = new Set((await orderOf(context)).map(idOf));
      await setOrderTo(
        context,
        asList(call.json).filter(
          (entry, index, all) =>
            known.has(idOf(entry)) && all.findIndex((other) => idOf(other) === idOf(entry)) === index,
        ),
      );
      return reply;
    }),
  ),
  row(
    'order-reverts-soon',
    at({ op: SET, when: isOrder }, async (_, next, context) => {
      const before = await orderOf(context);
      const reply = await next();
      if (succeeded(reply)) setTimeout(() => void setOrderTo(context, before).catch(() => undefined), 250);
      return reply;
    }),
  ),
];

const READS: readonly Mutant[] = [
  row(
    'read-cached-per-form',
    frozen(
      (call) => hit(call, READ),
      (call) => call.route?.form ?? '',
      (call, known) => {
        if (hit(call, SET)) known.delete(call.route?.form ?? '');
      },
    ),
  ),
  row(
    'read-ends-after-twelve',
    relist(READ, (list) => list.slice(0, 12)),
  ),
  row(
    'read-active-first',
    (context) => async (call, next) => {
      const reply = await next();
      if (!hit(call, READ) || !succeeded(reply)) return reply;
      const list = items(parsed(reply));
      const active = new Set(
        items(parsed(await context.ask('GET', '/api/accesscontrolpolicies?take=1000&filterActive=true'))).map(idOf),
      );
      return withJson(
        reply,
        withItems(parsed(reply), [
          ...list.filter((entry) => active.has(idOf(entry))),
          ...list.filter((entry) => !active.has(idOf(entry))),
        ]),
      );
    },
    [READ, SET, ACTIVATE, DEACTIVATE, CREATE],
  ),
  row(
    'read-lacks-inactive',
    (context) => async (call, next) => {
      const reply = await next();
      if (!hit(call, READ) || !succeeded(reply)) return reply;
      const switched = items(
        parsed(await context.ask('GET', '/api/accesscontrolpolicies?take=1000&filterActive=false')),
      )
        .filter((item) => (asObject(item)['modifiedAt'] ?? null) !== null)
        .map(idOf);
      const without = new Set(switched);
      return withJson(
        reply,
        withItems(
          parsed(reply),
          items(parsed(reply)).filter((entry) => !without.has(idOf(entry))),
        ),
      );
    },
    [READ, SET, DEACTIVATE, UPDATE],
  ),
];

/** Restores the order as it was before it was last set. */
const undoneBy =
  (op: string, when: () => (call: Call) => boolean = () => () => true): Make =>
  (context) => {
    let before: readonly unknown[] | undefined;
    const meant = when();
    return async (call, next) => {
      const order = hit(call, { op: SET, when: isOrder }) ? await orderOf(context) : undefined;
      const reply = await next();
      if (!succeeded(reply)) return reply;
      if (order !== undefined) before = order;
      if (hit(call, op) && meant(call) && before !== undefined) {
        const known = new Set((await orderOf(context)).map(idOf));
        await setOrderTo(
          context,
          before.filter((entry) => known.has(idOf(entry))),
        );
        before = undefined;
      }
      return reply;
    };
  };

const SIDE_EFFECTS: readonly Mutant[] = [
  row('activation-undoes-the-order', undoneBy(ACTIVATE), [ACTIVATE, SET, READ]),
  row(
    'second-update-undoes-the-order',
    undoneBy(UPDATE, () => after(1)),
    [UPDATE, SET, READ],
  ),
  row('deletion-undoes-the-order', undoneBy(DELETE), [DELETE, SET, READ]),
  row('creation-undoes-the-order', undoneBy(CREATE), [CREATE, SET, READ]),
  row(
    'creation-sorts-by-age',
    also(CREATE, async (_, context) => {
      const all = items(parsed(await context.ask('GET', '/api/accesscontrolpolicies?take=1000&orderBy=createdAt'))).map(
        idOf,
      );
      const order = await orderOf(context);
      await setOrderTo(
        context,
        [...order].sort((a, b) => all.indexOf(idOf(a)) - all.indexOf(idOf(b))),
      );
    }),
    [CREATE, SET, READ],
  ),
  row(
    'deletion-swaps-the-neighbours',
    at(DELETE, async (call, next, context) => {
      const order = await orderOf(context);
      const place = order.findIndex((entry) => idOf(entry) === (call.route?.params['id'] ?? '').toLowerCase());
      const reply = await next();
      const [left, right] = [order[place - 1], order[place + 1]];
      if (succeeded(reply) && left !== undefined && right !== undefined)
        await setOrderTo(
          context,
          (await orderOf(context)).map((entry) =>
            idOf(entry) === idOf(left) ? right : idOf(entry) === idOf(right) ? left : entry,
          ),
        );
      return reply;
    }),
    [DELETE, SET, READ],
  ),
];

export const STATE_ORDER_2: readonly Mutant[] = [...SETS, ...READS, ...SIDE_EFFECTS];
