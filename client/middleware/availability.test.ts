import { expect, test } from 'vitest';
import { createTarget } from '../pipeline.ts';
import type { Target } from '../pipeline.ts';
import { aRequest, serve, closeAfterTest } from '../testing/fixtures.ts';
import type { TestServer } from '../testing/fixtures.ts';

function targetAt(server: TestServer): Target {
  const target = createTarget({
    baseUrl: server.url,
    requireAvailable: true,
    retry: { reconnect: false, patienceMs: 0 },
  });
  closeAfterTest(server, target);
  return target;
}

test('a target that can not be reached is given up: later requests fail at once, and are not sent', async () => {
  const server = await serve((_request, response) => response.end());
  const target = targetAt(server);
  await target.send(aRequest());
  await server.close();
  await expect(target.send(aRequest())).rejects.toMatchObject({ code: 'unreachable' });
  expect(target.lost?.message).toMatch(/can no longer be reached: .*ECONNREFUSED/);
  const again = await serve((_request, response) => response.end());
  closeAfterTest(again);
  const { exchanges } = target.stats;
  await expect(target.send(aRequest())).rejects.toThrow(target.lost?.message);
  expect(target.stats.exchanges).toBe(exchanges);
});

test('a request that is only postponed is no exchange, and ten in a row are an unreachable target', async () => {
  let status = 429;
  const target = targetAt(
    await serve((_request, response) => response.writeHead(status, { 'retry-after': '9' }).end()),
  );
  await expect(target.send(aRequest())).rejects.toMatchObject({ code: 'postponed' });
  status = 200;
  expect((await target.send(aRequest())).response?.status).toBe(200);
  status = 503;
  for (let count = 1; count < 10; count += 1)
    await expect(target.send(aRequest())).rejects.toMatchObject({ code: 'postponed' });
  const error = { code: 'unreachable', message: expect.stringContaining('none of the last 10 requests (503)') };
  await expect(target.send(aRequest())).rejects.toMatchObject(error);
});

test('a change that a gateway answered with 502 is not sent again, and the reason says so', async () => {
  const target = targetAt(await serve((_request, response) => response.writeHead(502, { 'retry-after': '0' }).end()));
  const why = 'returned 502, and is not sent again because it may have been processed';
  await expect(target.send(aRequest({ method: 'POST' }))).rejects.toThrow(why);
  await expect(target.send(aRequest())).rejects.toThrow('still returns 502 after the longest wait');
});
