/** Ways in which a healthy deployment may differ: what api.md leaves open, and what platform.md's list of false alarms allows. */
import { answers, bodies, deep, idOf, is, json, query, who } from './layers.ts';
import { NO_ID, isItem, patch } from './model.ts';
import type { Item } from './model.ts';
import type { Call, Layer, Options } from './service.ts';
import { TOKENS } from './service.ts';

export type Personality = Layer | { readonly options: Partial<Options>; readonly layer?: Layer };

const isList = (call: Call): boolean => call.method === 'GET' && call.path === '/accesscontrolpolicies';

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
const upperMembers = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).map(([key, value]) => [key, upper(value)]));

const LOCKED = [
  'PUT /aijob/{}',
  'PATCH /aijob/{}',
  'DELETE /aijob/{}',
  'POST /aijob/{}/execution-queue',
  'POST /aijob/{}/dry-run',
];
const hasOddKeys = (call: Call): boolean => {
  const body = json(call);
  const metadata = isItem(body) ? body['metadata'] : undefined;
  return isItem(metadata) && Object.keys(metadata).some((key) => !/^[\w.-]+$/.test(key));
};

/** A policy of somebody else at a time: every 400 ms it is deleted, and another one created. */
const FOREIGN = '00000000-0000-4000-8000-';
const foreignPolicy = (ms: number): Item => {
  const id = `${FOREIGN}${Math.floor(ms / 400)
    .toString(16)
    .padStart(12, '0')}`;
  return { id, name: 'of somebody else', order: 0 };
};

/** The job that a call stores. */
const jobAfter = (call: Call, before: unknown): unknown => {
  const body = json(call);
  if (call.method !== 'PATCH') return body;
  try {
    return isItem(before) && Array.isArray(body) ? patch(before, body) : undefined;
  } catch {
    return undefined;
  }
};

const hasRuleWithoutAction = (call: Call): boolean => {
  const body = json(call);
  const rules = isItem(body) ? body['rules'] : undefined;
  const lacksAction = (rule: unknown): boolean =>
    isItem(rule) && !(Array.isArray(rule['actions']) && rule['actions'].length > 0);
  return Array.isArray(rules) && rules.some(lacksAction);
};

export const PERSONALITIES: Record<string, Personality> = {
  'upper-case-ids': answers((answer) => ({ ...answer, body: upper(deep(answer.body, upperMembers)) })),
  'policy-list-in-a-wrapper': answers((answer, call) =>
    isList(call) && answer.status === 200 && Array.isArray(answer.body)
      ? { status: 200, body: { total: 1_000_000, page: Number(call.query.get('page') ?? 0), data: answer.body } }
      : answer,
  ),
  'null-members-left-out': bodies((item) =>
    Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)),
  ),
  'lists-lag': { options: { lag: (_, view) => (view === 'list' ? 450 : 0) } },
  'everything-lags': { options: { lag: () => 350 } },
  'policies-through-an-approval-pipeline': { options: { lag: (what) => (what === 'policies' ? 700 : 0) } },
  'text-errors': answers((answer) =>
    answer.status < 400
      ? answer
      : {
          status: answer.status,
          body: `Error ${answer.status}`,
          headers: { ...answer.headers, 'content-type': 'text/plain' },
        },
  ),
  'head-and-options': async (call, next) => {
    if (call.method === 'OPTIONS') return { status: 204, headers: { allow: 'GET,POST,PUT,PATCH,DELETE' } };
    return call.method === 'HEAD' ? { ...(await next({ ...call, method: 'GET' })), body: undefined } : next(call);
  },
  'runs-take-for-ever': { options: { runMs: 100_000_000 } },
  'runs-end-at-once': { options: { runMs: 1 } },
  'results-are-approved-at-once': { options: { firstState: 'Approved' } },
  'approvals-take-a-while': { options: { approvalMs: 600 } },
  'names-are-trimmed': names((name) => name.trim()),
  'new-policies-are-active': { options: { activeAtFirst: true } },
  'malformed-ids-are-400': answers((answer, call) =>
    answer.status === 404 && /^\/(accesscontrolpolicies|aiagent|aijob)\/(?![0-9a-f]{8}-)[^/]+/i.test(call.path)
      ? { status: 400 }
      : answer,
  ),
  'agents-are-returned-when-made': async (call, next, service) => {
    const answer = await next(call);
    return answer.status === 200 && call.path === '/aiagent' && call.method === 'POST'
      ? { ...answer, body: service.agents.all().at(-1) }
      : answer;
  },
  'audit-log-in-a-wrapper': answers((answer, call) =>
    call.path.startsWith('/auditLog') && answer.status === 200
      ? { ...answer, body: { total: 7, data: answer.body } }
      : answer,
  ),
  // 0 normal, 1 test run, 2 all: what the numbers of RunTypeFilter mean is not shown.
  'runs-are-numbered-otherwise': (call, next) => {
    const query = new URLSearchParams(call.query);
    const other: Record<string, string> = { '0': '1', '1': '2', '2': '0' };
    if (query.has('runType')) query.set('runType', other[query.get('runType') ?? ''] ?? query.get('runType') ?? '');
    return next({ ...call, query });
  },
  // Where api.md shows neither the fields of a model nor the states of a resource.
  'rules-need-an-action': (call, next) => {
    const isStored = is(call, 'POST /accesscontrolpolicies', 'PUT /accesscontrolpolicies/{}');
    const isAllowed = who(call) === TOKENS.full;
    return isStored && isAllowed && hasRuleWithoutAction(call)
      ? { status: 400, body: { title: 'A rule needs an action' } }
      : next(call);
  },
  'others-replace-a-policy-and-reads-lag': async (call, next) => {
    if (is(call, 'GET /accesscontrolpolicies/byprocessingorder')) {
      const answer = await next(call);
      return Array.isArray(answer.body)
        ? { ...answer, body: [foreignPolicy(Date.now() - 300), ...(answer.body as Item[])] }
        : answer;
    }
    const order = json(call);
    const isSet = who(call) === TOKENS.full && is(call, 'POST /accesscontrolpolicies/setprocessingorder');
    if (!isSet || !Array.isArray(order)) return next(call);
    const isForeign = (entry: unknown): boolean => isItem(entry) && String(entry['id']).startsWith(FOREIGN);
    const current = foreignPolicy(Date.now())['id'];
    if ((order as Item[]).some((each) => isForeign(each) && each['id'] !== current)) return { status: 400 };
    const own = order.filter((each) => !isForeign(each));
    return next({ ...call, body: JSON.stringify(own) });
  },
  'jobs-are-locked-while-they-run': {
    options: { runMs: 500 },
    layer: (call, next, service) => {
      const isRunning = service.runs.some(({ jobId, state }) => jobId === idOf(call) && state === 'Running');
      return who(call) === TOKENS.full && is(call, ...LOCKED) && isRunning ? { status: 409 } : next(call);
    },
  },
  'jobs-need-an-endpoint-and-none-is-known': (call, next) => {
    const body = json(call);
    const isJob = who(call) === TOKENS.full && is(call, 'POST /aijob', 'PUT /aijob/{}', 'POST /aijob/{}/dry-run');
    if (!isJob || !isItem(body) || (body['endpointId'] ?? NO_ID) !== NO_ID) return next(call);
    return { status: 400, body: { status: 400, errors: { EndpointId: ['Must not be empty.'] } } };
  },
  'runs-need-an-endpoint-and-none-is-known': (call, next, service) =>
    who(call) === TOKENS.full &&
    is(call, 'POST /aijob/{}/execution-queue', 'POST /aijob/{}/dry-run') &&
    (call.path.endsWith('/execution-queue') || isItem(json(call))) &&
    service.jobs.get(idOf(call))
      ? { status: 400, body: { status: 400, title: 'The endpoint of the job does not exist.' } }
      : next(call),
  'jobs-are-not-ready-to-run': (call, next, service) =>
    who(call) === TOKENS.full &&
    is(call, 'POST /aijob/{}/execution-queue', 'POST /aijob/{}/dry-run', 'POST /aijob/{}/preview') &&
    (call.path.endsWith('/execution-queue') || isItem(json(call))) &&
    service.jobs.get(idOf(call))
      ? { status: 409 }
      : next(call),
  'search-finds-whole-names': async (call, next) => {
    const wanted = call.query.get('searchName') ?? '';
    if (wanted === '' || !is(call, 'GET /accesscontrolpolicies')) return next(call);
    const [page, take] = [Number(call.query.get('page') ?? 0), Number(call.query.get('take') ?? 20)];
    const all = await next({ ...call, ...query(call, { page: '0', take: '100000' }) });
    if (!Array.isArray(all.body) || !(page >= 0 && take >= 1)) return next(call);
    const found = (all.body as Item[]).filter(({ name }) => String(name).toLowerCase() === wanted.toLowerCase());
    return { ...all, body: found.slice(page * take, (page + 1) * take) };
  },
  'names-are-ascii': (call, next) => {
    const body = json(call);
    const name = isItem(body) && !/clue/i.test(call.path) ? body['name'] : undefined;
    const isRefused = who(call) === TOKENS.full && typeof name === 'string' && /[^\x20-\x7e]/.test(name);
    return isRefused ? { status: 400 } : next(call);
  },
  'jobs-need-a-prompt': (call, next, service) => {
    const isJob =
      who(call) === TOKENS.full &&
      is(call, 'POST /aijob', 'PUT /aijob/{}', 'PATCH /aijob/{}', 'POST /aijob/{}/dry-run');
    const job = isJob ? jobAfter(call, service.jobs.get(idOf(call))) : undefined;
    return isItem(job) && (job['prompt'] ?? '') === '' ? { status: 400 } : next(call);
  },
  'policies-need-a-filter-with-rules-and-there-are-none': (call, next) => {
    const body = json(call);
    const isPolicy =
      who(call) === TOKENS.full && is(call, 'POST /accesscontrolpolicies', 'PUT /accesscontrolpolicies/{}');
    if (!isPolicy || !isItem(body)) return next(call);
    const rules = isItem(body['condition']) ? body['condition']['rules'] : undefined;
    return Array.isArray(rules) && rules.length > 0 ? next(call) : { status: 400 };
  },
  'agents-in-wrappers': answers((answer, call) => {
    if (answer.status !== 200 || !is(call, 'GET /aiagent', 'GET /aiagent/{}')) return answer;
    return { ...answer, body: { links: {}, [Array.isArray(answer.body) ? 'agents' : 'agent']: answer.body } };
  }),
  'creators-are-shown-by-name': bodies((item) =>
    item['createdBy'] === 'full' ? { ...item, createdBy: 'Full User' } : item,
  ),
  'no-token-may-post-data': (call, next) =>
    who(call) === TOKENS.full && is(call, 'POST /clue', 'POST /admin/entity/ProcessClue')
      ? { status: 403 }
      : next(call),
  'searches-need-three-characters': (call, next) => {
    const name = call.query.get('searchName') ?? '';
    return is(call, 'GET /accesscontrolpolicies') && who(call) === TOKENS.full && /^.{1,2}$/su.test(name)
      ? { status: 400 }
      : next(call);
  },
  'metadata-keys-are-plain': (call, next) =>
    who(call) === TOKENS.full && hasOddKeys(call) ? { status: 400 } : next(call),
};
