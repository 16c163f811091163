/** Ways in which a healthy deployment may differ: what api.md leaves open, and what platform.md's list of false alarms allows. */
import { answers, bodies, json } from './layers.ts';
import { isItem } from './model.ts';
import { CHOICES } from './personalities-choices.ts';
import type { Call, Layer, Options } from './service.ts';

export interface Personality {
  layers?: Layer[];
  options?: Partial<Options>;
}

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
  'lists-lag': { options: { lag: (_, view) => (view === 'list' ? 450 : 0) } },
  'everything-lags': { options: { lag: () => 350 } },
  'policies-through-an-approval-pipeline': { options: { lag: (what) => (what === 'policies' ? 700 : 0) } },
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
  'new-policies-are-active': { options: { activeAtFirst: true } },
  'malformed-ids-are-400': {
    layers: [
      answers((answer, call) =>
        answer.status === 404 && /^\/(accesscontrolpolicies|aiagent|aijob)\/(?![0-9a-f]{8}-)[^/]+/i.test(call.path)
          ? { status: 400 }
          : answer,
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
  'audit-log-in-a-wrapper': {
    layers: [
      answers((answer, call) =>
        call.path.startsWith('/auditLog') && answer.status === 200
          ? { ...answer, body: { total: 7, data: answer.body } }
          : answer,
      ),
    ],
  },
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
};
