/** Defects of the forms, the media types and the policies, each against one sentence of api.md. */
import { is, ask, reply, query, who, ok, json, idOf, LIST, num, as } from './layers.ts';
import type { Item } from './model.ts';
import { TOKENS } from './service.ts';
import type { Answer, Layer } from './service.ts';

export const POLICY_DEFECTS: Record<string, Layer> = {
  // Section 4: the two forms, media types
  'filter-lost-in-unversioned-form': ask(LIST, (call) =>
    call.form === '/api' ? query(call, { filterActive: undefined }) : {},
  ),
  'update-unseen-in-the-other-form': (() => {
    const kept = new Map<string, Answer>();
    const layer: Layer = async (call, next) => {
      const key = call.form + call.path.toLowerCase();
      if (!is(call, 'GET /aiagent/{}')) {
        if (['PUT', 'DELETE'].includes(call.method)) kept.delete(key);
        return next(call);
      }
      const answer = (who(call) === TOKENS.full ? kept.get(key) : undefined) ?? (await next(call));
      if (ok(answer)) kept.set(key, answer);
      return answer;
    };
    return layer;
  })(),
  // Section 4 and 8: policies
  'pages-overlap-by-one': async (call, next) => {
    const [page, take] = [num(call, 'page', 0), num(call, 'take', 20)];
    if (!is(call, LIST) || page < 1 || take < 1) return next(call);
    const whole = await next({ ...call, ...query(call, { page: '0', take: '100000' }) });
    return ok(whole)
      ? { ...whole, body: (whole.body as Item[]).slice(page * take - 1, page * take - 1 + take) }
      : whole;
  },
  'search-lost-with-an-order': ask(LIST, (call) =>
    call.query.get('orderBy') && call.query.get('searchName') && !call.query.get('filterCreator')
      ? query(call, { searchName: undefined })
      : {},
  ),
  'active-or-name': async (call, next) => {
    if (!is(call, LIST) || !call.query.get('filterActive') || !call.query.get('searchName')) return next(call);
    const both = await Promise.all(
      [{ filterActive: undefined }, { searchName: undefined }].map((change) =>
        next({ ...call, ...query(call, { ...change, page: '0', take: '100000' }) }),
      ),
    );
    const seen = new Map(
      both.flatMap(({ body }) => (Array.isArray(body) ? (body as Item[]) : [])).map((item) => [item['id'], item]),
    );
    const from = num(call, 'page', 0) * num(call, 'take', 20);
    return both[0]?.status === 200 && from >= 0
      ? { status: 200, body: [...seen.values()].slice(from, from + num(call, 'take', 20)) }
      : next(call);
  },
  'descending-lost-with-filter': ask(LIST, (call) =>
    call.query.has('filterActive') ? query(call, { orderAsc: undefined }) : {},
  ),
  'descending-by-default': ask(LIST, (call) => (call.query.has('orderAsc') ? {} : query(call, { orderAsc: 'false' }))),
  'each-page-sorted-alone': async (call, next) => {
    if (!is(call, LIST) || !call.query.get('orderBy')) return next(call);
    const plain = await next({ ...call, ...query(call, { orderBy: undefined, orderAsc: undefined }) });
    if (!ok(plain)) return plain;
    const key = call.query.get('orderBy') ?? '';
    const sorted = (plain.body as Item[]).toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1));
    return { ...plain, body: call.query.get('orderAsc')?.toLowerCase() === 'false' ? sorted.toReversed() : sorted };
  },
  'order-lost-after-a-delete': reply('DELETE /accesscontrolpolicies/{}', (answer, _, service) => {
    if (ok(answer))
      for (const [at, policy] of service.policies.all().entries())
        service.policies.put(String(policy['id']), { ...policy, order: at + 1 });
  }),
  'last-of-the-order-dropped': ask('POST /accesscontrolpolicies/setprocessingorder', (call) => {
    const body = json(call);
    return Array.isArray(body) && body.length > 1
      ? { body: JSON.stringify([body.at(-2), ...body.slice(0, -2), body.at(-1)]) }
      : {};
  }),
  'deactivate-toggles': async (call, next, service) => {
    const was = service.policies.get(idOf(call))?.['isActive'];
    const answer = await next(call);
    if (is(call, 'POST /accesscontrolpolicies/{}/deactivate') && ok(answer))
      service.policies.put(idOf(call), { ...service.policies.get(idOf(call)), isActive: was !== true });
    return answer;
  },
  'put-moves-a-policy-to-the-end': reply('PUT /accesscontrolpolicies/{}', (answer, call, service) => {
    if (ok(answer)) service.policies.put(idOf(call), { ...service.policies.get(idOf(call)), order: Date.now() });
  }),
  'limited-may-search': (call, next) =>
    is(call, 'GET /accesscontrolpolicies') && call.query.has('searchName') && who(call) === TOKENS.limited
      ? next({ ...call, ...as(TOKENS.full, call) })
      : next(call),
  'nul-names-fail': (call, next) =>
    is(call, 'POST /accesscontrolpolicies') && JSON.stringify(json(call) ?? '').includes('\\u0000')
      ? { status: 500 }
      : next(call),
  'agents-are-deleted-twice': (() => {
    const deleted = new Set<string>();
    const layer: Layer = async (call, next) => {
      const answer = await next(call);
      if (!is(call, 'DELETE /aiagent/{}') || who(call) !== TOKENS.full) return answer;
      const id = call.path.slice(call.path.lastIndexOf('/')).toLowerCase();
      if (ok(answer)) deleted.add(id);
      return deleted.has(id) ? { status: 200 } : answer;
    };
    return layer;
  })(),
  'deactivate-reaches-all': reply('POST /accesscontrolpolicies/{}/deactivate', (answer, _, service) => {
    for (const policy of ok(answer) ? service.policies.all() : [])
      service.policies.put(String(policy['id']), { ...policy, isActive: false });
  }),
  'deactivate-forgets-the-rules': reply('POST /accesscontrolpolicies/{}/deactivate', (answer, call, service) => {
    if (ok(answer)) service.policies.put(idOf(call), { ...service.policies.get(idOf(call)), rules: [] });
  }),
};
