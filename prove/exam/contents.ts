import type { Defect } from '../defect.ts';
import {
  asObject,
  at,
  hit,
  idOf,
  instead,
  isUuid,
  items,
  json,
  parsed,
  relist,
  rewrite,
  succeeded,
  successes,
  text,
  whenStatus,
  withHeader,
  withItems,
  withJson,
} from '../proxy/edit.ts';
import type { Make } from '../proxy/message.ts';
import { fresh } from './items.ts';
import { AGENTS, LIST, POLICIES, READ, READ_AGENT, READ_JOB, row, STORED, UPDATE, where, warning } from './kit.ts';

const CHATS = 'GET /aijob/{jobId}/runs/{runId}/chats';
const CHAT = `${CHATS}/{chatId}`;
const STREAM = 'GET /aijob/{id}/chatstream';
const SUMMARY = 'GET /aijob/summary';
const RUNS = 'GET /aijob/{id}/runs';
const AUDIT_MANY = 'GET /auditLog/getByObjectTypeIds';

/** Reads the next item of its list instead of the one that the path names. */
const ofNext: Make = at(
  where([CHAT], () => true),
  async (call, next, context) => {
    const list = call.path.replace(/\/[^/]+$/, '');
    const ids = items(parsed(await context.send('GET', `${list}?pageSize=50`))).map(idOf);
    const own = (call.route?.params['chatId'] ?? '').toLowerCase();
    const other = ids[(ids.indexOf(own) + 1) % ids.length];
    return other === undefined || !ids.includes(own) ? next() : next({ path: `${list}/${other}` });
  },
);

const HEX = /\b[0-9a-f]{32}\b/g;
const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const spelled = (value: string): string => value.replaceAll(HEX, dashed);

/** Agents have ids without dashes, everywhere. */
const withoutDashes: Make = () => async (call, next) => {
  const reply = await next({
    path: spelled(call.path),
    query: spelled(call.query),
    body: Buffer.from(spelled(call.body.toString('latin1')), 'latin1'),
  });
  const plain = (agent: unknown): unknown => ({ ...asObject(agent), id: idOf(agent).replaceAll('-', '') });
  const value = parsed(reply);
  if (!succeeded(reply) || value === undefined || !hit(call, ['GET /aiagent', READ_AGENT, AGENTS[0]])) return reply;
  return withJson(reply, Array.isArray(value) ? value.map(plain) : plain(value));
};

const shuffled = (list: readonly unknown[]): readonly unknown[] =>
  list.map((_, index) => list[(index * 5 + 3) % list.length]);

const everyItem =
  (change: (item: Record<string, unknown>) => unknown) =>
  (value: unknown): unknown =>
    Array.isArray(value) || Array.isArray(asObject(value)['data'])
      ? withItems(
          value,
          items(value).map((item) => change(asObject(item))),
        )
      : change(asObject(value));

/** Reads that show something else than what is there. */
export const CONTENTS: readonly Defect[] = [
  row('chat-of-another', 'reading a chat answers the chat (section 4)', [CHAT], ['own-id'], ofNext),
  row(
    'agent-ids-without-dashes',
    'an AI agent is identified by a uuid (section 2)',
    ['GET /aiagent', READ_AGENT, AGENTS[0]],
    ['own-id'],
    withoutDashes,
  ),
  row(
    'status-in-words',
    'the status check returns JSON (section 4)',
    ['GET /status'],
    ['json-well-formed'],
    successes('GET /status', () => text('Healthy')),
  ),
  row(
    'descending-shuffled',
    'sortDirection reverses the order (section 8)',
    [RUNS],
    ['ordering'],
    relist(
      where([RUNS], (_, { search }) => search.get('sortDirection') === '1'),
      shuffled,
    ),
  ),
  row(
    'policy-rules-emptied',
    STORED,
    [...POLICIES, READ, LIST],
    ['created-reads-back', 'updated-reads-back'],
    rewrite(
      [READ, LIST],
      everyItem((policy) => ({ ...policy, rules: [] })),
    ),
  ),
  row(
    'job-skills-emptied',
    STORED,
    ['POST /aijob', 'PUT /aijob/{id}', READ_JOB],
    ['created-reads-back', 'updated-reads-back'],
    rewrite(
      [READ_JOB, 'POST /aijob', 'PUT /aijob/{id}'],
      everyItem((job) => ({ ...job, allowedSkills: [] })),
    ),
  ),
  row(
    'policy-update-keeps-rules',
    STORED,
    [UPDATE, READ],
    ['updated-reads-back'],
    fresh(() => rewrite(READ, firstRules())),
  ),
  row(
    'validation-answered-422',
    '400: malformed or failed validation (section 7)',
    ['PUT /aiagent/{id}', 'PUT /aijob/{id}'],
    ['invalid-refused'],
    whenStatus(
      where(['PUT /aiagent/{id}', 'PUT /aijob/{id}'], (_, { route }) => isUuid(route?.params['id'] ?? '')),
      400,
      (reply, { json: body }) => (body === undefined ? reply : { ...reply, status: 422 }),
    ),
  ),
  warning(
    row(
      'chat-stream-empty',
      'the chat stream wraps the chats of the job (section 4)',
      [STREAM],
      ['job-runs'],
      rewrite(STREAM, () => []),
    ),
  ),
  warning(
    row(
      'summary-constant',
      'the summary counts results (section 4)',
      [SUMMARY],
      ['job-runs'],
      instead(
        where([SUMMARY], () => true),
        () => json({ type: null, status: 'Pending', count: 3 }),
      ),
    ),
  ),
  warning(
    row(
      'run-type-selects-none',
      'runType selects runs by their type (section 4)',
      [RUNS],
      ['filters'],
      relist(
        where([RUNS], (_, { search }) => search.get('runType') !== null && search.get('runType') !== ''),
        () => [],
      ),
    ),
  ),
  warning(
    row(
      'audit-of-several-empty',
      'the audit log shows what was changed (section 4)',
      [AUDIT_MANY],
      ['audit-log'],
      rewrite(AUDIT_MANY, () => []),
    ),
  ),
  warning(
    row(
      'json-labelled-as-text',
      'JSON responses are offered as application/json (section 4)',
      ['GET /aijob'],
      ['content-type-offered'],
      successes('GET /aijob', (reply) => withHeader(reply, 'content-type', 'text/plain; charset=utf-8')),
    ),
  ),
];

/** The rules with which a policy was read first stay what is shown. */
function firstRules(): (value: unknown) => unknown {
  const known = new Map<string, unknown>();
  return (value) => {
    const policy = asObject(value);
    if (!known.has(idOf(policy))) known.set(idOf(policy), policy['rules']);
    return { ...policy, rules: known.get(idOf(policy)) };
  };
}
