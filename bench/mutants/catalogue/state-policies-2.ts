import { area } from '../define.ts';
import {
  asObject,
  asks,
  at,
  empty,
  hit,
  idOf,
  items,
  json,
  number,
  parsed,
  relist,
  succeeded,
  withBody,
  withItems,
  withJson,
} from '../kit.ts';
import type { Call, Context, Make, Mutant } from '../types.ts';
import {
  after,
  also,
  exists,
  forgets,
  fresh,
  frozen,
  hiding,
  itself,
  mine,
  moveTo,
  orderOf,
  policiesOf,
  POLICIES,
  POLICY,
} from './parts.ts';

const row = area('state');
const {
  list: LIST,
  create: CREATE,
  read: READ,
  update: UPDATE,
  remove: DELETE,
  activate: ACTIVATE,
  deactivate: DEACTIVATE,
  set: SET,
} = POLICIES;
const MOVES = 'activate moves an inactive policy to active, deactivate an active one to inactive (section 3)';
const STORED = 'PUT takes an AccessControlPolicyModel and answers 200 (section 4)';
const GONE = 'DELETE of a policy; 404 resource does not exist (sections 4, 7)';
const REFUSED = '403: the request is rejected (section 5)';

const activeBefore = async (call: Call, context: Context): Promise<boolean> =>
  asObject(parsed(await context.ask('GET', itself(call))))['isActive'] === true;

const toggles: Make = at([ACTIVATE, DEACTIVATE], async (call, next, context) => {
  if (!(await exists(call, context))) return next();
  const active = await activeBefore(call, context);
  return active === hit(call, ACTIVATE)
    ? next({ path: `${itself(call)}/${active ? 'deactivate' : 'activate'}` })
    : next();
});

const SWITCHES: readonly Mutant[] = [
  row('activation-toggles', MOVES, [ACTIVATE, DEACTIVATE, LIST, READ], toggles),
  row(
    'fourth-switch-of-a-policy-forgotten',
    MOVES,
    [ACTIVATE, DEACTIVATE, LIST, READ],
    fresh(() => forgets([ACTIVATE, DEACTIVATE], after(3))),
  ),
  row(
    'third-activation-of-a-policy-forgotten',
    MOVES,
    [ACTIVATE, LIST, READ],
    fresh(() => forgets(ACTIVATE, after(2))),
  ),
  row(
    'update-after-activation-deactivates-second',
    MOVES,
    [UPDATE, LIST, READ],
    fresh(() => {
      const second = after(1);
      return also(UPDATE, (call, context) => (second(call) ? moveTo(context, mine(call), 'deactivate') : undefined));
    }),
  ),
  row(
    'order-deactivates-its-last',
    MOVES,
    [SET, LIST, READ],
    also(SET, async (_, context) => {
      await moveTo(context, idOf((await orderOf(context)).at(-1)), 'deactivate');
    }),
  ),
  row(
    'order-activates-its-first',
    MOVES,
    [SET, LIST, READ],
    also(SET, async (_, context) => {
      await moveTo(context, idOf((await orderOf(context))[0]), 'activate');
    }),
  ),
  row(
    'creation-deactivates-the-one-before',
    MOVES,
    [CREATE, LIST, READ],
    fresh(() => {
      let last = '';
      return also(CREATE, async (_, context, reply) => {
        if (last !== '') await moveTo(context, last, 'deactivate');
        last = String(parsed(reply));
      });
    }),
  ),
  row(
    'deletion-deactivates-the-next',
    MOVES,
    [DELETE, LIST, READ],
    at(DELETE, async (call, next, context) => {
      const all = (await orderOf(context)).map(idOf);
      const neighbour = all[all.indexOf(mine(call)) + 1];
      const reply = await next();
      if (succeeded(reply) && neighbour !== undefined) await moveTo(context, neighbour, 'deactivate');
      return reply;
    }),
  ),
  row(
    'activation-of-last-in-order-forgotten',
    MOVES,
    [ACTIVATE, LIST, READ],
    forgets(ACTIVATE, async (call, context) => idOf((await orderOf(context)).at(-1)) === mine(call)),
  ),
  row(
    'activation-reverts-soon',
    MOVES,
    [ACTIVATE, LIST, READ],
    also(ACTIVATE, (call, context) => {
      setTimeout(() => void moveTo(context, mine(call), 'deactivate').catch(() => undefined), 250);
    }),
  ),
  row(
    'active-list-frozen-per-page',
    'filterActive boolean; page zero-based (sections 3, 8)',
    [LIST, ACTIVATE, DEACTIVATE, CREATE, DELETE],
    frozen(
      (call) =>
        hit(call, LIST) && call.search.get('filterActive')?.toLowerCase() === 'false' && call.search.has('page'),
      (call) => call.query,
    ),
  ),
  row(
    'list-cached-until-creation',
    'filterActive boolean (section 3)',
    [LIST, ACTIVATE, DEACTIVATE, UPDATE, DELETE],
    frozen(
      (call) => hit(call, LIST),
      (call) => call.query,
      (call, known) => {
        if (hit(call, CREATE)) known.clear();
      },
    ),
  ),
  row(
    'list-cached-per-form',
    'both forms behave the same (section 4)',
    [LIST, ACTIVATE, DEACTIVATE, UPDATE, DELETE, CREATE],
    frozen(
      (call) => hit(call, LIST),
      (call) => `${call.route?.form} ${call.query}`,
      (call, known) => {
        if (call.method !== 'GET')
          for (const key of known.keys()) if (key.startsWith(`${call.route?.form} `)) known.delete(key);
      },
    ),
  ),
  row(
    'read-cached-per-form',
    'both forms behave the same (section 4)',
    [READ, UPDATE, DELETE, ACTIVATE, DEACTIVATE],
    frozen(
      (call) => hit(call, READ),
      (call) => `${call.route?.form} ${mine(call)}`,
      (call, known) => {
        if (call.method !== 'GET') known.delete(`${call.route?.form} ${mine(call)}`);
      },
    ),
  ),
];

/** Deletions only hide; `back` says which calls bring hidden ones back. */
const comesBack =
  (back: (call: Call, hidden: Set<string>) => void): Make =>
  () => {
    const hidden = new Set<string>();
    return async (call, next) => {
      if (hit(call, DELETE) && call.role === 'full') {
        if (hidden.has(mine(call))) return empty(404);
        const there = succeeded(await next({ method: 'GET' }));
        if (there) hidden.add(mine(call));
        return empty(there ? 200 : 404);
      }
      if (call.method !== 'GET' && hidden.has(mine(call)) && call.role === 'full') {
        back(call, hidden);
        return hidden.has(mine(call)) ? empty(404) : next();
      }
      const reply = await next();
      if (succeeded(reply) && call.method !== 'GET') back(call, hidden);
      return hiding(hidden, call, reply);
    };
  };

const LIVES: readonly Mutant[] = [
  row(
    'deleted-comes-back-on-activation-of-another',
    GONE,
    [DELETE, ACTIVATE, READ, LIST],
    comesBack((call, hidden) => {
      if (hit(call, ACTIVATE) && !hidden.has(mine(call))) hidden.clear();
    }),
  ),
  row(
    'deleted-comes-back-on-update',
    GONE,
    [DELETE, UPDATE, READ, LIST],
    comesBack((call, hidden) => {
      if (hit(call, UPDATE)) hidden.delete(mine(call));
    }),
  ),
  row(
    'deleted-comes-back-with-the-order',
    GONE,
    [DELETE, SET, READ, LIST, POLICIES.order],
    comesBack((call, hidden) => {
      if (hit(call, SET)) hidden.clear();
    }),
  ),
  row(
    'deleted-updatable',
    GONE,
    [UPDATE, DELETE],
    at({ op: UPDATE, when: (call) => call.role === 'full' }, async (_, next) => {
      const reply = await next();
      return reply.status === 404 ? empty() : reply;
    }),
  ),
  row(
    'deleted-deactivatable',
    GONE,
    [DEACTIVATE, DELETE],
    at({ op: DEACTIVATE, when: (call) => call.role === 'full' }, async (_, next) => {
      const reply = await next();
      return reply.status === 404 ? empty() : reply;
    }),
  ),
  row('deleted-deletable-again', GONE, [DELETE], () => {
    const gone = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, DELETE) || call.role !== 'full') return reply;
      if (succeeded(reply)) gone.add(mine(call));
      return gone.has(mine(call)) ? empty() : reply;
    };
  }),
  row(
    'deletion-of-active-forgotten',
    GONE,
    [DELETE, READ, LIST],
    forgets(DELETE, (call, context) => activeBefore(call, context)),
  ),
  row(
    'deletion-of-first-in-order-forgotten',
    GONE,
    [DELETE, READ, LIST, POLICIES.order],
    forgets(DELETE, async (call, context) => idOf((await orderOf(context))[0]) === mine(call)),
  ),
  row('deleted-stays-in-active-list', GONE, [DELETE, LIST], (context) => {
    const ghosts = new Map<string, unknown>();
    return async (call, next) => {
      const before =
        hit(call, DELETE) && call.role === 'full' ? parsed(await context.ask('GET', call.path)) : undefined;
      const reply = await next();
      if (asObject(before)['isActive'] === true && succeeded(reply)) ghosts.set(mine(call), before);
      if (
        !hit(call, LIST) ||
        !succeeded(reply) ||
        call.search.get('filterActive')?.toLowerCase() !== 'true' ||
        number(call, 'page', 0) > 0
      )
        return reply;
      const name = call.search.get('searchName')?.toLowerCase() ?? '';
      return withJson(
        reply,
        withItems(parsed(reply), [
          ...items(parsed(reply)),
          ...[...ghosts.values()].filter((ghost) => String(asObject(ghost)['name']).toLowerCase().includes(name)),
        ]),
      );
    };
  }),
  row(
    'created-vanishes-soon',
    '200, uuid string (new policy id) (section 4)',
    [CREATE, READ, LIST],
    fresh(() => {
      const third = after(2, () => '');
      return also(CREATE, (call, context, reply) => {
        if (third(call))
          setTimeout(
            () => void context.ask('DELETE', `/api${POLICY}/${String(parsed(reply))}`).catch(() => undefined),
            120,
          );
      });
    }),
  ),
  row(
    'list-ends-after-24',
    'page, take: items per page (section 8)',
    [LIST, CREATE],
    relist({ op: LIST, when: (call) => !call.search.has('searchName') }, (list, call) => {
      const left = 24 - number(call, 'page', 0) * number(call, 'take', 20);
      return list.slice(0, Math.max(0, left));
    }),
  ),
];

const answersForbidden = (op: string): Make =>
  at({ op, when: (call) => call.role === 'limited' }, async (call, next, context) => {
    await context.ask(call.method, call.path, call.json);
    return next();
  });

const WRITES: readonly Mutant[] = [
  row('forbidden-activation-counts', REFUSED, [ACTIVATE, LIST, READ], answersForbidden(ACTIVATE)),
  row('forbidden-update-counts', REFUSED, [UPDATE, READ], answersForbidden(UPDATE)),
  row('forbidden-deletion-counts', REFUSED, [DELETE, READ], answersForbidden(DELETE)),
  row(
    'second-update-forgotten',
    STORED,
    [UPDATE, READ],
    fresh(() => forgets(UPDATE, after(1))),
  ),
  row(
    'update-of-active-forgotten',
    STORED,
    [UPDATE, READ],
    forgets(UPDATE, (call, context) => activeBefore(call, context)),
  ),
  row(
    'update-describes-neighbour',
    STORED,
    [UPDATE, READ],
    also(UPDATE, async (call, context) => {
      const all = await policiesOf(context);
      const neighbour = all[all.findIndex((item) => idOf(item) === mine(call)) - 1];
      if (neighbour !== undefined)
        await context.ask('PUT', `/api${POLICY}/${idOf(neighbour)}`, {
          ...asObject(neighbour),
          description: asObject(call.json)['description'],
        });
    }),
  ),
  row(
    'update-reverts-soon',
    STORED,
    [UPDATE, READ],
    at(UPDATE, async (call, next, context) => {
      const before = parsed(await context.ask('GET', itself(call)));
      const reply = await next();
      if (succeeded(reply)) setTimeout(() => void context.ask('PUT', itself(call), before).catch(() => undefined), 250);
      return reply;
    }),
  ),
  row('activation-restores-the-first-body', MOVES, [ACTIVATE, UPDATE, READ], (context) => {
    const first = new Map<string, unknown>();
    return async (call, next) => {
      const reply = await next();
      if (!succeeded(reply)) return reply;
      if (hit(call, CREATE)) first.set(String(parsed(reply)).toLowerCase(), call.json);
      if (hit(call, ACTIVATE) && first.has(mine(call))) await context.ask('PUT', itself(call), first.get(mine(call)));
      return reply;
    };
  }),
  row(
    'update-without-id-makes-one',
    STORED,
    [UPDATE, LIST],
    also(UPDATE, async (call, context) => {
      if (asObject(call.json)['id'] === undefined) await context.ask('POST', `/api${POLICY}`, call.json);
    }),
  ),
  row(
    'update-through-v1-clears-description',
    STORED,
    [UPDATE, READ],
    asks({ op: UPDATE, form: '/api/v1', when: (call) => call.role === 'full' && call.json !== undefined }, (call) =>
      withBody({ ...asObject(call.json), description: null }),
    ),
  ),
  row(
    'list-answers-old-body-after-second-update',
    'GET answers the array of policies (section 4)',
    [LIST, UPDATE],
    () => {
      const first = new Map<string, unknown>();
      const many = after(1);
      const late = new Set<string>();
      return async (call, next) => {
        const reply = await next();
        if (hit(call, UPDATE) && succeeded(reply) && many(call)) late.add(mine(call));
        if (!hit(call, LIST) || !succeeded(reply)) return reply;
        return withJson(
          reply,
          withItems(
            parsed(reply),
            items(parsed(reply)).map((item) => {
              if (!late.has(idOf(item))) first.set(idOf(item), item);
              return { ...asObject(item), name: asObject(first.get(idOf(item)) ?? item)['name'] };
            }),
          ),
        );
      };
    },
  ),
  row(
    'updated-inactive-unreadable',
    '404 resource does not exist (section 7)',
    [READ, DEACTIVATE, UPDATE],
    at({ op: READ, when: (call) => call.role === 'full' }, async (_, next) => {
      const reply = await next();
      return succeeded(reply) &&
        asObject(parsed(reply))['isActive'] === false &&
        (asObject(parsed(reply))['modifiedAt'] ?? '') !== ''
        ? json({}, 404)
        : reply;
    }),
  ),
];

export const STATE_POLICIES_2: readonly Mutant[] = [...SWITCHES, ...LIVES, ...WRITES];
