/** Defects, each against one sentence of api.md. */
import {
  LIST,
  is,
  ask,
  reply,
  query,
  as,
  who,
  ok,
  json,
  members,
  without,
  idOf,
  wait,
  num,
  filters,
  cached,
} from './layers.ts';
import { isItem, patch } from './model.ts';
import type { Item } from './model.ts';
import { TOKENS } from './service.ts';
import type { Answer, Layer } from './service.ts';

const jobsListed = (change: (job: Item) => Item): Layer =>
  reply('GET /aijob', (answer) => (ok(answer) ? { ...answer, body: (answer.body as Item[]).map(change) } : answer));

export const DEFECTS: Record<string, Layer> = {
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
  // Section 4: agents
  'two-metadata-filters-are-or': async (call, next) => {
    const wanted = filters(call);
    if (!is(call, 'GET /aiagent') || wanted.length < 2) return next(call);
    const parts = await Promise.all(wanted.map((pair) => next({ ...call, query: new URLSearchParams([pair]) })));
    const all = parts.flatMap(({ body }) => (Array.isArray(body) ? (body as Item[]) : []));
    return parts.every(ok)
      ? { status: 200, body: [...new Map(all.map((item) => [item['id'], item])).values()] }
      : parts[0]!;
  },
  'refused-agents-are-created': async (call, next) => {
    const answer = await next(call);
    if (is(call, 'POST /aiagent') && answer.status === 403) await next({ ...call, ...as(TOKENS.full, call) });
    return answer;
  },
  'refused-agent-deletions-delete': async (call, next, service) => {
    const answer = await next(call);
    if (is(call, 'DELETE /aiagent/{}') && answer.status === 400) service.agents.put(idOf(call), undefined);
    return answer;
  },
  'refused-runs-are-queued': async (call, next) => {
    const answer = await next(call);
    if (is(call, 'POST /aijob/{}/execution-queue') && answer.status === 403)
      await next({ ...call, ...as(TOKENS.full, call) });
    return answer;
  },
  'metadata-filter-crashes-on-brackets': (call, next) =>
    is(call, 'GET /aiagent') && who(call) === TOKENS.full && filters(call).some(([, value]) => /[[\]&=%+]/.test(value))
      ? { status: 500 }
      : next(call),
  'instructions-lost-in-one-form': ask('POST /aiagent', (call) =>
    call.form === '/api' ? members(call, (body) => without(body, 'instructions')) : {},
  ),
  'capital-ids-in-one-form-only': (call, next) =>
    is(call, 'GET /aiagent/{}') && call.form === '/api/v1' && /[A-F]/.test(call.path) ? { status: 404 } : next(call),
  'charset-refused': (call, next) =>
    is(call, 'PUT /aiagent/{}') && /charset/i.test(call.headers['content-type'] ?? '') ? { status: 415 } : next(call),
  'agents-with-two-keys-created-twice': async (call, next) => {
    const body = json(call);
    const isTwice = is(call, 'POST /aiagent') && isItem(body) && Object.keys(body['metadata'] ?? {}).length > 1;
    if (isTwice) await next(call);
    return next(call);
  },
  'jobs-listed-as-disabled': jobsListed((job) => ({ ...job, enabled: false })),
  'jobs-listed-in-capitals': jobsListed((job) => ({ ...job, name: String(job['name']).toUpperCase() })),
  'text-json-as-latin-1': ask('PUT /aiagent/{}', (call) =>
    call.headers['content-type'] === 'text/json' ? { body: Buffer.from(call.body).toString('latin1') } : {},
  ),
  'plain-text-said-to-be-gzip': reply('GET /aijobskills', (answer, call) =>
    call.headers['accept-encoding'] === undefined ? answer : { ...answer, headers: { 'content-encoding': 'gzip' } },
  ),
  'agent-list-ends-at-60': reply('GET /aiagent', (answer) =>
    ok(answer) ? { ...answer, body: (answer.body as Item[]).slice(0, 60) } : answer,
  ),
  'put-loses-metadata': ask('PUT /aiagent/{}', (call) => members(call, (body) => without(body, 'metadata'))),
  'put-stores-half-of-what-it-refuses': async (call, next, service) => {
    const answer = await next(call);
    const [body, agent] = [json(call), service.agents.get(idOf(call))];
    if (is(call, 'PUT /aiagent/{}') && answer.status === 400 && isItem(body) && agent)
      service.agents.put(idOf(call), { ...agent, description: body['description'] });
    return answer;
  },
  'post-validates-put-does-not': reply('PUT /aiagent/{}', (answer, call, service) =>
    answer.status === 400 && json(call) === undefined && service.agents.get(idOf(call)) ? { status: 200 } : answer,
  ),
  'update-and-delete-revive': async (call, next, service) => {
    if (!is(call, 'PUT /aiagent/{}')) return next(call);
    const answer = await next(call);
    const after = service.agents.get(idOf(call));
    await wait(15);
    if (ok(answer) && after) service.agents.put(idOf(call), after);
    return answer;
  },
  // Section 4: jobs
  'half-a-patch-stays': async (call, next, service) => {
    const before = service.jobs.get(idOf(call));
    const answer = await next(call);
    const body = json(call);
    if (!is(call, 'PATCH /aijob/{}') || answer.status !== 400 || !before || !Array.isArray(body) || body.length < 2)
      return answer;
    try {
      service.jobs.put(idOf(call), patch(before, body.slice(0, 1)));
    } catch {
      /* the first operation does not apply either */
    }
    return answer;
  },
  'patch-test-ignored': ask('PATCH /aijob/{}', (call) => {
    const body = json(call);
    return Array.isArray(body)
      ? { body: JSON.stringify(body.filter((each) => !isItem(each) || each['op'] !== 'test')) }
      : {};
  }),
  'patch-ends-the-schedule': async (call, next, service) => {
    const answer = await next(call);
    if (is(call, 'PATCH /aijob/{}') && ok(answer))
      service.jobs.put(idOf(call), { ...service.jobs.get(idOf(call)), enableCronSchedule: false });
    return answer;
  },
  'job-list-cached-over-updates': cached('GET /aijob', (call) => is(call, 'POST /aijob', 'DELETE /aijob/{}')),
  'run-results-page-from-zero': ask('GET /aijob/{}/runs/{}/results', (call) =>
    query(call, { pageNumber: String(num(call, 'pageNumber', 1) + 1) }),
  ),
  'total-is-of-the-page': reply('GET /aijob/{}/runs', (answer) => {
    if (!ok(answer) || !isItem(answer.body)) return answer;
    return { ...answer, body: { ...answer.body, totalCount: (answer.body['data'] as unknown[]).length } };
  }),
  'limited-may-update': ask('PUT /aiagent/{}', (call) => (who(call) === TOKENS.limited ? as(TOKENS.full, call) : {})),
  // The rest
  'audit-take-ignored': ask('GET /auditLog/{}/{}', (call) => query(call, { take: '100000', page: undefined })),
  'audit-of-the-neighbour': ask('GET /auditLog/getByObjectTypeIds', (call) => ({
    query: new URLSearchParams([...call.query].filter(([key]) => key !== 'objectIds')),
  })),
  'malformed-clue-accepted': reply('POST /clue', (answer, call) =>
    answer.status === 400 && json(call) === undefined && call.body.trim() !== '' ? { status: 200 } : answer,
  ),
  'suggest-v3-missing': (call, next) => (call.path === '/v3/search/suggest' ? { status: 404 } : next(call)),
  'capitals-need-no-token': (call, next) =>
    next(/^\/[A-Z]{2}/.test(call.path) && who(call) === '' ? { ...call, ...as(TOKENS.full, call) } : call),
  'jobs-read-as-agents': async (call, next, service) => {
    const answer = await next(call);
    const job = is(call, 'GET /aiagent/{}') && answer.status === 404 ? service.jobs.get(idOf(call)) : undefined;
    return job === undefined ? answer : { status: 200, body: job };
  },
  'job-list-ends-at-100': reply('GET /aijob', (answer) =>
    ok(answer) ? { ...answer, body: (answer.body as Item[]).slice(0, 100) } : answer,
  ),
  'jobs-without-metadata-match': reply('GET /aijob', (answer, call, service) => {
    const bare = service.jobs.all().filter((each) => !isItem(each['metadata']));
    return ok(answer) && filters(call).length > 0 ? { ...answer, body: [...(answer.body as Item[]), ...bare] } : answer;
  }),
};
