/** Every operation of api.md, section 4. */
import { AGENT, JOB, POLICY, Refusal, isItem, isUuid, patch } from './model.ts';
import type { Item } from './model.ts';
import { choice, flag, holds, json, one, paged, slice, summaryOf } from './query.ts';
import { RESULT_TYPES } from './service.ts';
import type { Call, Service } from './service.ts';

type Handler = (call: Call) => unknown;

const AGENTS = 'RACI:management.aiagents';
const PERMISSIONS: Record<string, string> = {
  accesscontrolpolicies: 'RACI:management.accesscontrol',
  aiagent: AGENTS,
  aijob: AGENTS,
  status: 'none',
};
/** Who may call an operation: `none` for everybody, `any` for everybody with a token. */
export const permissionOf = (path: string): string => PERMISSIONS[path.split('/')[1] ?? ''] ?? 'any';

/** What every operation does. */
export function operations(service: Service): Record<string, Handler> {
  const { options } = service;
  const view = (job: Item): Item => ({
    ...job,
    resultsSummary: { items: summaryOf(service.results.filter(({ jobId }) => jobId === job['id'])) },
  });
  const switchTo =
    (isActive: boolean): Handler =>
    (call) => {
      const policy = service.find('policies', call);
      service.save('policies', policy.id, { ...policy, isActive }, isActive ? 'Activate' : 'Deactivate');
    };
  const typed = (call: Call): Item[] =>
    service.ofJob(call, service.results).filter(({ type }) => type === call.params['type']);
  return {
    'GET /accesscontrolpolicies': (call) => service.policyList(call),
    'POST /accesscontrolpolicies': (call) => {
      const order = Math.max(0, ...service.policies.all().map((policy) => Number(policy['order']))) + 1;
      const policy = service.create('policies', call, POLICY);
      service.policies.put(policy.id, {
        ...policy,
        order,
        isActive: policy['isActive'] === true || options.activeAtFirst,
      });
      return policy.id;
    },
    'GET /accesscontrolpolicies/byprocessingorder': () =>
      service.order().map(({ id, name, order }) => ({ id, name, order })),
    'POST /accesscontrolpolicies/setprocessingorder': (call) => {
      service.setOrder(json(call));
    },
    'GET /accesscontrolpolicies/actions': () => [
      { name: 'Mask', type: 'Mask', supportsPreview: false, properties: [] },
    ],
    'POST /accesscontrolpolicies/{id}/activate': switchTo(true),
    'POST /accesscontrolpolicies/{id}/deactivate': switchTo(false),
    'GET /accesscontrolpolicies/{id}': (call) => service.find('policies', call, false),
    'PUT /accesscontrolpolicies/{id}': (call) => {
      const { isActive } = service.find('policies', call);
      const body = json(call);
      service.update(
        'policies',
        call,
        POLICY,
        isItem(body) ? { ...body, isActive: body['isActive'] ?? isActive } : body,
      );
    },
    'DELETE /accesscontrolpolicies/{id}': (call) => service.remove('policies', call),

    'GET /aiagent': (call) => service.byMetadata(call, service.agents.all(options.lag('agents', 'list'))),
    'POST /aiagent': (call) => void service.create('agents', call, AGENT),
    'GET /aiagent/{id}': (call) => service.find('agents', call, false),
    'PUT /aiagent/{id}': (call) => void service.update('agents', call, AGENT, json(call)),
    'DELETE /aiagent/{id}': (call) => {
      const { id } = service.find('agents', call);
      if (service.jobs.all().some(({ aiAgentId }) => aiAgentId === id)) throw new Refusal(400, 'a job uses this agent');
      service.remove('agents', call);
    },

    'GET /aijob': (call) => service.byMetadata(call, service.jobs.all(options.lag('jobs', 'list'))),
    'POST /aijob': (call) => view(service.create('jobs', call, JOB)),
    'GET /aijob/summary': () => ({ type: null, status: null, count: service.results.length }),
    'GET /aijob/{id}': (call) => view(service.find('jobs', call, false)),
    'PUT /aijob/{id}': (call) => view(service.update('jobs', call, JOB, json(call))),
    'PATCH /aijob/{id}': (call) => {
      const job = service.find('jobs', call);
      return view(service.update('jobs', call, JOB, patch(job, json(call))));
    },
    'DELETE /aijob/{id}': (call) => service.remove('jobs', call),
    'POST /aijob/{id}/preview': (call) => {
      service.find('jobs', call);
      return { input: service.valid(json(call), JOB)['prompt'] };
    },
    'GET /aijob/{id}/chatstream': (call) => {
      const text = call.query.get('offset') || '0';
      if (!/^-?\d{1,19}$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) throw new Refusal(400);
      return service
        .ofJob(call, service.chats)
        .map((item, offset) => ({ item, offset }))
        .filter(({ offset }) => offset >= BigInt(text));
    },
    'GET /aijob/{id}/results/{type}': (call) => {
      const [state, name] = [call.query.get('state'), call.query.get('searchName') ?? ''];
      return paged(
        call,
        typed(call).filter((result) => (!state || result['state'] === state) && holds(result['description'], name)),
      );
    },
    'GET /aijob/{id}/results/{type}/{resultId}': (call) => one(typed(call), call.params['resultId']),
    'GET /aijob/{id}/runs': (call) => {
      const kind = choice(call, 'runType', ['all', 'normal', 'testrun']);
      return paged(
        call,
        service.ofJob(call, service.runs).filter(({ dryRun }) => kind === 0 || dryRun === (kind === 2)),
      );
    },
    'GET /aijob/{jobId}/runs/{runId}/chats': (call) => {
      const without = flag(call, 'includeOnlyChatsWithNoResults') ?? false;
      const chats = service
        .ofRun(call, service.chats)
        .filter(({ id }) => !without || !service.results.some(({ chatId }) => chatId === id));
      return paged(
        call,
        chats.map(({ id, sequenceId }) => ({ id, sequenceId })),
      );
    },
    'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}': (call) =>
      one(service.ofRun(call, service.chats), call.params['chatId']),
    'GET /aijob/{id}/runs/{runId}/results': (call) =>
      paged(
        call,
        service
          .ofRun(call, service.results)
          .map(({ description, state, type, model, chatId }) => ({ description, state, type, model, chatId })),
      ),
    'POST /aijob/{id}/execution-queue': (call) => service.run(call, false),
    'POST /aijob/{id}/dry-run': (call) => service.run(call, true),
    'PUT /aijob/{id}/bulk-result-approval-request': (call) => {
      const body = json(call);
      service.approve(
        service.ofJob(call, service.results).filter(({ state }) => state === 'Pending'),
        isItem(body) ? body['action'] : body,
      );
    },
    'POST /aijob/{id}/results/{type}/approvals': (call) => {
      const body = json(call);
      if (!isItem(body) || !Array.isArray(body['results']) || !body['results'].every(isItem)) throw new Refusal(400);
      const known = typed(call);
      service.approve(
        body['results'].map((result) => one(known, String(result['resultId']))),
        body['action'],
      );
    },

    'GET /aijobskills': () =>
      RESULT_TYPES.map((name, at) => ({ id: `0000000${at}-1111-4111-8111-111111111111`, name, autoApprove: false })),
    'GET /auditLog/getByObjectTypeIds': (call) => {
      const ids = new Set(call.query.getAll('objectIds').map((id) => id.toLowerCase()));
      if (![...ids].every(isUuid)) throw new Refusal(400);
      return slice(
        call,
        service.log.filter(({ objectId }) => ids.size === 0 || ids.has(String(objectId))),
      );
    },
    'GET /auditLog/{objectId}/{objectTypeId}': (call) =>
      slice(
        call,
        service.log.filter(({ objectId }) => objectId === call.params['objectId']?.toLowerCase()),
      ),
    'GET /status': () => ({ ServiceStatus: 'Green', DataShards: [], Components: [] }),
    'GET /vocabs/keys': (call) => {
      const data = slice(
        call,
        [...service.keys].map((key) => ({ key })),
      );
      return { total: service.keys.size, data };
    },
    'POST /clue': (call) => {
      const body = json(call);
      const root = isItem(body) ? body['clue'] : undefined;
      if (!isItem(root)) throw new Refusal(400, 'a clue is expected');
      const bag = ['clueDetails', 'data', 'entityData', 'properties'].reduce<unknown>(
        (at, key) => (isItem(at) ? at[key] : undefined),
        root,
      );
      for (const key of Object.keys(isItem(bag) ? bag : {})) service.keys.add(key);
    },
    'POST /admin/entity/ProcessClue': (call) => {
      if (!isItem(json(call))) throw new Refusal(400, 'an object is expected');
    },
    'GET /v2/search/suggest': () => [],
    'GET /v3/search/suggest': () => [],
  };
}
