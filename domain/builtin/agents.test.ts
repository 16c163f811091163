import { afterEach, expect, test } from 'vitest';
import { overHttp } from '../testing/over-http.ts';
import type { OverHttp } from '../testing/over-http.ts';
import { sharedAgent } from './agents.ts';

const OK = { responses: { 200: { description: 'ok' } } };
const BODY = {
  content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
};
const AGENTS = {
  '/aiagent': { get: OK, post: { ...OK, requestBody: BODY } },
  '/aiagent/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    get: OK,
    delete: OK,
  },
};

let api: OverHttp;
afterEach(() => api.close());

/** A deployment that answers that many creations without storing the agent. */
async function losing(lost: number): Promise<void> {
  const agents: { readonly id: string; readonly name: string }[] = [];
  api = await overHttp(AGENTS, ({ line, body }) => {
    if (line.startsWith('POST')) {
      const { name } = JSON.parse(body) as { readonly name: string };
      const agent = { id: `00000000-0000-4000-8000-00000000000${agents.length}`, name };
      agents.push(agent);
      return { status: 200, json: agent };
    }
    const kept = agents.slice(lost);
    if (line === 'GET /aiagent') return { status: 200, json: kept };
    const agent = kept.find(({ id }) => line === `GET /aiagent/${id}`);
    return agent === undefined ? { status: 404 } : { status: 200, json: agent };
  });
}

test('the shared agent is created again where the deployment loses it', async () => {
  await losing(2);
  expect((await sharedAgent(api.t)).id).toMatch(/2$/);
});

test('the shared agent is not created without end', async () => {
  await losing(9);
  await expect(sharedAgent(api.t)).rejects.toThrow('cannot be found');
  expect(api.calls.filter(({ line }) => line.startsWith('POST'))).toHaveLength(3);
});
