import { area } from '../define.ts';
import { answers, asFull, at, empty, hit, idsFit, json, problem, text, withHeader } from '../kit.ts';
import type { Place, Where } from '../kit.ts';
import { OPERATION_IDS } from '../routes.ts';
import type { Call, Make, Mutant, Reply, Role } from '../types.ts';

const row = area('auth');
const POLICY = '/accesscontrolpolicies';
const MISSING = 'When the token is missing, invalid or expired, the response is 401 (section 5)';
const LACKING = 'When the token lacks the required permission, the request is rejected with 403 (section 5)';
const ANY = 'An endpoint whose summary says only "Auth" needs any valid token (section 5)';
const IRREVERSIBLE = ['irreversible'] as const;
const COSTLY = ['reversible', 'costly'] as const;

const roles = (place: Where, ...wanted: readonly Role[]): Where => ({
  ...place,
  when: (call) => wanted.includes(call.role) && (place.when?.(call) ?? true),
});
const where = (op: string | readonly string[], form?: string): Where => (form === undefined ? { op } : { op, form });

/** Serves the request as if the token were the full one. */
const accepts = (place: Where, ...wanted: readonly Role[]): Make =>
  at(roles(place, ...wanted), (call, next, context) => next(asFull(call, context)));

/** Answers a refusal with another status. */
const refusesWith = (place: Place, status: number, reply: Reply | ((call: Call) => Reply)): Make =>
  answers(place, (answer, call) =>
    answer.status === status ? (typeof reply === 'function' ? reply(call) : reply) : answer,
  );

/** Refuses rightly, but does what was asked all the same. */
const refusedYetDone = (place: Where, ...wanted: readonly Role[]): Make =>
  at(roles(place, ...wanted), async (call, next, context) => {
    const reply = await next();
    if (reply.status === 401 || reply.status === 403) await next(asFull(call, context));
    return reply;
  });

function accepted(name: string, op: string, form: string | undefined, role: Role, needs?: Mutant['needs']): Mutant {
  return row(name, role === 'limited' ? LACKING : MISSING, op, accepts(where(op, form), role), needs);
}

const ACCEPTED: readonly Mutant[] = [
  accepted('no-token-creates-policy', `POST ${POLICY}`, undefined, 'none'),
  accepted('no-token-deletes-policy-unversioned', `DELETE ${POLICY}/{id}`, '/api', 'none'),
  accepted('no-token-sets-order-unversioned', `POST ${POLICY}/setprocessingorder`, '/api', 'none', [
    'reversible',
    'global',
  ]),
  accepted('no-token-reads-order-v1', `GET ${POLICY}/byprocessingorder`, '/api/v1', 'none'),
  accepted('no-token-reads-summary', 'GET /aijob/summary', undefined, 'none'),
  accepted('no-token-reads-skills', 'GET /aijobskills', undefined, 'none'),
  accepted('no-token-reads-actions', `GET ${POLICY}/actions`, '/api/v1', 'none'),
  accepted('no-token-reads-audit', 'GET /auditLog/getByObjectTypeIds', undefined, 'none'),
  accepted('no-token-reads-keys', 'GET /vocabs/keys', undefined, 'none'),
  accepted('no-token-posts-clue', 'POST /clue', undefined, 'none', IRREVERSIBLE),
  accepted('no-token-posts-raw', 'POST /admin/entity/ProcessClue', undefined, 'none', IRREVERSIBLE),
  accepted('no-token-suggests-v2', 'GET /search/suggest', '/api/v2', 'none'),
  accepted('no-token-patches-job-v1', 'PATCH /aijob/{id}', '/api/v1', 'none'),
  accepted('invalid-token-lists-jobs', 'GET /aijob', undefined, 'invalid'),
  accepted('invalid-token-updates-agent', 'PUT /aiagent/{id}', '/api/v1', 'invalid'),
  accepted('invalid-token-posts-clue', 'POST /clue', undefined, 'invalid', IRREVERSIBLE),
  accepted('invalid-token-reads-chats', 'GET /aijob/{jobId}/runs/{runId}/chats', undefined, 'invalid', COSTLY),
  accepted('expired-token-lists-policies', `GET ${POLICY}`, undefined, 'expired'),
  accepted('expired-token-activates-unversioned', `POST ${POLICY}/{id}/activate`, '/api', 'expired'),
  accepted('expired-token-queues-run', 'POST /aijob/{id}/execution-queue', undefined, 'expired', COSTLY),
  accepted('expired-token-reads-skills-v1', 'GET /aijobskills', '/api/v1', 'expired'),
  accepted('expired-token-posts-raw', 'POST /admin/entity/ProcessClue', undefined, 'expired', IRREVERSIBLE),
  accepted('expired-token-suggests-v3', 'GET /search/suggest', '/api/v3', 'expired'),
  accepted('limited-token-updates-policy', `PUT ${POLICY}/{id}`, undefined, 'limited'),
  accepted('limited-token-deactivates-v1', `POST ${POLICY}/{id}/deactivate`, '/api/v1', 'limited'),
  accepted('limited-token-reads-actions', `GET ${POLICY}/actions`, undefined, 'limited'),
  accepted('limited-token-previews-job', 'POST /aijob/{id}/preview', undefined, 'limited', COSTLY),
  accepted('limited-token-deletes-agent', 'DELETE /aiagent/{id}', '/api', 'limited'),
  accepted('limited-token-bulk-approves', 'PUT /aijob/{id}/bulk-result-approval-request', undefined, 'limited', COSTLY),
  accepted('limited-token-reads-chat-stream', 'GET /aijob/{id}/chatstream', '/api/v1', 'limited'),
  accepted('limited-token-reads-run-results', 'GET /aijob/{id}/runs/{runId}/results', undefined, 'limited', COSTLY),
];

const policies = OPERATION_IDS.filter((id) => id.includes(POLICY));
const agents = OPERATION_IDS.filter((id) => id.includes('/aiagent'));

const REFUSALS: readonly Mutant[] = [
  row('401-is-403', MISSING, `GET ${POLICY}/{id}`, refusesWith(`GET ${POLICY}/{id}`, 401, problem(403))),
  row('401-is-400-on-agents', MISSING, agents, refusesWith(agents, 401, problem(400))),
  row('401-is-500', MISSING, 'GET /aijob/{id}', refusesWith('GET /aijob/{id}', 401, problem(500))),
  row('401-is-404', MISSING, 'DELETE /aijob/{id}', refusesWith('DELETE /aijob/{id}', 401, problem(404))),
  row('401-is-200-empty', MISSING, 'GET /aijobskills', refusesWith('GET /aijobskills', 401, json([]))),
  row(
    '401-is-a-redirect',
    MISSING,
    `GET ${POLICY}`,
    refusesWith(where(`GET ${POLICY}`, '/api'), 401, withHeader(empty(302), 'location', '/login')),
  ),
  row(
    '401-is-200-login-page',
    MISSING,
    'GET /aiagent',
    refusesWith('GET /aiagent', 401, text('<html><body>Sign in</body></html>', 'text/html')),
  ),
  row(
    '401-expired-is-500',
    MISSING,
    'GET /aiagent/{id}',
    refusesWith(roles(where('GET /aiagent/{id}'), 'expired'), 401, problem(500)),
  ),
  row(
    '401-on-unknown-id-is-404',
    MISSING,
    'GET /aijob/{id}',
    at(roles(where('GET /aijob/{id}'), 'none', 'invalid', 'expired'), async (call, next, context) => {
      const [refused, served] = [await next(), await next(asFull(call, context))];
      return served.status === 404 && idsFit(call) ? served : refused;
    }),
  ),
  row(
    '401-on-bad-body-is-400',
    MISSING,
    'POST /aiagent',
    at(roles(where('POST /aiagent'), 'none', 'invalid', 'expired'), async (call, next) =>
      call.body.length > 0 && call.json === undefined ? problem(400) : next(),
    ),
  ),
  row(
    '403-is-401',
    LACKING,
    `POST ${POLICY}/setprocessingorder`,
    refusesWith(`POST ${POLICY}/setprocessingorder`, 403, problem(401)),
    ['reversible', 'global'],
  ),
  row('403-is-401-on-all-policies', LACKING, policies, refusesWith(policies, 403, problem(401))),
  row('403-is-200-empty', LACKING, `GET ${POLICY}`, refusesWith(`GET ${POLICY}`, 403, json([]))),
  row('403-is-404', LACKING, 'GET /aijob/{id}', refusesWith('GET /aijob/{id}', 403, problem(404))),
  row('403-is-500', LACKING, 'PUT /aijob/{id}', refusesWith('PUT /aijob/{id}', 403, problem(500))),
  row('403-is-400', LACKING, 'POST /aijob', refusesWith(where('POST /aijob', '/api/v1'), 403, problem(400))),
  row(
    'limited-refused-on-skills',
    ANY,
    'GET /aijobskills',
    answers(roles(where('GET /aijobskills'), 'limited'), () => problem(403)),
  ),
  row(
    'limited-refused-on-audit-v1',
    ANY,
    'GET /auditLog/{objectId}/{objectTypeId}',
    answers(roles(where('GET /auditLog/{objectId}/{objectTypeId}', '/api/v1'), 'limited'), () => problem(403)),
  ),
  row(
    'limited-unauthorized-on-skills',
    ANY,
    'GET /aijobskills',
    answers(roles(where('GET /aijobskills', '/api'), 'limited'), () => problem(401)),
  ),
  row(
    'full-refused-on-runs',
    LACKING,
    'GET /aijob/{id}/runs',
    answers(roles(where('GET /aijob/{id}/runs'), 'full'), () => problem(403)),
    COSTLY,
  ),
  row(
    'full-refused-on-suggest',
    'Every request carries a token (section 5)',
    'GET /search/suggest',
    answers(roles(where('GET /search/suggest', '/api/v3'), 'full'), () => problem(401)),
  ),
];

/** The header has the right token in a form that is not the documented one. */
function carries(call: Call, expression: RegExp, full: string): boolean {
  return expression.exec(call.headers['authorization'] ?? '')?.groups?.['token'] === full;
}

const lenient = (place: Place, expression: RegExp): Make =>
  at(place, (call, next, context) =>
    call.role === 'invalid' && carries(call, expression, context.tokens.full) ? next(asFull(call, context)) : next(),
  );

const HEADERS: readonly Mutant[] = [
  row(
    'status-needs-token',
    'the status check is called without an Authorization header (sections 4, 5)',
    'GET /status',
    answers({ op: 'GET /status', when: (call) => call.role !== 'full' && call.role !== 'limited' }, () => problem(401)),
  ),
  row(
    'status-fails-without-token',
    'the status check is called without an Authorization header (sections 4, 5)',
    'GET /status',
    answers(roles(where('GET /status'), 'none'), () => problem(500)),
  ),
  row(
    'basic-scheme-accepted',
    'the value Bearer followed by one space and an API token (section 5)',
    'GET /aijob',
    lenient('GET /aijob', /^Basic +(?<token>\S+)$/i),
  ),
  row(
    'bare-token-accepted',
    'the value Bearer followed by one space and an API token (section 5)',
    `GET ${POLICY}`,
    lenient(`GET ${POLICY}`, /^(?<token>\S+)$/),
  ),
  row(
    'any-scheme-accepted',
    'the value Bearer followed by one space and an API token (section 5)',
    OPERATION_IDS,
    lenient(OPERATION_IDS, /^(?!Bearer)\w+ +(?<token>\S+)$/i),
  ),
  row(
    'token-prefix-accepted',
    MISSING,
    'GET /aijobskills',
    at('GET /aijobskills', (call, next, context) =>
      call.role === 'invalid' && (call.headers['authorization'] ?? '').startsWith(`Bearer ${context.tokens.full}`)
        ? next(asFull(call, context))
        : next(),
    ),
  ),
  row(
    'empty-bearer-accepted',
    MISSING,
    'GET /aiagent',
    at('GET /aiagent', (call, next, context) =>
      /^Bearer *$/.test(call.headers['authorization'] ?? '') ? next(asFull(call, context)) : next(),
    ),
  ),
  row(
    'long-token-500',
    MISSING,
    OPERATION_IDS,
    answers(
      {
        op: OPERATION_IDS,
        when: (call) => call.role === 'invalid' && !/^Bearer [\w.~+/=-]+$/.test(call.headers['authorization'] ?? ''),
      },
      () => problem(500),
    ),
  ),
];

const EFFECTS: readonly Mutant[] = [
  row(
    'refused-create-creates',
    MISSING,
    [`POST ${POLICY}`, `GET ${POLICY}`],
    refusedYetDone(where(`POST ${POLICY}`), 'limited', 'none', 'expired', 'invalid'),
  ),
  row(
    'refused-delete-deletes',
    LACKING,
    [`DELETE ${POLICY}/{id}`, `GET ${POLICY}/{id}`],
    refusedYetDone(where(`DELETE ${POLICY}/{id}`), 'limited'),
  ),
  row(
    'refused-update-updates',
    MISSING,
    [`PUT ${POLICY}/{id}`, `GET ${POLICY}/{id}`],
    refusedYetDone(where(`PUT ${POLICY}/{id}`), 'expired', 'limited', 'none', 'invalid'),
  ),
  row(
    'refused-activate-activates',
    LACKING,
    [`POST ${POLICY}/{id}/activate`, `GET ${POLICY}`, `GET ${POLICY}/{id}`],
    refusedYetDone(where(`POST ${POLICY}/{id}/activate`), 'limited', 'none'),
  ),
  row(
    'refused-patch-patches',
    LACKING,
    ['PATCH /aijob/{id}', 'GET /aijob/{id}'],
    refusedYetDone(where('PATCH /aijob/{id}'), 'limited', 'none', 'expired', 'invalid'),
  ),
  row(
    'refused-order-is-set',
    LACKING,
    [`POST ${POLICY}/setprocessingorder`, `GET ${POLICY}/byprocessingorder`],
    refusedYetDone(where(`POST ${POLICY}/setprocessingorder`), 'limited', 'none'),
    ['reversible', 'global'],
  ),
];

/** Mutants of who may do what. */
export const AUTH: readonly Mutant[] = [...ACCEPTED, ...REFUSALS, ...HEADERS, ...EFFECTS];

/** True where a refused caller reached an operation that needs a permission. */
export function refusedCall(call: Call): boolean {
  return hit(call, OPERATION_IDS) && call.role !== 'full';
}
