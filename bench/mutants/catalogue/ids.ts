import { randomUUID } from 'node:crypto';
import { area } from '../define.ts';
import {
  answers,
  asObject,
  at,
  empty,
  hit,
  idOf,
  idsFit,
  items,
  json,
  parsed,
  problem,
  rewrite,
  succeeded,
  successes,
  text,
  whenStatus,
  withHeader,
  withJson,
} from '../kit.ts';
import type { Make, Mutant, Reply } from '../types.ts';

const row = area('ids');
const POLICY = '/accesscontrolpolicies';
const UNKNOWN = '404 resource does not exist (section 7)';
const COSTLY = ['reversible', 'costly'] as const;

/** Unknown but well-formed ids are answered otherwise. */
const unknown = (op: string, reply: Reply): Make =>
  whenStatus({ op, when: (call) => call.role === 'full' && idsFit(call) }, 404, () => reply);
const malformed = (op: string | readonly string[], reply: Reply): Make =>
  answers({ op, when: (call) => call.role === 'full' && !idsFit(call) }, () => reply);

const UNKNOWNS: readonly Mutant[] = [
  row(
    'unknown-policy-200-null',
    UNKNOWN,
    `GET ${POLICY}/{id}`,
    unknown(`GET ${POLICY}/{id}`, text('null', 'application/json')),
  ),
  row('unknown-policy-204', UNKNOWN, `GET ${POLICY}/{id}`, unknown(`GET ${POLICY}/{id}`, empty(204))),
  row('unknown-agent-400', UNKNOWN, 'GET /aiagent/{id}', unknown('GET /aiagent/{id}', problem(400))),
  row('unknown-job-500', UNKNOWN, 'GET /aijob/{id}', unknown('GET /aijob/{id}', problem(500))),
  row('unknown-job-410', UNKNOWN, 'GET /aijob/{id}', unknown('GET /aijob/{id}', problem(410))),
  row('unknown-policy-delete-200', UNKNOWN, `DELETE ${POLICY}/{id}`, unknown(`DELETE ${POLICY}/{id}`, empty())),
  row('unknown-agent-delete-500', UNKNOWN, 'DELETE /aiagent/{id}', unknown('DELETE /aiagent/{id}', problem(500))),
  row(
    'unknown-policy-activate-200',
    UNKNOWN,
    `POST ${POLICY}/{id}/activate`,
    unknown(`POST ${POLICY}/{id}/activate`, empty()),
  ),
  row(
    'unknown-policy-deactivate-500',
    UNKNOWN,
    `POST ${POLICY}/{id}/deactivate`,
    unknown(`POST ${POLICY}/{id}/deactivate`, problem(500)),
  ),
  row('unknown-policy-put-200', UNKNOWN, `PUT ${POLICY}/{id}`, unknown(`PUT ${POLICY}/{id}`, empty())),
  row(
    'unknown-job-put-echo',
    UNKNOWN,
    'PUT /aijob/{id}',
    whenStatus({ op: 'PUT /aijob/{id}', when: (call) => call.role === 'full' && idsFit(call) }, 404, (_, call) =>
      json({ id: call.route?.params['id'], ...asObject(call.json) }),
    ),
  ),
  row(
    'unknown-job-patch-200',
    UNKNOWN,
    'PATCH /aijob/{id}',
    whenStatus({ op: 'PATCH /aijob/{id}', when: (call) => call.role === 'full' && idsFit(call) }, 404, (_, call) =>
      json({ id: call.route?.params['id'], name: 'new' }),
    ),
  ),
  row(
    'unknown-job-run-500',
    UNKNOWN,
    'POST /aijob/{id}/execution-queue',
    unknown('POST /aijob/{id}/execution-queue', problem(500)),
    COSTLY,
  ),
  row(
    'unknown-chat-500',
    UNKNOWN,
    'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}',
    unknown('GET /aijob/{jobId}/runs/{runId}/chats/{chatId}', problem(500)),
  ),
  row(
    'unknown-result-200',
    UNKNOWN,
    'GET /aijob/{id}/results/{type}/{resultId}',
    unknown('GET /aijob/{id}/results/{type}/{resultId}', json({})),
  ),
  row(
    'malformed-policy-id-500',
    '500 is an unexpected server error (section 7)',
    `GET ${POLICY}/{id}`,
    malformed(`GET ${POLICY}/{id}`, problem(500)),
  ),
  row(
    'malformed-job-id-200',
    'identifier is a uuid (section 2)',
    'GET /aijob/{id}',
    malformed('GET /aijob/{id}', json({ id: randomUUID(), name: 'any' })),
  ),
  row(
    'malformed-run-id-500',
    '500 is an unexpected server error (section 7)',
    'GET /aijob/{jobId}/runs/{runId}/chats',
    malformed('GET /aijob/{jobId}/runs/{runId}/chats', problem(500)),
  ),
  row(
    'malformed-id-deletes-200',
    'identifier is a uuid (section 2)',
    'DELETE /aiagent/{id}',
    malformed('DELETE /aiagent/{id}', empty()),
  ),
  row(
    'malformed-audit-id-500',
    '500 is an unexpected server error (section 7)',
    'GET /auditLog/{objectId}/{objectTypeId}',
    malformed('GET /auditLog/{objectId}/{objectTypeId}', problem(500)),
  ),
];

const CREATED = '200, uuid string (new policy id) (section 4)';

const CREATIONS: readonly Mutant[] = [
  row(
    'create-answers-other-id',
    CREATED,
    [`POST ${POLICY}`, `GET ${POLICY}/{id}`],
    successes(`POST ${POLICY}`, (reply) => withJson(reply, randomUUID())),
  ),
  row(
    'create-answers-object',
    CREATED,
    `POST ${POLICY}`,
    rewrite(`POST ${POLICY}`, (id) => ({ id })),
  ),
  row(
    'create-answers-number',
    CREATED,
    `POST ${POLICY}`,
    rewrite(`POST ${POLICY}`, () => 12),
  ),
  row(
    'create-answers-no-uuid',
    CREATED,
    `POST ${POLICY}`,
    rewrite(`POST ${POLICY}`, (id) => `policy-${String(id)}`),
  ),
  row(
    'create-answers-array',
    CREATED,
    `POST ${POLICY}`,
    rewrite(`POST ${POLICY}`, (id) => [id]),
  ),
  row(
    'create-answers-nothing',
    CREATED,
    `POST ${POLICY}`,
    successes(`POST ${POLICY}`, () => empty()),
  ),
  row(
    'create-answers-unquoted',
    CREATED,
    `POST ${POLICY}`,
    successes(`POST ${POLICY}`, (reply) =>
      withHeader({ ...reply, body: Buffer.from(String(parsed(reply))) }, 'content-type', 'application/json'),
    ),
  ),
  row(
    'create-answers-nil-uuid',
    CREATED,
    [`POST ${POLICY}`, `GET ${POLICY}/{id}`],
    rewrite(`POST ${POLICY}`, () => '00000000-0000-0000-0000-000000000000'),
  ),
  row('create-answers-last-id', CREATED, [`POST ${POLICY}`, `GET ${POLICY}/{id}`, `GET ${POLICY}`], () => {
    let last: unknown;
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, `POST ${POLICY}`) || !succeeded(reply)) return reply;
      const mine = parsed(reply);
      const told = last ?? mine;
      last = mine;
      return withJson(reply, told);
    };
  }),
  row(
    'job-create-answers-no-id',
    '200, AiJobViewModel; identifier is a uuid (sections 2, 4)',
    'POST /aijob',
    rewrite('POST /aijob', (value) => ({ ...asObject(value), id: 'none' })),
  ),
];

/** Reads of one thing answer another. */
const readsAnother =
  (op: string): Make =>
  () => {
    const seen = new Map<string, Reply>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, op) || !succeeded(reply)) return reply;
      const id = (call.route?.params['id'] ?? '').toLowerCase();
      const other = [...seen].find(([key]) => key !== id)?.[1];
      seen.set(id, reply);
      return other ?? reply;
    };
  };

const redirectWrite = (op: string, list: string): Make =>
  at(op, async (call, next, context) => {
    const id = (call.route?.params['id'] ?? '').toLowerCase();
    const others = items(parsed(await context.ask('GET', list)))
      .map(idOf)
      .filter((other) => other !== id && other !== '');
    const other = others.at(-1);
    const exists = succeeded(await context.ask('GET', call.path.replace(/\/(?:de)?activate$/, '')));
    return other === undefined || !exists || call.role !== 'full'
      ? next()
      : next({ path: call.path.replace(call.route?.params['id'] ?? '', other) });
  });

const MIXED: readonly Mutant[] = [
  row(
    'policy-read-answers-another',
    'GET /accesscontrolpolicies/{id} answers the policy of that id (section 4)',
    `GET ${POLICY}/{id}`,
    readsAnother(`GET ${POLICY}/{id}`),
  ),
  row(
    'job-read-answers-another',
    'GET /aijob/{id} answers the job of that id (section 4)',
    'GET /aijob/{id}',
    readsAnother('GET /aijob/{id}'),
  ),
  row(
    'policy-read-has-other-id',
    'GET /accesscontrolpolicies/{id} answers the policy of that id (section 4)',
    `GET ${POLICY}/{id}`,
    rewrite(`GET ${POLICY}/{id}`, (value) => ({ ...asObject(value), id: randomUUID() })),
  ),
  row(
    'job-read-has-number-as-id',
    'identifier is a uuid (section 2)',
    'GET /aijob/{id}',
    rewrite('GET /aijob/{id}', (value) => ({ ...asObject(value), id: 7 })),
  ),
  row(
    'policy-list-has-numbers-as-ids',
    'identifier is a uuid (section 2)',
    `GET ${POLICY}`,
    rewrite(`GET ${POLICY}`, (value) => items(value).map((item, index) => ({ ...asObject(item), id: index }))),
  ),
  row(
    'put-updates-another',
    'PUT /accesscontrolpolicies/{id} changes the policy of that id (section 4)',
    [`PUT ${POLICY}/{id}`, `GET ${POLICY}/{id}`],
    redirectWrite(`PUT ${POLICY}/{id}`, `/api/accesscontrolpolicies?take=1000&orderBy=createdAt`),
  ),
  row(
    'job-put-updates-another',
    'PUT /aijob/{id} changes the job of that id (section 4)',
    ['PUT /aijob/{id}', 'GET /aijob/{id}'],
    redirectWrite('PUT /aijob/{id}', '/api/aijob'),
  ),
];

export const IDS: readonly Mutant[] = [...UNKNOWNS, ...CREATIONS, ...MIXED];
