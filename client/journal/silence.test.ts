import { expect, test } from 'vitest';
import { createTarget } from '../pipeline.ts';
import { serve } from '../testing/fixtures.ts';
import { THINGS } from '../testing/things.ts';
import { untilSilent } from './silence.ts';

test('nothing more is sent to a target after two attempts in a row that timed out', async () => {
  let requests = 0;
  let isSilent = false;
  const server = await serve((_, response) => {
    requests += 1;
    if (!isSilent) response.end('[]');
  });
  const target = untilSilent(createTarget({ baseUrl: server.url, timeoutMs: 400 }));
  const remove = THINGS.operation('DELETE /things/{id}') ?? expect.fail('no operation');
  const [form = expect.fail('no form')] = remove.forms;
  const send = () => target.send({ operation: remove, form, path: { id: '1' } });
  expect((await send()).response?.status).toBe(200);
  isSilent = true;
  for (let at = 0; at < 10; at += 1) expect((await send()).failure?.kind).toBe('timeout');
  expect(requests).toBe(3);
  await target.close();
  await server.close();
});
