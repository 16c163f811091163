import { area } from '../define.ts';
import {
  answers,
  asList,
  asObject,
  asks,
  at,
  empty,
  json,
  parsed,
  problem,
  relist,
  rewrite,
  succeeded,
  successes,
  text,
  whenStatus,
  withHeader,
  withJson,
  withQuery,
} from '../kit.ts';
import type { Make, Mutant, Reply } from '../types.ts';

const row = area('forms');
const POLICY = '/accesscontrolpolicies';
const SAME = 'Each path exists both as /api/<path> and as /api/v1/<path>; both forms behave the same (section 4)';
const [OLD, NEW] = ['/api', '/api/v1'];
const COSTLY = ['reversible', 'costly'] as const;

const gone = (op: string, form: string): Make => answers({ op, form }, () => problem(404));
const dropField = (value: unknown): unknown => Object.fromEntries(Object.entries(asObject(value)).slice(0, -1));

/** Serves each read as it was before the last write. */
function staleByOne(op: string, form: string): Make {
  return (context) => {
    const before = new Map<string, Reply>();
    return async (call, next) => {
      const params = call.route?.params ?? {};
      const key = (params['id'] ?? '').toLowerCase();
      if (call.route?.id === op.replace('GET', 'PUT') && call.role === 'full')
        before.set(key, await context.ask('GET', call.path));
      const reply = await next();
      return call.route?.id === op && call.route.form === form && succeeded(reply) ? (before.get(key) ?? reply) : reply;
    };
  };
}

/** Acknowledges without doing. */
const swallow = (op: string, form: string): Make =>
  at({ op, form }, async (call, next, context) => {
    if (call.role !== 'full') return next();
    const there = await context.ask('GET', call.path.replace(/\/(?:de)?activate$/i, ''));
    return succeeded(there) ? empty() : next();
  });

export const FORMS: readonly Mutant[] = [
  row('actions-404-unversioned', SAME, `GET ${POLICY}/actions`, gone(`GET ${POLICY}/actions`, OLD)),
  row('agent-put-404-v1', SAME, 'PUT /aiagent/{id}', gone('PUT /aiagent/{id}', NEW)),
  row('dry-run-404-unversioned', SAME, 'POST /aijob/{id}/dry-run', gone('POST /aijob/{id}/dry-run', OLD), COSTLY),
  row('audit-404-v1', SAME, 'GET /auditLog/getByObjectTypeIds', gone('GET /auditLog/getByObjectTypeIds', NEW)),
  row(
    'patch-405-unversioned',
    SAME,
    'PATCH /aijob/{id}',
    answers({ op: 'PATCH /aijob/{id}', form: OLD }, () => withHeader(empty(405), 'allow', 'GET, PUT, DELETE')),
  ),
  row(
    'create-201-v1',
    SAME,
    `POST ${POLICY}`,
    successes({ op: `POST ${POLICY}`, form: NEW }, (reply) => ({ ...reply, status: 201 })),
  ),
  row(
    'delete-204-unversioned',
    SAME,
    'DELETE /aiagent/{id}',
    successes({ op: 'DELETE /aiagent/{id}', form: OLD }, () => empty(204)),
  ),
  row(
    'skills-text-json-v1',
    SAME,
    'GET /aijobskills',
    successes({ op: 'GET /aijobskills', form: NEW }, (reply) => withHeader(reply, 'content-type', 'text/json')),
  ),
  row(
    'redirect-to-v1',
    SAME,
    'GET /aijob/summary',
    answers({ op: 'GET /aijob/summary', form: OLD }, (reply, call) =>
      succeeded(reply) ? withHeader(empty(301), 'location', `/api/v1${call.path.slice(4)}`) : reply,
    ),
  ),
  row(
    'policy-lacks-field-unversioned',
    SAME,
    `GET ${POLICY}/{id}`,
    rewrite({ op: `GET ${POLICY}/{id}`, form: OLD }, dropField),
  ),
  row('job-lacks-field-v1', SAME, 'GET /aijob/{id}', rewrite({ op: 'GET /aijob/{id}', form: NEW }, dropField)),
  row(
    'list-items-lack-field-v1',
    SAME,
    `GET ${POLICY}`,
    relist({ op: `GET ${POLICY}`, form: NEW }, (list) => list.map(dropField)),
  ),
  row(
    'skills-one-less-unversioned',
    SAME,
    'GET /aijobskills',
    relist({ op: 'GET /aijobskills', form: OLD }, (list) => list.slice(1)),
  ),
  row(
    'actions-reversed-v1',
    SAME,
    `GET ${POLICY}/actions`,
    relist({ op: `GET ${POLICY}/actions`, form: NEW }, (list) => list.toReversed()),
  ),
  row('policy-stale-by-one-unversioned', SAME, `GET ${POLICY}/{id}`, staleByOne(`GET ${POLICY}/{id}`, OLD)),
  row('agent-stale-by-one-v1', SAME, 'GET /aiagent/{id}', staleByOne('GET /aiagent/{id}', NEW)),
  row('put-no-op-unversioned', SAME, [`PUT ${POLICY}/{id}`, `GET ${POLICY}/{id}`], swallow(`PUT ${POLICY}/{id}`, OLD)),
  row('delete-no-op-v1', SAME, [`DELETE ${POLICY}/{id}`, `GET ${POLICY}/{id}`], swallow(`DELETE ${POLICY}/{id}`, NEW)),
  row(
    'activate-no-op-unversioned',
    SAME,
    [`POST ${POLICY}/{id}/activate`, `GET ${POLICY}`],
    swallow(`POST ${POLICY}/{id}/activate`, OLD),
  ),
  row(
    'take-default-differs-v1',
    SAME,
    `GET ${POLICY}`,
    asks({ op: `GET ${POLICY}`, form: NEW }, (call) =>
      call.search.has('take') ? undefined : withQuery(call, { take: 25 }),
    ),
  ),
  row(
    'page-one-based-unversioned',
    SAME,
    `GET ${POLICY}`,
    asks({ op: `GET ${POLICY}`, form: OLD, when: (call) => call.search.has('page') }, (call) =>
      withQuery(call, { page: Math.max(0, Number(call.search.get('page')) - 1) }),
    ),
  ),
  row(
    'filter-active-ignored-v1',
    SAME,
    `GET ${POLICY}`,
    asks({ op: `GET ${POLICY}`, form: NEW }, (call) => withQuery(call, { filterActive: undefined })),
  ),
  row(
    'unknown-400-unversioned',
    SAME,
    'GET /aijob/{id}',
    whenStatus({ op: 'GET /aijob/{id}', form: OLD }, 404, () => problem(400)),
  ),
  row(
    'malformed-body-500-v1',
    SAME,
    'POST /aijob',
    answers({ op: 'POST /aijob', form: NEW, when: (call) => call.role === 'full' && call.json === undefined }, () =>
      problem(500),
    ),
  ),
  row(
    'order-reversed-unversioned',
    SAME,
    `GET ${POLICY}/byprocessingorder`,
    relist({ op: `GET ${POLICY}/byprocessingorder`, form: OLD }, (list) => list.toReversed()),
  ),
  row(
    'runs-bare-array-unversioned',
    SAME,
    'GET /aijob/{id}/runs',
    rewrite({ op: 'GET /aijob/{id}/runs', form: OLD }, (value) => asList(asObject(value)['data'])),
    COSTLY,
  ),
  row(
    'text-json-refused-unversioned',
    SAME,
    `POST ${POLICY}`,
    answers(
      { op: `POST ${POLICY}`, form: OLD, when: (call) => (call.headers['content-type'] ?? '').startsWith('text/json') },
      () => problem(415),
    ),
  ),
  row(
    'created-with-other-name-v1',
    SAME,
    ['POST /aijob', 'GET /aijob/{id}'],
    asks({ op: 'POST /aijob', form: NEW, when: (call) => call.json !== undefined }, (call) => ({
      body: Buffer.from(
        JSON.stringify({ ...asObject(call.json), name: `${String(asObject(call.json)['name'])} (v1)` }),
      ),
    })),
  ),
  row(
    'numbers-as-strings-unversioned',
    SAME,
    'GET /aijob/summary',
    answers({ op: 'GET /aijob/summary', form: OLD }, (reply) =>
      succeeded(reply)
        ? {
            ...reply,
            body: Buffer.from(
              reply.body
                .toString()
                .replaceAll(/:(\d+)/g, ':"$1"')
                .replace('{}', '{"items":"0"}'),
            ),
          }
        : reply,
    ),
  ),
  row(
    'stream-order-differs-v1',
    SAME,
    'GET /aijob/{id}/chatstream',
    relist({ op: 'GET /aijob/{id}/chatstream', form: NEW }, (list) => list.toReversed()),
    COSTLY,
  ),
  row(
    'status-text-v1-of-agents',
    SAME,
    'GET /aiagent',
    successes({ op: 'GET /aiagent', form: NEW }, () => text('ok', 'text/plain')),
  ),
  row('created-in-old-form-invisible-in-new', SAME, ['POST /aijob', 'GET /aijob/{id}', 'GET /aijob'], (context) => {
    const hidden = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      if (call.route?.id === 'POST /aijob' && call.route.form === OLD && succeeded(reply))
        hidden.add(String(asObject(parsed(reply))['id']).toLowerCase());
      const id = call.route?.params['id']?.toLowerCase() ?? '';
      if (
        call.route?.id === 'GET /aijob/{id}' &&
        call.route.form === NEW &&
        succeeded(reply) &&
        context.tokens.full !== ''
      )
        return hidden.has(id) ? problem(404) : reply;
      return reply;
    };
  }),
  row(
    'preview-empty-v1',
    SAME,
    'POST /aijob/{id}/preview',
    answers({ op: 'POST /aijob/{id}/preview', form: NEW }, (reply) =>
      succeeded(reply) ? withJson(json({}), {}) : reply,
    ),
    COSTLY,
  ),
];
