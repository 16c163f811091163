import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTarget } from '../../client/index.ts';
import type { Target } from '../../client/index.ts';
import { startService } from '../../service/start.ts';
import type { RunningService } from '../../service/start.ts';
import { isObject, loadContract, scalarText } from '../../spec/index.ts';
import type { Contract, Json } from '../../spec/index.ts';
import { idInResponse } from '../id-in-response.ts';
import { idOf, itemsOf, memberOf } from '../items.ts';
import { sampleBody } from './bodies/sample-body.ts';
import { OPERATIONS } from './operations.ts';
import type { OperationRole } from './operations.ts';
import { releaseItem } from './release-item.ts';

let service: RunningService;
let target: Target;
let contract: Contract;
beforeAll(async () => {
  service = await startService({});
  contract = await loadContract();
  target = createTarget({ baseUrl: service.baseUrl, tokens: service.tokens });
});
afterAll(async () => {
  await target.close();
  await service.close();
});

async function call(role: OperationRole, path: Readonly<Record<string, string>>, json?: Json) {
  const operation = contract.operation(OPERATIONS[role]);
  const form = operation?.forms[0];
  if (operation === undefined || form === undefined) throw new Error(`no ${role}`);
  const body = json === undefined ? {} : { body: { type: 'application/json', content: JSON.stringify(json) } };
  const exchange = await target.send({ operation, form, path, ...body });
  return { ...exchange, status: exchange.response?.status, json: exchange.response?.json };
}

/** The same description without parameters of pages. */
function withoutPages(given: Contract): Contract {
  const operation: Contract['operation'] = (id) => {
    const found = given.operation(id);
    return found && { ...found, parameters: found.parameters.filter((each) => each.in !== 'query') };
  };
  return { ...given, operation };
}

function inPascalCase(json: Json): Json {
  if (Array.isArray(json)) return json.map((each: Json) => inPascalCase(each));
  if (!isObject(json)) return json;
  const entries = Object.entries(json).map(
    ([key, value]) => [`${key[0]?.toUpperCase()}${key.slice(1)}`, value] as const,
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, inPascalCase(value)]));
}

const asIs = <T>(given: T): T => given;

it.each([
  ['on several pages', 10, asIs<Contract>, asIs<Json>],
  ['in lists that are described without pages', 100, withoutPages, asIs<Json>],
  ['with members in PascalCase', 100, asIs<Contract>, inPascalCase],
])('rejects approved results %s, so that their job can be deleted', async (_where, pageSize, described, shown) => {
  const agent = await call('createAgent', {}, sampleBody(OPERATIONS.createAgent, 'released') ?? null);
  const aiAgentId = idInResponse(agent, 'id') ?? '';
  const job = await call('createJob', {}, sampleBody(OPERATIONS.createJob, 'released', { aiAgentId }) ?? null);
  const id = idOf(job.json) ?? '';
  await call('queue', { id });
  let results: readonly Json[] = [];
  while (results.length === 0) {
    await sleep(20);
    const [run] = itemsOf((await call('runs', { id })).json) ?? [];
    results = run === undefined ? [] : (itemsOf((await call('runResults', { id, runId: idOf(run) ?? '' })).json) ?? []);
  }
  const type = scalarText(memberOf(results[0], 'type'));
  const [first] = itemsOf((await call('results', { id, type })).json) ?? [];
  const approval = sampleBody(OPERATIONS.approve, '', { resultIds: [idOf(first) ?? ''] }) ?? null;
  expect((await call('approve', { id, type }, approval)).status).toBe(200);
  expect((await call('bulkApprove', { id }, { action: 0 })).status).toBe(200);
  expect((await call('deleteJob', { id })).status).toBe(400);
  const withPages: Target = {
    ...target,
    send: async ({ query, ...request }) => {
      const paged = request.operation.method === 'GET' ? { query: { ...query, pageSize } } : {};
      const { response, ...exchange } = await target.send({ ...request, ...paged });
      const json = response?.json;
      return {
        ...exchange,
        ...(response && { response: { ...response, ...(json !== undefined && { json: shown(json) }) } }),
      };
    },
  };
  expect(await releaseItem(withPages, described(contract), OPERATIONS.deleteJob, id)).toBe(true);
  expect((await call('deleteJob', { id })).status).toBe(200);
  expect(await releaseItem(target, contract, OPERATIONS.deleteJob, id)).toBe(false);
  expect(await releaseItem(target, contract, 'DELETE /aiagent/{id}', aiAgentId)).toBe(false);
});
