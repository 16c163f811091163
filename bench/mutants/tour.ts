import { randomUUID } from 'node:crypto';
import type { Tokens } from './types.ts';

/** What one asks of a deployment during a tour. */
export interface Probe {
  readonly method: string;
  /** After the base URL, with the query. */
  readonly target: string;
  /** A value is sent as JSON, a string as it is. */
  readonly body?: unknown;
  readonly text?: string;
  readonly type?: string;
  readonly accept?: string | null;
  /** The Authorization header word for word; null sends none. */
  readonly authorization?: string | null;
}

export interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
  readonly type: string;
}

export type Sender = (probe: Probe) => Promise<Answer>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Sends probes to a base URL with the full token where a probe says nothing else. */
export function sender(baseUrl: string, tokens: Tokens): Sender {
  return async ({ method, target, body, text, type, accept, authorization }) => {
    const headers: Record<string, string> = {};
    if (accept !== null) headers['accept'] = accept ?? 'application/json';
    if (authorization !== null) headers['authorization'] = authorization ?? `Bearer ${tokens.full}`;
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    if (content !== undefined) headers['content-type'] = type ?? 'application/json';
    try {
      const response = await fetch(baseUrl + target, {
        method,
        headers,
        redirect: 'manual',
        ...(content === undefined ? {} : { body: content }),
      });
      const received = await response.text();
      return {
        status: response.status,
        json: parse(received),
        text: received,
        type: response.headers.get('content-type') ?? '',
      };
    } catch (error) {
      return { status: 0, json: undefined, text: String(error), type: '' };
    }
  };
}

/** Things to probe with. */
export interface Fixtures {
  readonly policies: readonly string[];
  readonly agent: string;
  readonly job: string;
  readonly otherJob: string;
  readonly run: string;
  readonly chat: string;
  readonly type: string;
  readonly result: string;
  /** Whom the policies show as their creator. */
  readonly creator: string;
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (current, key) => (typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined),
    value,
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : randomUUID());

async function makeJob(send: Sender, agent: string, runs: number): Promise<string> {
  const made = await send({ method: 'POST', target: '/api/aijob', body: jobBody(agent) });
  const job = textOf(at(made.json, 'id'));
  for (let count = 0; count < runs; count += 1)
    await send({ method: 'POST', target: `/api/aijob/${job}/execution-queue` });
  return job;
}

/** A body for creating and updating a job. */
export function jobBody(agent: string): Record<string, unknown> {
  return {
    name: `tour ${randomUUID()}`,
    description: 'd',
    prompt: 'p',
    metadata: { team: 'a', area: 'b' },
    allowedSkills: ['b', 'a'],
    enabled: true,
    aiAgentId: agent,
  };
}

/** A body for creating and updating a policy. */
export function policyBody(name = `tour ${randomUUID()}`): Record<string, unknown> {
  return { name, description: 'a description' };
}

/** Makes, on the healthy service, what the probes need: 26 policies of which half are active, an agent and two jobs with runs. */
export async function prepare(send: Sender): Promise<Fixtures> {
  const policies: string[] = [];
  for (let index = 0; index < 26; index += 1) {
    const id = textOf((await send({ method: 'POST', target: '/api/accesscontrolpolicies', body: policyBody() })).json);
    policies.push(id);
    if (index % 2 === 0) await send({ method: 'POST', target: `/api/accesscontrolpolicies/${id}/activate` });
  }
  await send({ method: 'POST', target: '/api/aiagent', body: { name: 'tour', metadata: { team: 'a' } } });
  const agents = (await send({ method: 'GET', target: '/api/aiagent' })).json;
  const agent = textOf(at(agents, (Array.isArray(agents) ? agents.length : 1) - 1, 'id'));
  const [job, otherJob] = [await makeJob(send, agent, 13), await makeJob(send, agent, 1)];
  await new Promise((resolve) => {
    setTimeout(resolve, 60);
  });
  const run = textOf(at((await send({ method: 'GET', target: `/api/aijob/${job}/runs` })).json, 'data', 0, 'id'));
  const chat = textOf(
    at((await send({ method: 'GET', target: `/api/aijob/${job}/runs/${run}/chats` })).json, 'data', 0, 'id'),
  );
  const first = at((await send({ method: 'GET', target: `/api/aijob/${job}/runs/${run}/results` })).json, 'data', 0);
  const creator = textOf(
    at((await send({ method: 'GET', target: `/api/accesscontrolpolicies/${policies[0] ?? ''}` })).json, 'createdBy'),
  );
  return {
    creator,
    policies,
    agent,
    job,
    otherJob,
    run,
    chat,
    type: textOf(at(first, 'type')),
    result: textOf(at(first, 'id')),
  };
}
