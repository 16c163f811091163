import { area } from '../define.ts';
import { asList, asObject, asks, at, empty, hit, idOf, items, parsed, relist, succeeded, withBody } from '../kit.ts';
import type { Call, Context, Make, Mutant, Reply } from '../types.ts';

const define = area('order');
const POLICY = '/accesscontrolpolicies';
const [SET, READ] = [`POST ${POLICY}/setprocessingorder`, `GET ${POLICY}/byprocessingorder`];
const WHOLE =
  'Policies have a processing order, set as a whole by posting an ordered array to setprocessingorder and read back by byprocessingorder (section 3)';
const row = (name: string, make: Make, operations: readonly string[] = [SET, READ]): Mutant =>
  define(name, WHOLE, operations, make, ['reversible', 'global']);

const isOrder = (call: Call): boolean => call.role === 'full' && asList(call.json).length > 1;

/** Posts another order than the one asked for, renumbered. */
const reorder = (change: (entries: readonly unknown[]) => readonly unknown[]): Make =>
  asks({ op: SET, when: isOrder }, (call) => {
    const entries = change(asList(call.json));
    return withBody(
      entries.map((entry, index) => ('order' in asObject(entry) ? { ...asObject(entry), order: index } : entry)),
    );
  });

function swap(entries: readonly unknown[], a: number, b: number): readonly unknown[] {
  const copy = [...entries];
  [copy[a], copy[b]] = [copy[b], copy[a]];
  return copy;
}

async function current(context: Context): Promise<readonly unknown[]> {
  return items(parsed(await context.ask('GET', '/api/accesscontrolpolicies/byprocessingorder')));
}

/** Changes the order after another call has succeeded. */
const after = (op: string, change: (entries: readonly unknown[], id: string) => readonly unknown[]): Make =>
  at(op, async (call, next, context) => {
    const reply = await next();
    if (!succeeded(reply)) return reply;
    const entries = change(await current(context), (call.route?.params['id'] ?? '').toLowerCase());
    await context.ask(
      'POST',
      '/api/accesscontrolpolicies/setprocessingorder',
      entries.map((entry, order) => ({ ...asObject(entry), order })),
    );
    return reply;
  });

const toFront = (entries: readonly unknown[], id: string): readonly unknown[] => [
  ...entries.filter((entry) => idOf(entry) === id),
  ...entries.filter((entry) => idOf(entry) !== id),
];
const toEnd = (entries: readonly unknown[], id: string): readonly unknown[] => [
  ...entries.filter((entry) => idOf(entry) !== id),
  ...entries.filter((entry) => idOf(entry) === id),
];

const SETS: readonly Mutant[] = [
  row(
    'set-ignored',
    at({ op: SET, when: isOrder }, () => empty()),
  ),
  row(
    'set-reversed',
    reorder((entries) => entries.toReversed()),
  ),
  row(
    'set-swaps-first-two',
    reorder((entries) => swap(entries, 0, 1)),
  ),
  row(
    'set-swaps-last-two',
    reorder((entries) => swap(entries, entries.length - 2, entries.length - 1)),
  ),
  row(
    'set-last-comes-first',
    reorder((entries) => [entries.at(-1), ...entries.slice(0, -1)]),
  ),
  row(
    'set-sorted-by-id',
    reorder((entries) => [...entries].sort((a, b) => idOf(a).localeCompare(idOf(b)))),
  ),
  row('set-second-time-ignored', () => {
    let count = 0;
    return (call, next) => {
      if (!hit(call, { op: SET, when: isOrder })) return next();
      count += 1;
      return count > 1 ? empty() : next();
    };
  }),
  row('set-shows-one-late', () => {
    let held: Buffer | undefined;
    return async (call, next) => {
      if (!hit(call, { op: SET, when: isOrder })) return next();
      const before = held;
      held = call.body;
      return before === undefined ? empty() : next({ body: before });
    };
  }),
  row(
    'set-unversioned-ignored',
    at({ op: SET, form: '/api', when: isOrder }, () => empty()),
  ),
  row(
    'set-moves-first-half-only',
    at({ op: SET, when: isOrder }, async (call, next, context) => {
      const wanted = asList(call.json);
      const head = wanted.slice(0, wanted.length >> 1);
      const heads = new Set(head.map(idOf));
      const rest = (await current(context)).filter((entry) => !heads.has(idOf(entry)));
      return next(withBody([...head, ...rest].map((entry, order) => ({ ...asObject(entry), order }))));
    }),
  ),
];

const READS: readonly Mutant[] = [
  row(
    'read-reversed',
    relist(READ, (list) => list.toReversed()),
  ),
  row(
    'read-loses-last',
    relist(READ, (list) => list.slice(0, -1)),
  ),
  row(
    'read-loses-first',
    relist(READ, (list) => list.slice(1)),
  ),
  row(
    'read-repeats-first',
    relist(READ, (list) => (list.length > 0 ? [list[0], ...list] : list)),
  ),
  row(
    'read-sorted-by-name',
    relist(READ, (list) =>
      [...list].sort((a, b) => String(asObject(a)['name']).localeCompare(String(asObject(b)['name']))),
    ),
  ),
  row('read-frozen', () => {
    let first: Reply | undefined;
    return async (call, next) => {
      if (!hit(call, { op: READ, when: (c) => c.role === 'full' })) return next();
      first ??= await next();
      return first;
    };
  }),
  row('read-rotates-each-time', (context) => {
    let turn = 0;
    return relist(READ, (list) => {
      turn += 1;
      const by = list.length === 0 ? 0 : turn % list.length;
      return [...list.slice(by), ...list.slice(0, by)];
    })(context);
  }),
  row(
    'read-v1-sorted-by-id',
    relist({ op: READ, form: '/api/v1' }, (list) => [...list].sort((a, b) => idOf(a).localeCompare(idOf(b)))),
  ),
];

const [ACTIVATE, UPDATE, DELETE] = [`POST ${POLICY}/{id}/activate`, `PUT ${POLICY}/{id}`, `DELETE ${POLICY}/{id}`];

const SIDE_EFFECTS: readonly Mutant[] = [
  row('activate-moves-to-front', after(ACTIVATE, toFront), [ACTIVATE, SET, READ]),
  row('update-moves-to-end', after(UPDATE, toEnd), [UPDATE, SET, READ]),
  row(
    'delete-reverses-the-rest',
    after(DELETE, (entries) => entries.toReversed()),
    [DELETE, SET, READ],
  ),
  row('deactivate-moves-to-end', after(`POST ${POLICY}/{id}/deactivate`, toEnd), [
    `POST ${POLICY}/{id}/deactivate`,
    SET,
    READ,
  ]),
];

export const STATE_ORDER: readonly Mutant[] = [...SETS, ...READS, ...SIDE_EFFECTS];
