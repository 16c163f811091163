import { area } from '../define.ts';
import {
  answers,
  asObject,
  asks,
  at,
  empty,
  hit,
  idOf,
  items,
  number,
  parsed,
  relist,
  rewrite,
  succeeded,
  withBody,
  withItems,
  withJson,
} from '../kit.ts';
import type { Call, Context, Make, Mutant, Next, Reply } from '../types.ts';

const row = area('state');
const POLICY = '/accesscontrolpolicies';
const [LIST, CREATE, READ] = [`GET ${POLICY}`, `POST ${POLICY}`, `GET ${POLICY}/{id}`];
const [UPDATE, DELETE] = [`PUT ${POLICY}/{id}`, `DELETE ${POLICY}/{id}`];
const [ACTIVATE, DEACTIVATE] = [`POST ${POLICY}/{id}/activate`, `POST ${POLICY}/{id}/deactivate`];
const MOVES = 'activate moves an inactive policy to active, deactivate an active one to inactive (section 3)';
const STORED = 'PUT takes an AccessControlPolicyModel and answers 200 (section 4)';
const GONE = 'DELETE of a policy; 404 resource does not exist (sections 4, 7)';

const mine = (call: Call): string => (call.route?.params['id'] ?? '').toLowerCase();
const itself = (call: Call): string => call.path.replace(/\/(?:de)?activate\/?$/i, '');
const exists = async (call: Call, context: Context): Promise<boolean> =>
  call.role === 'full' && succeeded(await context.ask('GET', itself(call)));

/** Acknowledges what would have worked without doing it. */
const noOp = (op: string): Make =>
  at(op, async (call, next, context) => ((await exists(call, context)) ? empty() : next()));

/** Does something more after a success. */
const also = (op: string, more: (call: Call, context: Context, next: Next) => Promise<unknown>): Make =>
  at(op, async (call, next, context) => {
    const reply = await next();
    if (succeeded(reply)) await more(call, context, next);
    return reply;
  });

async function otherPolicies(call: Call, context: Context): Promise<readonly string[]> {
  const all = items(parsed(await context.ask('GET', '/api/accesscontrolpolicies?take=1000&orderBy=createdAt')));
  return all.map(idOf).filter((id) => id !== mine(call) && id !== '');
}

const SWITCHES: readonly Mutant[] = [
  row('activate-no-op', MOVES, [ACTIVATE, LIST], noOp(ACTIVATE)),
  row('deactivate-no-op', MOVES, [DEACTIVATE, LIST], noOp(DEACTIVATE)),
  row(
    'activate-deactivates',
    MOVES,
    [ACTIVATE, LIST],
    asks(ACTIVATE, (call) => ({ path: call.path.replace(/activate/i, 'deactivate') })),
  ),
  row(
    'activate-moves-another',
    MOVES,
    [ACTIVATE, LIST],
    at(ACTIVATE, async (call, next, context) => {
      const other = (await exists(call, context)) ? (await otherPolicies(call, context)).at(-1) : undefined;
      return other === undefined ? next() : next({ path: `/api/accesscontrolpolicies/${other}/activate` });
    }),
  ),
  row(
    'activate-deactivates-others',
    MOVES,
    [ACTIVATE, LIST],
    also(ACTIVATE, async (call, context) => {
      for (const other of (await otherPolicies(call, context)).slice(-8))
        await context.ask('POST', `/api/accesscontrolpolicies/${other}/deactivate`);
    }),
  ),
  row(
    'deactivate-deletes',
    MOVES,
    [DEACTIVATE, READ, LIST],
    also(DEACTIVATE, (call, context) => context.ask('DELETE', itself(call))),
  ),
  row('activate-each-second-time', MOVES, [ACTIVATE, LIST], () => {
    let count = 0;
    return async (call, next) => {
      if (!hit(call, ACTIVATE) || call.role !== 'full') return next();
      count += 1;
      return count % 2 === 0 ? empty() : next();
    };
  }),
  row('deactivated-stays-in-active-list', 'filterActive boolean (section 3)', [LIST, DEACTIVATE], (context) => {
    const before = new Map<string, unknown>();
    return async (call, next) => {
      if (hit(call, DEACTIVATE) && call.role === 'full')
        before.set(mine(call), parsed(await context.ask('GET', itself(call))));
      if (hit(call, ACTIVATE) || hit(call, DELETE)) before.delete(mine(call));
      const reply = await next();
      if (!hit(call, LIST) || !succeeded(reply) || call.search.get('filterActive')?.toLowerCase() !== 'true')
        return reply;
      const value = parsed(reply);
      const shown = new Set(items(value).map(idOf));
      const stale = [...before]
        .filter(([id, policy]) => !shown.has(id) && idOf(policy) !== '')
        .map(([, policy]) => policy);
      return withJson(reply, withItems(value, [...items(value), ...stale].slice(0, number(call, 'take', 20))));
    };
  }),
  row('active-list-frozen', 'filterActive boolean (section 3)', [LIST, ACTIVATE, DEACTIVATE], () => {
    const first = new Map<string, Reply>();
    return async (call, next) => {
      if (!hit(call, { op: LIST, when: (c) => c.role === 'full' && c.search.has('filterActive') })) return next();
      const known = first.get(call.query);
      if (known) return known;
      const reply = await next();
      first.set(call.query, reply);
      return reply;
    };
  }),
  row(
    'update-deactivates',
    MOVES,
    [UPDATE, LIST, READ],
    also(UPDATE, (call, context) => context.ask('POST', `${itself(call)}/deactivate`)),
  ),
];

/** Keeps showing what was deleted. */
const haunted =
  (op: string, path: (call: Call) => string, make: (id: string, policy: unknown) => unknown): Make =>
  (context) => {
    const ghosts = new Map<string, unknown>();
    return async (call, next) => {
      if (hit(call, DELETE) && call.role === 'full') {
        const before = parsed(await context.ask('GET', path(call)));
        const reply = await next();
        if (succeeded(reply) && before !== undefined) ghosts.set(mine(call), make(mine(call), before));
        return reply;
      }
      const reply = await next();
      if (!hit(call, op)) return reply;
      if (op === READ)
        return reply.status === 404 && ghosts.has(mine(call))
          ? withJson({ ...reply, status: 200, headers: { 'content-type': 'application/json' } }, ghosts.get(mine(call)))
          : reply;
      if (
        !succeeded(reply) ||
        [...call.search.keys()].some((name) => /^(?:filter|search)/i.test(name)) ||
        number(call, 'page', 0) > 0
      )
        return reply;
      return withJson(reply, withItems(parsed(reply), [...ghosts.values(), ...items(parsed(reply))]));
    };
  };

const LIVES: readonly Mutant[] = [
  row('delete-no-op', GONE, [DELETE, READ, LIST], noOp(DELETE)),
  row(
    'deleted-still-readable',
    GONE,
    [DELETE, READ],
    haunted(READ, itself, (_, policy) => policy),
  ),
  row(
    'deleted-still-listed',
    GONE,
    [DELETE, LIST],
    haunted(LIST, itself, (_, policy) => policy),
  ),
  row(
    'deleted-still-in-order',
    GONE,
    [DELETE, `GET ${POLICY}/byprocessingorder`],
    haunted(`GET ${POLICY}/byprocessingorder`, itself, (id, policy) => ({
      id,
      name: asObject(policy)['name'],
      order: 0,
    })),
  ),
  row(
    'deleted-still-activatable',
    GONE,
    [ACTIVATE, DELETE],
    answers({ op: ACTIVATE, when: (call) => call.role === 'full' }, (reply) =>
      reply.status === 404 ? empty() : reply,
    ),
  ),
  row(
    'delete-takes-another-along',
    GONE,
    [DELETE, READ, LIST],
    also(DELETE, async (call, context) => {
      const other = (await otherPolicies(call, context)).at(-1);
      if (other !== undefined) await context.ask('DELETE', `/api/accesscontrolpolicies/${other}`);
    }),
  ),
  row(
    'delete-deactivates-only',
    GONE,
    [DELETE, READ, LIST],
    at(DELETE, async (call, next, context) =>
      (await exists(call, context)) ? context.ask('POST', `${itself(call)}/deactivate`) : next(),
    ),
  ),
  row(
    'create-twice',
    '200, uuid string (new policy id) (section 4)',
    [CREATE, LIST],
    also(CREATE, (_, __, next) => next()),
  ),
  row('created-not-listed', 'GET answers the array of policies (section 4)', [CREATE, LIST], () => {
    const hidden = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      if (hit(call, CREATE) && succeeded(reply) && hidden.size % 2 === 0)
        hidden.add(String(parsed(reply)).toLowerCase());
      return hit(call, LIST) && succeeded(reply)
        ? withJson(
            reply,
            withItems(
              parsed(reply),
              items(parsed(reply)).filter((item) => !hidden.has(idOf(item))),
            ),
          )
        : reply;
    };
  }),
  row('each-fifth-created-lost', '200, uuid string (new policy id) (section 4)', [CREATE, READ, LIST], (context) => {
    let count = 0;
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, CREATE) || !succeeded(reply)) return reply;
      count += 1;
      if (count % 5 === 0) await context.ask('DELETE', `/api/accesscontrolpolicies/${String(parsed(reply))}`);
      return reply;
    };
  }),
];

const without = (name: string) => (call: Call) =>
  name in asObject(call.json) ? withBody({ ...asObject(call.json), [name]: undefined }) : undefined;

const UPDATES: readonly Mutant[] = [
  row('update-no-op', STORED, [UPDATE, READ], noOp(UPDATE)),
  row('update-loses-description', STORED, [UPDATE, READ], asks(UPDATE, without('description'))),
  row('update-loses-rules', STORED, [UPDATE, READ], asks(UPDATE, without('rules'))),
  row(
    'update-keeps-name',
    STORED,
    [UPDATE, READ],
    at(UPDATE, async (call, next, context) => {
      const before = asObject(parsed(await context.ask('GET', itself(call))));
      return call.json === undefined || before['name'] === undefined
        ? next()
        : next(withBody({ ...asObject(call.json), name: before['name'] }));
    }),
  ),
  row(
    'update-makes-a-copy',
    STORED,
    [UPDATE, READ, LIST],
    at(UPDATE, async (call, next, context) => {
      if (!(await exists(call, context)) || call.json === undefined) return next();
      const made = await context.ask('POST', '/api/accesscontrolpolicies', call.json);
      return succeeded(made) ? empty() : made;
    }),
  ),
  row(
    'create-loses-description',
    'POST takes an AccessControlPolicyModel (section 4)',
    [CREATE, READ],
    asks(CREATE, without('description')),
  ),
  row(
    'create-loses-condition',
    'POST takes an AccessControlPolicyModel (section 4)',
    [CREATE, READ],
    asks(CREATE, without('condition')),
  ),
  row(
    'create-loses-rules',
    'POST takes an AccessControlPolicyModel (section 4)',
    [CREATE, READ],
    asks(CREATE, without('rules')),
  ),
  row('read-frozen', 'GET answers the policy (section 4)', [READ, UPDATE], () => {
    const first = new Map<string, Reply>();
    return async (call, next) => {
      if (hit(call, DELETE)) first.delete(mine(call));
      if (!hit(call, { op: READ, when: (c) => c.role === 'full' })) return next();
      const known = first.get(mine(call));
      if (known) return known;
      const reply = await next();
      if (succeeded(reply)) first.set(mine(call), reply);
      return reply;
    };
  }),
  row('list-shows-old-names', 'GET answers the array of policies (section 4)', [LIST, UPDATE], () => {
    const names = new Map<string, unknown>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, LIST) || !succeeded(reply)) return reply;
      return withJson(
        reply,
        withItems(
          parsed(reply),
          items(parsed(reply)).map((item) => {
            const id = idOf(item);
            if (!names.has(id)) names.set(id, asObject(item)['name']);
            return { ...asObject(item), name: names.get(id) };
          }),
        ),
      );
    };
  }),
  row(
    'list-name-differs-from-read',
    'GET answers the array of policies (section 4)',
    [LIST, READ],
    relist(LIST, (list) => list.map((item) => ({ ...asObject(item), name: `${String(asObject(item)['name'])}.` }))),
  ),
  row(
    'read-shows-active-wrongly',
    MOVES,
    [READ, LIST, ACTIVATE],
    rewrite(READ, (value) => ({ ...asObject(value), isActive: false })),
  ),
  row(
    'update-body-answered-201-and-lost',
    STORED,
    [UPDATE, READ],
    at(UPDATE, async (call, next, context) => ((await exists(call, context)) ? empty(201) : next())),
  ),
];

export const STATE_POLICIES: readonly Mutant[] = [...SWITCHES, ...LIVES, ...UPDATES];
