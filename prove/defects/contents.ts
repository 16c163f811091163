import { randomUUID } from 'node:crypto';
import type { Defect } from '../defect.ts';
import { at, listAt } from '../proxy/handler.ts';
import { withBody, withQuery } from '../proxy/call.ts';
import { together } from '../proxy/compose.ts';
import { asList, asObject, idOf } from '../proxy/json.ts';
import { isUuid } from '../../spec/uuid.ts';
import type { JsonMap } from '../proxy/json.ts';
import { json, problem, text } from '../proxy/reply.ts';
import type { Make } from '../proxy/message.ts';
import { AS_TEXT_JSON, fails, defect, STORED, stores, str, warning, warningDefect, where } from './kit.ts';
import { CHAT, CREATE, LIST, POLICIES, READ, READ_JOB, RUNS, UPDATE, UPDATE_AGENT, UPDATE_JOB } from './operations.ts';

const OFFERED = 'JSON responses are offered as application/json (section 4)';
const KEYS = 'GET /vocabs/keys';
const SUMMARY = 'GET /aijob/summary';

/** Answers with the next chat of the run instead of the one that the path names. */
const ofNext: Make = at(where([CHAT])).handles(async (call, next, context) => {
  const list = call.path.replace(/\/[^/]+$/, '');
  const ids = (await listAt(context, `${list}?pageSize=50`)).map(idOf);
  const own = (call.route?.params['chatId'] ?? '').toLowerCase();
  const other = ids[(ids.indexOf(own) + 1) % ids.length];
  return other === undefined || !ids.includes(own) ? next() : next({ path: `${list}/${other}` });
});

/** The member of a body with changed objects in its list; nothing where it is no list. */
const changeEach = (body: JsonMap, member: string, change: (item: JsonMap) => JsonMap): JsonMap =>
  Array.isArray(body[member]) ? { [member]: asList(body[member]).map((item) => change(asObject(item))) } : {};

const shuffled = (list: readonly unknown[]): readonly unknown[] =>
  list.map((_, index) => list[(index * 5 + 3) % list.length]);

const withoutEmptyDescription = (item: unknown): JsonMap => {
  const { description, ...rest } = asObject(item);
  return description === null ? rest : asObject(item);
};

export const CONTENTS: readonly Defect[] = [
  defect('created-policies-lack-their-description', STORED, [CREATE, READ, LIST], ['created-reads-back']).by(
    together(
      at(CREATE).requests(({ json: sent }) => withBody({ ...asObject(sent), description: null })),
      at(READ).rewrites(withoutEmptyDescription),
      at(LIST).relists((all) => all.map(withoutEmptyDescription)),
    ),
  ),
  defect(
    'jobs-created-as-other-json-lose-metadata',
    'bodies are accepted as application/*+json (section 4)',
    ['POST /aijob'],
    ['created-reads-back'],
  ).by(
    at('POST /aijob').requests((call) =>
      /\+json/i.test(call.headers['content-type'] ?? '')
        ? withBody({ ...asObject(call.json), metadata: {} })
        : undefined,
    ),
  ),
  defect('agents-created-as-text-json-403', AS_TEXT_JSON, ['POST /aiagent'], ['request-media-types']).by(
    at(where(['POST /aiagent'], (_, { headers }) => headers['content-type'] === 'text/json')).handles(() =>
      problem(403),
    ),
  ),
  stores('jobs-created-without-the-tail-of-a-source', ['POST /aijob'], (body) => ({
    ...body,
    ...changeEach(body, 'dataSources', (source) => (source['tail'] === true ? { ...source, tail: false } : source)),
  })),
  stores('a-few-policy-rules-sorted-by-name', POLICIES, (body) => {
    const rules = asList(body['rules']);
    const nameOf = (rule: unknown): string => str(asObject(rule)['name']);
    const sorted = rules.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
    return rules.length < 10 ? { ...body, rules: sorted } : body;
  }),
  stores('sample-sizes-above-100-cut', ['POST /aijob'], (body) => ({
    ...body,
    ...changeEach(body, 'dataSources', (source) =>
      Number(source['sampleSize']) > 100 ? { ...source, sampleSize: 100 } : source,
    ),
  })),
  warning(
    stores('policy-rules-become-active', POLICIES, (body) => ({
      ...body,
      ...changeEach(body, 'rules', (rule) => (rule['isActive'] === false ? { ...rule, isActive: true } : rule)),
    })),
  ),
  defect(
    'status-in-words-without-accept',
    'the status check returns JSON (section 4)',
    ['GET /status'],
    ['json-well-formed'],
  ).by(
    at({ op: 'GET /status', when: ({ headers }) => (headers['accept'] ?? '*/*') === '*/*' }).handles(() =>
      text('Healthy'),
    ),
  ),
  // A warning: only the types themselves are documented.
  warningDefect('ranges-of-media-types-406', OFFERED, ['GET /aijob'], ['response-media-types']).by(
    at(where(['GET /aijob'], (_, { headers }) => headers['accept'] === 'application/*')).handles(() => problem(406)),
  ),
  defect('several-media-types-406', OFFERED, [READ_JOB], ['response-media-types']).by(
    at(where([READ_JOB], (_, { headers }) => (headers['accept'] ?? '').includes(','))).handles(() => problem(406)),
  ),
  fails('suggest-of-an-unfinished-query-500', ['GET /v2/search/suggest', 'GET /v3/search/suggest'], (_, { search }) =>
    /[([{"][^)\]}"]*$/.test(search.get('q') ?? ''),
  ),
  defect('chat-of-another', 'reading a chat answers the chat (section 4)', [CHAT], ['own-id']).by(ofNext),
  defect(
    'third-policy-of-a-page-without-description',
    'GET answers the policies (section 4)',
    [LIST],
    ['created-reads-back'],
  ).by(
    at(LIST).relists((all) =>
      all.map((policy, at) => (at === 2 ? { ...asObject(policy), description: null } : policy)),
    ),
  ),
  defect(
    'agents-cut-names-in-list',
    'GET answers the agents (section 4)',
    ['GET /aiagent'],
    ['created-reads-back', 'query-styles'],
  ).by(
    at('GET /aiagent').relists((all) =>
      all.map((agent) => ({ ...asObject(agent), name: str(asObject(agent)['name']).slice(0, 60) })),
    ),
  ),
  defect('descending-shuffled', 'sortDirection reverses the order (section 8)', [RUNS], ['ordering']).by(
    at(where([RUNS], (_, { search }) => search.get('sortDirection') === '1')).relists(shuffled),
  ),
  defect(
    'validation-answered-422',
    '400: malformed or failed validation (section 7)',
    [UPDATE_AGENT, UPDATE_JOB],
    ['invalid-refused'],
  ).by(
    at(where([UPDATE_AGENT, UPDATE_JOB], (_, { route }) => isUuid(route?.params['id'] ?? ''))).whenStatus(
      400,
      (reply, { json: body }) => (body === undefined ? reply : { ...reply, status: 422 }),
    ),
  ),
  warningDefect('summary-constant', 'the summary counts results (section 4)', [SUMMARY], ['job-runs']).by(
    at(where([SUMMARY])).handles(() => json({ type: null, status: 'Pending', count: 3 })),
  ),
  warningDefect('summary-counts-jobs', 'the summary counts results (section 4)', [SUMMARY], ['job-runs']).by(
    at(where([SUMMARY])).handles(async (_call, _next, context) => {
      const { length: count } = await listAt(context, '/api/aijob');
      return json({ type: null, status: 'Pending', count });
    }),
  ),
  warningDefect('skills-get-new-ids', 'GET answers the skills (section 4)', ['GET /aijobskills'], ['own-id']).by(
    at('GET /aijobskills').relists((all) => all.map((skill) => ({ ...asObject(skill), id: randomUUID() }))),
  ),
  warningDefect(
    'vocabulary-pages-all-the-same',
    'vocabs/keys takes page and take (platform.md)',
    [KEYS],
    ['paging-partition'],
  ).by(at(KEYS).requests((call) => withQuery(call, { page: undefined }))),
  warning({
    ...stores('policy-updates-lose-properties-of-actions', [UPDATE], (body) => ({
      ...body,
      ...changeEach(body, 'rules', (rule) => ({
        ...rule,
        ...changeEach(rule, 'actions', (action) => ({ ...action, properties: [] })),
      })),
    })),
    checks: ['published-behaviour'],
  }),
  warning({
    ...stores('policy-rules-lose-their-actions', [CREATE], (body) => {
      const rules = asList(body['rules']).map((rule) => ({ ...asObject(rule), actions: [] }));
      return rules.length === 0 ? body : { ...body, rules };
    }),
    checks: ['published-behaviour'],
  }),
];
