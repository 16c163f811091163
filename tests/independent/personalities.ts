/** Ways in which a healthy deployment may differ: what api.md leaves open, and what platform.md's list of false alarms allows. */
import { answers, bodies, json, wait } from './layers.ts';
import { isItem } from './model.ts';
import type { Item } from './model.ts';
import { CHOICES } from './personalities-choices.ts';
import type { Answer, Call, Layer, Options } from './service.ts';

export interface Personality {
  layers?: Layer[];
  options?: Partial<Options>;
  /** A path in front of `/api`. */
  base?: string;
}

const isList = (call: Call): boolean => call.method === 'GET' && call.path === '/accesscontrolpolicies';
const every = (count: number, answer: Answer): Layer => {
  let seen = 0;
  return (call, next) => (++seen % count === 0 ? answer : next(call));
};
/** Changes the name in a body before it is stored. */
const names =
  (change: (name: string) => string): Layer =>
  (call, next) => {
    const body = json(call);
    if (!isItem(body) || typeof body['name'] !== 'string') return next(call);
    return next({ ...call, body: JSON.stringify({ ...body, name: change(body['name']) }) });
  };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const upper = (value: unknown): unknown =>
  typeof value === 'string' && UUID.test(value) ? value.toUpperCase() : value;
const refuse =
  (status: number, when: (call: Call) => boolean): Layer =>
  (call, next) =>
    when(call) ? { status } : next(call);

export const PERSONALITIES: Record<string, Personality> = {
  ...CHOICES,
  'upper-case-ids': {
    layers: [
      bodies((item) => Object.fromEntries(Object.entries(item).map(([key, value]) => [key, upper(value)]))),
      answers((answer) => ({ ...answer, body: upper(answer.body) })),
    ],
  },
  'policy-list-in-a-wrapper': {
    layers: [
      answers((answer, call) =>
        isList(call) && answer.status === 200 && Array.isArray(answer.body)
          ? { status: 200, body: { total: 1_000_000, page: Number(call.query.get('page') ?? 0), data: answer.body } }
          : answer,
      ),
    ],
  },
  'null-members-left-out': {
    layers: [bodies((item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)))],
  },
  'extra-members': { layers: [bodies((item) => ({ '@etag': 'W/"1"', links: [], ...item, tenant: null }))] },
  'lists-lag': { options: { lag: (_, view) => (view === 'list' ? 450 : 0) } },
  'everything-lags': { options: { lag: () => 350 } },
  'policies-through-an-approval-pipeline': { options: { lag: (what) => (what === 'policies' ? 700 : 0) } },
  throttles: { layers: [every(37, { status: 429, headers: { 'retry-after': '1' } })] },
  'unavailable-now-and-then': { layers: [every(53, { status: 503, headers: { 'retry-after': '1' } })] },
  'active-policies-are-not-deleted': {
    layers: [
      (call, next, service) => {
        const id = /^\/accesscontrolpolicies\/([^/]+)$/i.exec(call.path)?.[1] ?? '';
        return call.method === 'DELETE' &&
          /full/.test(call.headers['authorization'] ?? '') &&
          service.policies.get(id)?.['isActive'] === true
          ? { status: 409 }
          : next(call);
      },
    ],
  },
  'newest-first': {
    layers: [
      async (call, next) => {
        const ordered = isList(call) && !call.query.get('orderBy') && call.query.get('orderAsc') === null;
        const paged =
          /\/(runs|results\/[^/]+|chats|results)$/.test(call.path) && call.query.get('sortDirection') === null;
        const query = new URLSearchParams(call.query);
        if (ordered) query.set('orderAsc', 'false');
        if (paged) query.set('sortDirection', '1');
        return next({ ...call, query });
      },
    ],
  },
  'connection-closes': {
    layers: [answers((answer) => ({ ...answer, headers: { ...answer.headers, connection: 'close' } }))],
  },
  'text-errors': {
    layers: [
      answers((answer) =>
        answer.status < 400
          ? answer
          : {
              status: answer.status,
              body: `Error ${answer.status}`,
              headers: { ...answer.headers, 'content-type': 'text/plain' },
            },
      ),
    ],
  },
  'empty-errors': { layers: [answers((answer) => (answer.status < 400 ? answer : { ...answer, body: undefined }))] },
  'head-and-options': {
    layers: [
      async (call, next) => {
        if (call.method === 'OPTIONS') return { status: 204, headers: { allow: 'GET,POST,PUT,PATCH,DELETE' } };
        return call.method === 'HEAD' ? { ...(await next({ ...call, method: 'GET' })), body: undefined } : next(call);
      },
    ],
  },
  'runs-take-for-ever': { options: { runMs: 100_000_000 } },
  'runs-end-at-once': { options: { runMs: 1 } },
  'results-are-approved-at-once': { options: { firstState: 'Approved' } },
  'approvals-take-a-while': { options: { approvalMs: 600 } },
  'names-are-trimmed': { layers: [names((name) => name.trim())] },
  'names-are-normalised': { layers: [names((name) => name.normalize('NFC'))] },
  'no-body-is-204': {
    layers: [
      answers((answer) => (answer.status === 200 && answer.body === undefined ? { ...answer, status: 204 } : answer)),
    ],
  },
  'created-is-201': {
    layers: [
      answers((answer, call) =>
        answer.status === 200 && call.method === 'POST' && /^\/(accesscontrolpolicies|aiagent|aijob)$/.test(call.path)
          ? { ...answer, status: 201 }
          : answer,
      ),
    ],
  },
  'new-policies-are-active': { options: { activeAtFirst: true } },
  'order-lists-active-policies-only': {
    layers: [
      async (call, next, service) => {
        const answer = await next(call);
        if (answer.status !== 200 || !call.path.endsWith('/byprocessingorder')) return answer;
        return {
          ...answer,
          body: (answer.body as Item[]).filter(({ id }) => service.policies.get(String(id))?.['isActive'] === true),
        };
      },
    ],
  },
  'agents-in-use-are-409': {
    layers: [
      answers((answer, call) =>
        call.method === 'DELETE' && call.path.startsWith('/aiagent/') && answer.status === 400
          ? { status: 409 }
          : answer,
      ),
    ],
  },
  'malformed-ids-are-400': {
    layers: [
      answers((answer, call) =>
        answer.status === 404 && /^\/(accesscontrolpolicies|aiagent|aijob)\/(?![0-9a-f]{8}-)[^/]+/i.test(call.path)
          ? { status: 400 }
          : answer,
      ),
    ],
  },
  'pages-hold-at-most-50': {
    layers: [
      (call, next) => {
        const query = new URLSearchParams(call.query);
        for (const size of ['take', 'pageSize']) if (Number(query.get(size)) > 50) query.set(size, '50');
        return next({ ...call, query });
      },
    ],
  },
  'unknown-parents-have-empty-pages': {
    layers: [
      answers((answer, call) =>
        answer.status === 404 &&
        call.method === 'GET' &&
        /^\/aijob\/[0-9a-f-]{36}\/(runs|results\/[^/]+|runs\/[0-9a-f-]{36}\/(chats|results))$/i.test(call.path)
          ? {
              status: 200,
              body: {
                totalCount: 0,
                pageSize: Number(call.query.get('pageSize') || 10),
                currentPage: Number(call.query.get('pageNumber') || 1),
                data: [],
                totalPages: 0,
              },
            }
          : answer,
      ),
    ],
  },
  'dates-in-another-offset': {
    layers: [
      bodies((item) =>
        Object.fromEntries(
          Object.entries(item).map(([key, value]) => [
            key,
            key.endsWith('At') && typeof value === 'string'
              ? value.replace(/\.\d+Z$/, (part) => `${part.slice(0, -1)}0000+00:00`)
              : value,
          ]),
        ),
      ),
    ],
  },
  'only-enabled-jobs-run': {
    layers: [
      (call, next, service) => {
        const id = /^\/aijob\/([^/]+)\/execution-queue$/i.exec(call.path)?.[1] ?? '';
        const job = service.jobs.get(id);
        return job && /full/.test(call.headers['authorization'] ?? '') && job['enabled'] !== true
          ? { status: 409 }
          : next(call);
      },
    ],
  },
  'clues-of-others-are-refused': {
    layers: [
      refuse(
        400,
        (call) =>
          call.path === '/clue' &&
          /full|limited/.test(call.headers['authorization'] ?? '') &&
          call.body.includes('organization'),
      ),
    ],
  },
  'agents-are-returned-when-made': {
    layers: [
      async (call, next, service) => {
        const answer = await next(call);
        return answer.status === 200 && call.path === '/aiagent' && call.method === 'POST'
          ? { ...answer, body: service.agents.all().at(-1) }
          : answer;
      },
    ],
  },
  'behind-a-gateway-path': { base: '/tenant-7/dms' },
  'logs-nothing': { layers: [(call, next, service) => ((service.log = []), next(call))] },
  'audit-log-in-a-wrapper': {
    layers: [
      answers((answer, call) =>
        call.path.startsWith('/auditLog') && answer.status === 200
          ? { ...answer, body: { total: 7, data: answer.body } }
          : answer,
      ),
    ],
  },
  'unknown-orderBy-is-400': {
    layers: [
      answers((answer, call) =>
        answer.status === 200 &&
        isList(call) &&
        !/^(name|createdAt|order|isActive|)$/i.test(call.query.get('orderBy') ?? '')
          ? { status: 400 }
          : answer,
      ),
    ],
  },
  'slow-answers': { layers: [async (call, next) => (await wait(60), next(call))] },
  'runs-are-numbered-otherwise': {
    // 0 normal, 1 test run, 2 all: what the numbers of RunTypeFilter mean is not shown.
    layers: [
      (call, next) => {
        const query = new URLSearchParams(call.query);
        const other: Record<string, string> = { '0': '1', '1': '2', '2': '0' };
        if (query.has('runType')) query.set('runType', other[query.get('runType') ?? ''] ?? query.get('runType') ?? '');
        return next({ ...call, query });
      },
    ],
  },
  'strong-caching-headers': {
    layers: [
      answers((answer) => ({
        ...answer,
        headers: {
          ...answer.headers,
          etag: '"same"',
          'cache-control': 'no-store',
          vary: 'Accept',
          'x-request-id': '1',
          'set-cookie': 'gateway=1; Path=/',
        },
      })),
    ],
  },
};
