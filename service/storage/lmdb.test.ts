import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createIdentities } from '../http/identity.ts';
import { clientOf } from '../testing/client.ts';
import type { Send } from '../testing/client.ts';

const START = new URL('../start.ts', import.meta.url).href;
const CHILD = `
  const { startService } = await import('${START}');
  const service = await startService({ dataDir: process.env.FOLDER });
  console.log(service.baseUrl);
`;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function life(folder: string, act: (send: Send) => Promise<void>): Promise<void> {
  const flags = ['--import', 'tsx', '--input-type=module', '-e', CHILD];
  const env = { ...process.env, FOLDER: folder };
  const child: ChildProcess = spawn(process.execPath, flags, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    await act(
      clientOf({ baseUrl: String(line).trim(), tokens: createIdentities('1').tokens, close: () => Promise.resolve() }),
    );
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

test('a change that was answered with 200 survives kill -9', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-durable-'));
  folders.push(folder);
  const made: unknown[] = [];
  let jobs: unknown;
  await life(folder, async (send) => {
    const create = (index: number) =>
      send('POST /api/accesscontrolpolicies', { body: { name: `policy ${index}`, condition: { value: [index] } } });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => create(index)));
    made.push(...answers.map(({ json }) => json));
    await send(`DELETE /api/accesscontrolpolicies/${String(made.pop())}`);
    await send(`POST /api/accesscontrolpolicies/${String(made[0])}/activate`);
    await send('POST /api/accesscontrolpolicies/setprocessingorder', { body: made.toReversed().map((id) => ({ id })) });
    const job = (await send('POST /api/aijob', { body: { name: 'long job' } })).json as { id: string };
    await send(`POST /api/aijob/${job.id}/execution-queue`);
    jobs = (await send('GET /api/aijob')).json;
    const origin = { 'attribute-origin': `/Person#test:${'1'.repeat(5000)}` };
    const properties = { 'durable.key': 'x', ['k'.repeat(5000)]: 'y' };
    const entityData = { ...origin, entityType: '/Person', name: 'Durable Ann', properties };
    const clue = { ...origin, clueDetails: { data: { entityData } } };
    await send('POST /api/v1/clue?save=true', { body: { clue } });
  });
  await life(folder, async (send) => {
    const order = (await send('GET /api/accesscontrolpolicies/byprocessingorder')).json as { id: string }[];
    expect(order.slice(0, 39).map(({ id }) => id)).toEqual(made.toReversed());
    expect(order).toHaveLength(42);
    expect((await send(`GET /api/accesscontrolpolicies/${String(made[0])}`)).json).toMatchObject({
      name: 'policy 0',
      isActive: true,
    });
    const again = (await send('GET /api/aijob')).json as { id: string; name: string }[];
    expect(again.map(({ id }) => id)).toEqual((jobs as { id: string }[]).map(({ id }) => id));
    const job = again.find(({ name }) => name === 'long job');
    await expect
      .poll(async () => (await send(`GET /api/aijob/${job?.id}/runs`)).json)
      .toMatchObject({ data: [{ state: 'Completed' }] });
    expect((await send('GET /api/v1/vocabs/keys?searchName=durable')).json).toMatchObject({ total: 1 });
    expect((await send('GET /api/v2/search/suggest?query=durable')).json).toEqual(['Durable Ann']);
    const fresh = await send('POST /api/accesscontrolpolicies', { body: { name: 'fresh' } });
    expect(made).not.toContain(fresh.json);
  });
});
