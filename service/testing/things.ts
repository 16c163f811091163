import type { Send } from './client.ts';

/** Ids of created resources. */
export interface Things {
  readonly policy: string;
  readonly agent: string;
  readonly job: string;
  readonly run: string;
  readonly chat: string;
  readonly result: string;
}

/** Creates a policy, an agent, a job and a completed run. */
export async function makeThings(send: Send): Promise<Things> {
  const policy = await idFrom(send, 'POST /api/accesscontrolpolicies', { name: 'smoke' });
  const agent = await idFrom(send, 'POST /api/aiagent', { name: 'smoke' });
  const job = await idFrom(send, 'POST /api/aijob', { name: 'smoke', metadata: { kind: 'smoke' } });
  await send(`POST /api/aijob/${job}/execution-queue`);
  const run = await endedRun(send, job);
  const chat = await firstId(send, `GET /api/aijob/${job}/runs/${run}/chats`);
  const result = await firstId(send, `GET /api/aijob/${job}/results/GoldenRecordUpdate`);
  return { policy, agent, job, run, chat, result };
}

async function idFrom(send: Send, request: string, body: unknown): Promise<string> {
  const { json } = await send(request, { body });
  return typeof json === 'string' ? json : (json as { id: string }).id;
}

async function firstId(send: Send, request: string): Promise<string> {
  const { json } = await send(request);
  return (json as { data: { id: string }[] }).data[0]?.id ?? '';
}

async function endedRun(send: Send, job: string): Promise<string> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const { json } = await send(`GET /api/aijob/${job}/runs`);
    const run = (json as { data: { id: string; state: string }[] }).data.at(-1);
    if (run?.state === 'Completed') return run.id;
  }
  throw new Error(`no run of ${job} completes`);
}

const JOB = { name: 'smoke', description: 'A job', enabled: true };

const ORIGIN = '/Person#smoke:1';
const CLUE = {
  clue: {
    'attribute-organization': '5b2f6d0e-8c1a-4e57-9f3d-2a4b6c8d0e1f',
    'attribute-origin': ORIGIN,
    'attribute-appVersion': '1.0.0.0',
    clueDetails: {
      data: {
        'attribute-origin': ORIGIN,
        entityData: {
          'attribute-origin': ORIGIN,
          entityType: '/Person',
          codes: [ORIGIN],
          properties: { 'attribute-type': '/Metadata/KeyValue', 'person.name': 'Smoke', 'person.age': '41' },
        },
      },
    },
  },
};

/** A valid body of an operation, by `METHOD /path` after the form. */
export function bodyFor(operation: string, things: Things): unknown {
  const bodies: Record<string, unknown> = {
    'POST /accesscontrolpolicies': { name: 'smoke' },
    'PUT /accesscontrolpolicies/{id}': { name: 'smoke 2', rules: [{ name: 'one' }] },
    'POST /accesscontrolpolicies/setprocessingorder': [{ id: things.policy, name: null, order: 0 }],
    'POST /aiagent': { name: 'smoke' },
    'PUT /aiagent/{id}': { name: 'smoke 2' },
    'POST /aijob': JOB,
    'PUT /aijob/{id}': JOB,
    'PATCH /aijob/{id}': [{ op: 'replace', path: '/name', value: 'patched' }],
    'POST /aijob/{id}/preview': JOB,
    'POST /aijob/{id}/dry-run': JOB,
    'PUT /aijob/{id}/bulk-result-approval-request': { action: 0 },
    'POST /aijob/{id}/results/{type}/approvals': { results: [{ resultId: things.result }], action: 1 },
    'POST /clue': CLUE,
    'POST /admin/entity/ProcessClue': { employeeId: 7, name: 'Smoke' },
  };
  return bodies[operation];
}

/** A path with the ids of created resources. */
export function pathFor(template: string, things: Things): string {
  const first = template.includes('accesscontrolpolicies')
    ? things.policy
    : template.includes('aiagent')
      ? things.agent
      : things.job;
  const values: Record<string, string> = {
    id: first,
    jobId: things.job,
    runId: things.run,
    chatId: things.chat,
    resultId: things.result,
    type: 'GoldenRecordUpdate',
    objectId: things.policy,
    objectTypeId: '7d3c1b52-4f0a-4b8e-8a51-1c6e0f9d2a01',
  };
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
