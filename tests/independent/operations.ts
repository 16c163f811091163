/** Every operation of api.md, section 4. */
import { AGENT, JOB, POLICY, Refusal, isItem, isUuid, patch } from './model.ts';
import type { Item } from './model.ts';
import { choice, flag, holds, json, one, paged, slice, summaryOf } from './query.ts';
import { RESULT_TYPES } from './service.ts';
import type { Call, Service } from './service.ts';

type Handler = (call: Call) => unknown;

const ACCESS = 'RACI:management.accesscontrol';
const AGENTS = 'RACI:management.aiagents';
const ANY = 'any';

/** Every operation: who may call it, and what it does. */
export function operations(service: Service): [method: string, path: string, permission: string, run: Handler][] {
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
  return [
    ['GET', '/accesscontrolpolicies', ACCESS, (call) => service.policyList(call)],
    [
      'POST',
      '/accesscontrolpolicies',
      ACCESS,
      (call) => {
        const order = Math.max(0, ...service.policies.all().map((policy) => Number(policy['order']))) + 1;
        const policy = service.create('policies', call, POLICY);
        service.policies.put(policy.id, {
          ...policy,
          order,
          isActive: policy['isActive'] === true || options.activeAtFirst,
        });
        return policy.id;
      },
    ],
    [
      'GET',
      '/accesscontrolpolicies/byprocessingorder',
      ACCESS,
      () => service.order().map(({ id, name, order }) => ({ id, name, order })),
    ],
    [
      'POST',
      '/accesscontrolpolicies/setprocessingorder',
      ACCESS,
      (call) => {
        service.setOrder(json(call));
      },
    ],
    [
      'GET',
      '/accesscontrolpolicies/actions',
      ACCESS,
      () => [{ name: 'Mask', type: 'Mask', supportsPreview: false, properties: [] }],
    ],
    ['POST', '/accesscontrolpolicies/{id}/activate', ACCESS, switchTo(true)],
    ['POST', '/accesscontrolpolicies/{id}/deactivate', ACCESS, switchTo(false)],
    ['GET', '/accesscontrolpolicies/{id}', ACCESS, (call) => service.find('policies', call, false)],
    [
      'PUT',
      '/accesscontrolpolicies/{id}',
      ACCESS,
      (call) => {
        const { isActive } = service.find('policies', call);
        const body = json(call);
        service.update(
          'policies',
          call,
          POLICY,
          isItem(body) ? { ...body, isActive: body['isActive'] ?? isActive } : body,
        );
      },
    ],
    ['DELETE', '/accesscontrolpolicies/{id}', ACCESS, (call) => service.remove('policies', call)],

    ['GET', '/aiagent', AGENTS, (call) => service.byMetadata(call, service.agents.all(options.lag('agents', 'list')))],
    ['POST', '/aiagent', AGENTS, (call) => void service.create('agents', call, AGENT)],
    ['GET', '/aiagent/{id}', AGENTS, (call) => service.find('agents', call, false)],
    ['PUT', '/aiagent/{id}', AGENTS, (call) => void service.update('agents', call, AGENT, json(call))],
    [
      'DELETE',
      '/aiagent/{id}',
      AGENTS,
      (call) => {
        const { id } = service.find('agents', call);
        if (service.jobs.all().some(({ aiAgentId }) => aiAgentId === id))
          throw new Refusal(400, 'a job uses this agent');
        service.remove('agents', call);
      },
    ],

    ['GET', '/aijob', AGENTS, (call) => service.byMetadata(call, service.jobs.all(options.lag('jobs', 'list')))],
    ['POST', '/aijob', AGENTS, (call) => view(service.create('jobs', call, JOB))],
    ['GET', '/aijob/summary', AGENTS, () => ({ type: null, status: null, count: service.results.length })],
    ['GET', '/aijob/{id}', AGENTS, (call) => view(service.find('jobs', call, false))],
    ['PUT', '/aijob/{id}', AGENTS, (call) => view(service.update('jobs', call, JOB, json(call)))],
    [
      'PATCH',
      '/aijob/{id}',
      AGENTS,
      (call) => {
        const job = service.find('jobs', call);
        return view(service.update('jobs', call, JOB, patch(job, json(call))));
      },
    ],
    ['DELETE', '/aijob/{id}', AGENTS, (call) => service.remove('jobs', call)],
    [
      'POST',
      '/aijob/{id}/preview',
      AGENTS,
      (call) => {
        service.find('jobs', call);
        return { input: service.valid(json(call), JOB)['prompt'] };
      },
    ],
    [
      'GET',
      '/aijob/{id}/chatstream',
      AGENTS,
      (call) => {
        const text = call.query.get('offset') || '0';
        if (!/^-?\d{1,19}$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) throw new Refusal(400);
        return service
          .ofJob(call, service.chats)
          .map((item, offset) => ({ item, offset }))
          .filter(({ offset }) => offset >= BigInt(text));
      },
    ],
    [
      'GET',
      '/aijob/{id}/results/{type}',
      AGENTS,
      (call) => {
        const [state, name] = [call.query.get('state'), call.query.get('searchName') ?? ''];
        return paged(
          call,
          typed(call).filter((result) => (!state || result['state'] === state) && holds(result['description'], name)),
        );
      },
    ],
    ['GET', '/aijob/{id}/results/{type}/{resultId}', AGENTS, (call) => one(typed(call), call.params['resultId'])],
    [
      'GET',
      '/aijob/{id}/runs',
      AGENTS,
      (call) => {
        const kind = choice(call, 'runType', ['all', 'normal', 'testrun']);
        return paged(
          call,
          service.ofJob(call, service.runs).filter(({ dryRun }) => kind === 0 || dryRun === (kind === 2)),
        );
      },
    ],
    [
      'GET',
      '/aijob/{jobId}/runs/{runId}/chats',
      AGENTS,
      (call) => {
        const without = flag(call, 'includeOnlyChatsWithNoResults') ?? false;
        const chats = service
          .ofRun(call, service.chats)
          .filter(({ id }) => !without || !service.results.some(({ chatId }) => chatId === id));
        return paged(
          call,
          chats.map(({ id, sequenceId }) => ({ id, sequenceId })),
        );
      },
    ],
    [
      'GET',
      '/aijob/{jobId}/runs/{runId}/chats/{chatId}',
      AGENTS,
      (call) => one(service.ofRun(call, service.chats), call.params['chatId']),
    ],
    [
      'GET',
      '/aijob/{id}/runs/{runId}/results',
      AGENTS,
      (call) =>
        paged(
          call,
          service
            .ofRun(call, service.results)
            .map(({ description, state, type, model, chatId }) => ({ description, state, type, model, chatId })),
        ),
    ],
    ['POST', '/aijob/{id}/execution-queue', AGENTS, (call) => service.run(call, false)],
    ['POST', '/aijob/{id}/dry-run', AGENTS, (call) => service.run(call, true)],
    [
      'PUT',
      '/aijob/{id}/bulk-result-approval-request',
      AGENTS,
      (call) => {
        const body = json(call);
        service.approve(
          service.ofJob(call, service.results).filter(({ state }) => state === 'Pending'),
          isItem(body) ? body['action'] : body,
        );
      },
    ],
    [
      'POST',
      '/aijob/{id}/results/{type}/approvals',
      AGENTS,
      (call) => {
        const body = json(call);
        if (!isItem(body) || !Array.isArray(body['results']) || !body['results'].every(isItem)) throw new Refusal(400);
        const known = typed(call);
        service.approve(
          body['results'].map((result) => one(known, String(result['resultId']))),
          body['action'],
        );
      },
    ],

    [
      'GET',
      '/aijobskills',
      ANY,
      () =>
        RESULT_TYPES.map((name, at) => ({ id: `0000000${at}-1111-4111-8111-111111111111`, name, autoApprove: false })),
    ],
    [
      'GET',
      '/auditLog/getByObjectTypeIds',
      ANY,
      (call) => {
        const ids = new Set(call.query.getAll('objectIds').map((id) => id.toLowerCase()));
        if (![...ids].every(isUuid)) throw new Refusal(400);
        return slice(
          call,
          service.log.filter(({ objectId }) => ids.size === 0 || ids.has(String(objectId))),
        );
      },
    ],
    [
      'GET',
      '/auditLog/{objectId}/{objectTypeId}',
      ANY,
      (call) =>
        slice(
          call,
          service.log.filter(({ objectId }) => objectId === call.params['objectId']?.toLowerCase()),
        ),
    ],
    ['GET', '/status', 'none', () => ({ ServiceStatus: 'Green', DataShards: [], Components: [] })],
    [
      'GET',
      '/vocabs/keys',
      ANY,
      (call) => {
        const data = slice(
          call,
          [...service.keys].map((key) => ({ key })),
        );
        return { total: service.keys.size, data };
      },
    ],
    [
      'POST',
      '/clue',
      ANY,
      (call) => {
        const body = json(call);
        const root = isItem(body) ? body['clue'] : undefined;
        if (!isItem(root)) throw new Refusal(400, 'a clue is expected');
        const bag = ['clueDetails', 'data', 'entityData', 'properties'].reduce<unknown>(
          (at, key) => (isItem(at) ? at[key] : undefined),
          root,
        );
        for (const key of Object.keys(isItem(bag) ? bag : {})) service.keys.add(key);
      },
    ],
    [
      'POST',
      '/admin/entity/ProcessClue',
      ANY,
      (call) => {
        if (!isItem(json(call))) throw new Refusal(400, 'an object is expected');
      },
    ],
    ['GET', '/v2/search/suggest', ANY, () => []],
    ['GET', '/v3/search/suggest', ANY, () => []],
  ];
}
