import { expect, test } from 'vitest';
import { loadContract } from '../../../spec/index.ts';
import type { Exchange, Json, Operation } from '../../../spec/index.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import type { Tested } from '../define.ts';
import { findWrongChats } from './chat-filter.ts';

const contract = await loadContract();
const operation = contract.operation('GET /aijob/{jobId}/runs/{runId}/chats') as Operation;
const [form] = operation.forms;

/** What the test of the filter finds where every chat is selected, and each read of the chats shows `added` more of them. */
async function codeWhere(added: number, results: readonly Json[]): Promise<string | undefined> {
  let shown = 2;
  const send = ({ id }: Operation, { query }: RequestSpec): Promise<Exchange> => {
    if (id === operation.id) shown += added;
    const data = id === operation.id ? Array.from({ length: shown }, (_, at) => ({ id: `chat-${at}` })) : results;
    const page =
      query?.['pageNumber'] === 1 ? { totalCount: data.length, data } : { totalCount: data.length, data: [] };
    return Promise.resolve({ id, request: { method: 'GET' }, response: { status: 200, json: page } } as never);
  };
  const target = { operation, form, otherForm: form } as Tested;
  const t = { contract, send } as unknown as TestContext;
  return (await findWrongChats(t, target, { jobId: 'job', runId: 'run' }))?.code;
}

test('chats that the filter selects wrongly are no violation while the run adds chats', async () => {
  const results = [{ chatId: 'chat-0' }];
  expect(await codeWhere(0, results)).toBe('filters/wrongly-found');
  expect(await codeWhere(0, [])).toBeUndefined();
  expect(await codeWhere(1, results)).toBeUndefined();
});
