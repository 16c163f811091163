import { area } from '../define.ts';
import {
  answers,
  asList,
  asObject,
  asks,
  empty,
  hit,
  json,
  problem,
  rewrite,
  succeeded,
  successes,
  text,
  withHeader,
} from '../kit.ts';
import type { Place } from '../kit.ts';
import { OPERATION_IDS } from '../routes.ts';
import type { Call, Make, Mutant, Reply } from '../types.ts';

const row = area('content');
const POLICY = '/accesscontrolpolicies';
const JSON_TYPES = 'JSON responses are offered as application/json, text/json and text/plain (section 4)';
const ARE_JSON = 'responses are JSON (section 9)';
const BODIES =
  'Request bodies are accepted as application/json, application/json-patch+json, text/json or application/*+json (section 4)';
const MALFORMED = '400 request malformed or failed validation (section 7)';
const STATUS = 'Response 200 (section 4)';
const FIVE = '500 is an unexpected server error (section 7)';
const COSTLY = ['reversible', 'costly'] as const;

const typed = (op: string, type: string | undefined): Make =>
  successes(op, (reply) => (reply.body.length > 0 ? withHeader(reply, 'content-type', type) : reply));
const bytes = (op: string, change: (text: string) => string): Make =>
  successes(op, (reply) => ({ ...reply, body: Buffer.from(change(reply.body.toString())) }));

const TYPES: readonly Mutant[] = [
  row('policy-as-html', JSON_TYPES, `GET ${POLICY}/{id}`, typed(`GET ${POLICY}/{id}`, 'text/html; charset=utf-8')),
  row('policies-as-xml-type', JSON_TYPES, `GET ${POLICY}`, typed(`GET ${POLICY}`, 'application/xml')),
  row('jobs-without-type', JSON_TYPES, 'GET /aijob', typed('GET /aijob', undefined)),
  row('skills-as-octet-stream', JSON_TYPES, 'GET /aijobskills', typed('GET /aijobskills', 'application/octet-stream')),
  row('actions-as-hal', JSON_TYPES, `GET ${POLICY}/actions`, typed(`GET ${POLICY}/actions`, 'application/hal+json')),
  row('summary-as-csv', JSON_TYPES, 'GET /aijob/summary', typed('GET /aijob/summary', 'text/csv')),
  row(
    'job-is-xml',
    JSON_TYPES,
    'GET /aijob/{id}',
    successes('GET /aijob/{id}', () => text('<job><name>x</name></job>', 'application/xml')),
  ),
  row('created-id-as-html', JSON_TYPES, `POST ${POLICY}`, typed(`POST ${POLICY}`, 'text/html')),
  row(
    'status-as-html',
    'JSON response (section 4)',
    'GET /status',
    successes('GET /status', () => text('<html>ok</html>', 'text/html')),
  ),
  row('preview-as-html', JSON_TYPES, 'POST /aijob/{id}/preview', typed('POST /aijob/{id}/preview', 'text/html')),
  row(
    'html-when-accept-is-any',
    JSON_TYPES,
    `GET ${POLICY}`,
    answers({ op: `GET ${POLICY}`, when: (call) => (call.headers['accept'] ?? '*/*') === '*/*' }, (reply) =>
      succeeded(reply) ? withHeader(reply, 'content-type', 'text/html') : reply,
    ),
  ),
];

const TEXTS: readonly Mutant[] = [
  row(
    'policy-trailing-comma',
    ARE_JSON,
    `GET ${POLICY}/{id}`,
    bytes(`GET ${POLICY}/{id}`, (body) => body.replace(/\}$/, ',}')),
  ),
  row(
    'job-truncated',
    ARE_JSON,
    'GET /aijob/{id}',
    bytes('GET /aijob/{id}', (body) => body.slice(0, -3)),
  ),
  row(
    'order-twice',
    ARE_JSON,
    `GET ${POLICY}/byprocessingorder`,
    bytes(`GET ${POLICY}/byprocessingorder`, (body) => `${body}\n${body}`),
  ),
  row(
    'skills-single-quotes',
    ARE_JSON,
    'GET /aijobskills',
    bytes('GET /aijobskills', (body) => body.replaceAll('"', "'")),
  ),
  row(
    'summary-nan',
    ARE_JSON,
    'GET /aijob/summary',
    successes('GET /aijob/summary', () => text('{"count":NaN}', 'application/json')),
  ),
  row(
    'actions-jsonp',
    ARE_JSON,
    `GET ${POLICY}/actions`,
    bytes(`GET ${POLICY}/actions`, (body) => `)]}',\n${body}`),
  ),
  row(
    'policies-invalid-utf8',
    ARE_JSON,
    `GET ${POLICY}/{id}`,
    successes(`GET ${POLICY}/{id}`, (reply) => ({
      ...reply,
      body: Buffer.concat([
        reply.body.subarray(0, -1),
        Buffer.from(',"x":"'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}'),
      ]),
    })),
  ),
  row(
    'policies-latin1',
    ARE_JSON,
    'GET /aiagent/{id}',
    successes('GET /aiagent/{id}', (reply) => ({
      ...reply,
      body: Buffer.concat([reply.body.subarray(0, -1), Buffer.from(',"x":"'), Buffer.from([0xe9]), Buffer.from('"}')]),
    })),
  ),
  row(
    'status-malformed',
    'JSON response (section 4)',
    'GET /status',
    successes('GET /status', () => text('{"ServiceStatus":', 'application/json')),
  ),
  row(
    'job-short-body',
    'responses are JSON (section 9)',
    'GET /aijob/{id}',
    successes('GET /aijob/{id}', (reply) => ({ ...reply, wire: 'short' })),
  ),
  row(
    'gzip-that-is-none',
    'responses are JSON (section 9)',
    'GET /aijob',
    successes('GET /aijob', (reply) => withHeader(reply, 'content-encoding', 'gzip')),
  ),
];

const SHAPES: readonly Mutant[] = [
  row(
    'policy-in-array',
    '200, AccessControlPolicyModel (section 4)',
    `GET ${POLICY}/{id}`,
    rewrite(`GET ${POLICY}/{id}`, (value) => [value]),
  ),
  row(
    'policy-in-string',
    '200, AccessControlPolicyModel (section 4)',
    `GET ${POLICY}/{id}`,
    rewrite(`GET ${POLICY}/{id}`, (value) => JSON.stringify(value)),
  ),
  row(
    'policies-by-id',
    '200, array of AccessControlPolicyModel (section 4)',
    `GET ${POLICY}`,
    rewrite(`GET ${POLICY}`, (value) =>
      Object.fromEntries(asList(value).map((item) => [String(asObject(item)['id']), item])),
    ),
  ),
  row(
    'policies-are-ids',
    '200, array of AccessControlPolicyModel (section 4)',
    `GET ${POLICY}`,
    rewrite(`GET ${POLICY}`, (value) => asList(value).map((item) => asObject(item)['id'])),
  ),
  row(
    'policies-end-with-null',
    '200, array of AccessControlPolicyModel (section 4)',
    `GET ${POLICY}`,
    rewrite(`GET ${POLICY}`, (value) => [...asList(value), null]),
  ),
  row(
    'order-is-object',
    '200, array of AccessControlPolicyOrderingModel (section 4)',
    `GET ${POLICY}/byprocessingorder`,
    rewrite(`GET ${POLICY}/byprocessingorder`, (value) => ({ order: value, first: {} })),
  ),
  row(
    'order-is-ids',
    '200, array of AccessControlPolicyOrderingModel (section 4)',
    `GET ${POLICY}/byprocessingorder`,
    rewrite(`GET ${POLICY}/byprocessingorder`, (value) => asList(value).map((item) => asObject(item)['id'])),
  ),
  row(
    'actions-are-null',
    '200, array of RuleActionModel (section 4)',
    `GET ${POLICY}/actions`,
    successes(`GET ${POLICY}/actions`, () => text('null', 'application/json')),
  ),
  row(
    'actions-are-strings',
    '200, array of RuleActionModel (section 4)',
    `GET ${POLICY}/actions`,
    rewrite(`GET ${POLICY}/actions`, (value) => asList(value).map((item) => String(asObject(item)['name']))),
  ),
  row(
    'skills-are-object',
    '200, array of SkillModel (section 4)',
    'GET /aijobskills',
    rewrite('GET /aijobskills', () => ({})),
  ),
  row(
    'jobs-are-one',
    '200, array of AiJobListItemViewModel (section 4)',
    'GET /aijob',
    rewrite('GET /aijob', (value) => asList(value)[0] ?? {}),
  ),
  row(
    'job-put-is-array',
    '200, AiJobViewModel (section 4)',
    'PUT /aijob/{id}',
    rewrite('PUT /aijob/{id}', (value) => [value]),
  ),
  row(
    'summary-is-string',
    '200, AiJobResultSummaryViewModel (section 4)',
    'GET /aijob/summary',
    rewrite('GET /aijob/summary', () => 'nothing to sum up'),
  ),
  row(
    'stream-is-object',
    '200, array of StreamItem (section 4)',
    'GET /aijob/{id}/chatstream',
    rewrite('GET /aijob/{id}/chatstream', (value) => ({ items: value })),
    COSTLY,
  ),
  row(
    'run-now-is-string',
    '200, RunNowResultModel (section 4)',
    'POST /aijob/{id}/execution-queue',
    rewrite('POST /aijob/{id}/execution-queue', () => 'queued'),
    COSTLY,
  ),
  row(
    'dry-run-is-array',
    '200, RunNowResultModel (section 4)',
    'POST /aijob/{id}/dry-run',
    rewrite('POST /aijob/{id}/dry-run', () => []),
    COSTLY,
  ),
  row(
    'preview-is-number',
    '200, AiJobPreviewViewModel (section 4)',
    'POST /aijob/{id}/preview',
    rewrite('POST /aijob/{id}/preview', () => 1),
    COSTLY,
  ),
  row(
    'result-is-array',
    '200, AiJobResultViewModel (section 4)',
    'GET /aijob/{id}/results/{type}/{resultId}',
    rewrite('GET /aijob/{id}/results/{type}/{resultId}', (value) => [value]),
    COSTLY,
  ),
  row(
    'chat-is-string',
    '200, AiJobRunChatViewModel (section 4)',
    'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}',
    rewrite('GET /aijob/{jobId}/runs/{runId}/chats/{chatId}', (value) => JSON.stringify(value)),
    COSTLY,
  ),
  row(
    'policy-without-body',
    '200, AccessControlPolicyModel (section 4)',
    `GET ${POLICY}/{id}`,
    successes(`GET ${POLICY}/{id}`, () => empty()),
  ),
  row(
    'job-create-without-body',
    '200, AiJobViewModel (section 4)',
    'POST /aijob',
    successes('POST /aijob', () => empty()),
  ),
  row(
    'job-patch-without-body',
    '200, AiJobViewModel (section 4)',
    'PATCH /aijob/{id}',
    successes('PATCH /aijob/{id}', () => empty()),
  ),
  row(
    'order-204',
    '200, array of AccessControlPolicyOrderingModel (section 4)',
    `GET ${POLICY}/byprocessingorder`,
    successes(`GET ${POLICY}/byprocessingorder`, () => empty(204)),
  ),
];

const STATUSES: readonly Mutant[] = [
  row(
    'agent-create-202',
    STATUS,
    'POST /aiagent',
    successes('POST /aiagent', (reply) => ({ ...reply, status: 202 })),
  ),
  row(
    'policies-206',
    STATUS,
    `GET ${POLICY}`,
    successes(`GET ${POLICY}`, (reply) => ({ ...reply, status: 206 })),
  ),
  row(
    'policies-203',
    STATUS,
    'GET /aijob',
    successes('GET /aijob', (reply) => ({ ...reply, status: 203 })),
  ),
  row(
    'malformed-is-422',
    MALFORMED,
    `POST ${POLICY}`,
    answers(
      { op: `POST ${POLICY}`, when: (call) => call.role === 'full' && call.json === undefined && call.body.length > 0 },
      () => problem(422),
    ),
  ),
  row(
    'malformed-is-404',
    MALFORMED,
    'PATCH /aijob/{id}',
    answers(
      {
        op: 'PATCH /aijob/{id}',
        when: (call) => call.role === 'full' && call.json === undefined && call.body.length > 0,
      },
      () => problem(404),
    ),
  ),
  row('agent-read-500-each-fourth', FIVE, 'GET /aiagent/{id}', () => {
    let count = 0;
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, 'GET /aiagent/{id}') || !succeeded(reply)) return reply;
      count += 1;
      return count % 4 === 0 ? problem(500) : reply;
    };
  }),
  row(
    'create-resets-connection',
    STATUS,
    'POST /aiagent',
    successes('POST /aiagent', (reply) => ({ ...reply, wire: 'reset' })),
  ),
  row(
    'summary-500',
    STATUS,
    'GET /aijob/summary',
    successes('GET /aijob/summary', () => problem(500)),
  ),
  row(
    'suggest-500',
    STATUS,
    'GET /search/suggest',
    answers({ op: 'GET /search/suggest', form: '/api/v3' }, () => problem(500)),
  ),
  row(
    'keys-502',
    STATUS,
    'GET /vocabs/keys',
    successes('GET /vocabs/keys', () => problem(502)),
  ),
  row(
    'error-says-200',
    'status tells success from failure (section 7)',
    'POST /aijob',
    answers('POST /aijob', (reply) => (reply.status === 400 ? json({ error: 'invalid' }) : reply)),
  ),
];

const sends =
  (type: string) =>
  (call: Call): boolean =>
    call.role === 'full' && (call.headers['content-type'] ?? '').toLowerCase().split(';')[0]?.trim() === type;
const plus = (call: Call): boolean =>
  call.role === 'full' && /^application\/(?!json-patch\+)[\w.-]+\+json/i.test(call.headers['content-type'] ?? '');
const refuses = (place: Place, reply: Reply = problem(415)): Make => answers(place, () => reply);

const REQUESTS: readonly Mutant[] = [
  row('text-json-refused', BODIES, `POST ${POLICY}`, refuses({ op: `POST ${POLICY}`, when: sends('text/json') })),
  row(
    'text-json-400',
    BODIES,
    'PUT /aijob/{id}',
    refuses({ op: 'PUT /aijob/{id}', when: sends('text/json') }, problem(400)),
  ),
  row(
    'json-patch-type-refused',
    BODIES,
    'POST /aiagent',
    refuses({ op: 'POST /aiagent', when: sends('application/json-patch+json') }),
  ),
  row('plus-json-refused', BODIES, 'POST /aijob', refuses({ op: 'POST /aijob', when: plus })),
  row('plus-json-500', BODIES, `PUT ${POLICY}/{id}`, refuses({ op: `PUT ${POLICY}/{id}`, when: plus }, problem(500))),
  row(
    'text-json-refused-on-order',
    BODIES,
    `POST ${POLICY}/setprocessingorder`,
    refuses({ op: `POST ${POLICY}/setprocessingorder`, when: sends('text/json') }),
    ['reversible', 'global'],
  ),
  row(
    'plus-json-body-lost',
    BODIES,
    [`PUT ${POLICY}/{id}`, `GET ${POLICY}/{id}`],
    asks({ op: `PUT ${POLICY}/{id}`, when: plus }, () => ({ body: Buffer.from('{"name":""}') })),
  ),
  row(
    'accept-text-json-406',
    JSON_TYPES,
    `GET ${POLICY}/{id}`,
    answers({ op: `GET ${POLICY}/{id}`, when: (call) => (call.headers['accept'] ?? '').startsWith('text/json') }, () =>
      problem(406),
    ),
  ),
  row(
    'accept-text-plain-406',
    JSON_TYPES,
    'GET /aijob',
    answers({ op: 'GET /aijob', when: (call) => (call.headers['accept'] ?? '').startsWith('text/plain') }, () =>
      problem(406),
    ),
  ),
  row(
    'accept-text-json-500',
    JSON_TYPES,
    'GET /aijobskills',
    answers({ op: 'GET /aijobskills', when: (call) => (call.headers['accept'] ?? '').startsWith('text/json') }, () =>
      problem(500),
    ),
  ),
  row(
    'accept-text-json-empty',
    JSON_TYPES,
    `GET ${POLICY}/actions`,
    answers(
      { op: `GET ${POLICY}/actions`, when: (call) => (call.headers['accept'] ?? '').startsWith('text/json') },
      () => empty(),
    ),
  ),
  row(
    'odd-type-500',
    FIVE,
    'POST /aijob',
    answers(
      {
        op: 'POST /aijob',
        when: (call) => call.role === 'full' && !/json/.test(call.headers['content-type'] ?? 'json'),
      },
      () => problem(500),
    ),
  ),
  row(
    'unclosed-accepted',
    MALFORMED,
    `POST ${POLICY}`,
    answers(
      { op: `POST ${POLICY}`, when: (call) => call.role === 'full' && call.body.length > 0 && call.json === undefined },
      () => json('9b7c3b51-3f0e-4d0a-9a53-1c1f6a1d2e3f'),
    ),
  ),
  row(
    'unclosed-accepted-by-update',
    MALFORMED,
    `PUT ${POLICY}/{id}`,
    answers(
      {
        op: `PUT ${POLICY}/{id}`,
        when: (call) => call.role === 'full' && call.body.length > 0 && call.json === undefined,
      },
      () => empty(),
    ),
  ),
  row(
    'unclosed-500',
    MALFORMED,
    'PUT /aiagent/{id}',
    answers(
      {
        op: 'PUT /aiagent/{id}',
        when: (call) => call.role === 'full' && call.body.length > 0 && call.json === undefined,
      },
      () => problem(500),
    ),
  ),
  row(
    'unclosed-500-on-approval',
    MALFORMED,
    'PUT /aijob/{id}/bulk-result-approval-request',
    answers(
      {
        op: 'PUT /aijob/{id}/bulk-result-approval-request',
        when: (call) => call.role === 'full' && call.body.length > 0 && call.json === undefined,
      },
      () => problem(500),
    ),
    COSTLY,
  ),
  row(
    'unclosed-accepted-by-order',
    MALFORMED,
    `POST ${POLICY}/setprocessingorder`,
    answers(
      {
        op: `POST ${POLICY}/setprocessingorder`,
        when: (call) => call.role === 'full' && call.body.length > 0 && call.json === undefined,
      },
      () => empty(),
    ),
    ['reversible', 'global'],
  ),
  row(
    'empty-body-500',
    FIVE,
    'POST /aiagent',
    answers({ op: 'POST /aiagent', when: (call) => call.role === 'full' && call.body.length === 0 }, () =>
      problem(500),
    ),
  ),
  row(
    'wrong-method-500',
    FIVE,
    OPERATION_IDS,
    () => (call, next) =>
      call.route === undefined && call.method !== 'GET' && /^\/api(?:\/v1)?\/aijobskills$/i.test(call.path)
        ? problem(500)
        : next(),
  ),
];

export const CONTENT: readonly Mutant[] = [...TYPES, ...TEXTS, ...SHAPES, ...STATUSES, ...REQUESTS];
