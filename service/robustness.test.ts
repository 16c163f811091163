import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { OPERATIONS } from './routes/index.ts';
import { startService } from './start.ts';
import { clientOf } from './testing/client.ts';
import { makeThings, pathFor } from './testing/things.ts';
import type { Things } from './testing/things.ts';

const service = await startService();
const send = clientOf(service);
afterAll(() => service.close());

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

const BODIES: Record<string, string | Uint8Array> = {
  empty: '',
  null: 'null',
  'a number': '1e999',
  'a string': '"x"',
  'an array': '[null, 1, "x", {}, []]',
  'an empty object': '{}',
  'deep arrays': nested(100_000, '[', ']'),
  'deep objects': `${'{"rules":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'deep filter rules': `{"name":"x","condition":${'{"rules":['.repeat(90)}${']}'.repeat(90)}}`,
  __proto__: '{"__proto__":{"name":"x"},"constructor":{"prototype":{}},"name":"p","metadata":{"__proto__":"x"}}',
  'lone surrogates': '{"name":"\\ud800","metadata":{"\\udfff":"\\ud83d"}}',
  'duplicate keys': '{"name":1,"name":"x","name":"y"}',
  'huge numbers':
    '{"name":"x","order":1e400,"enabled":12345678901234567890123,"condition":{"value":[1e400,-0,9007199254740993]}}',
  NUL: '{"name":"a\\u0000b","\\u0000":"\\u0000"}',
  'invalid UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'a BOM': '\ufeff{"name":"x"}',
  'many keys': JSON.stringify({
    name: 'x',
    metadata: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 'v'])),
  }),
  'bad patches':
    '[{"op":"add","path":"/__proto__/x","value":1},{"op":"move","from":"/name","path":"/name/x"},{"op":"x","path":1}]',
  'a patch of the root': '[{"op":"replace","path":"","value":null}]',
  'a removal of everything': '[{"op":"remove","path":""}]',
  'odd orders': '[{"id":null},{"id":"x"},{}]',
  'odd approvals': '{"results":[{"resultId":"x"},null],"action":2147483648}',
  'an odd clue': '{"clue":{"clueDetails":[],"attribute-origin":"/#:","codes":{}}}',
};

test.each(Object.entries(BODIES))('no operation fails on %s', async (_, raw) => {
  let things = await makeThings(send);
  for (const operation of OPERATIONS.filter(({ method }) => method !== 'GET')) {
    const { status } = await send(`${operation.method} ${operation.forms[0]}${pathFor(operation.path, things)}`, {
      raw,
    });
    expect([operation.id, status, status < 500]).toEqual([operation.id, status, true]);
    if (operation.method === 'DELETE') things = await makeThings(send);
  }
  for (const path of ['/accesscontrolpolicies', '/aiagent', '/aijob'])
    expect((await send(`GET /api${path}`)).status).toBe(200);
});

const QUERIES = `
  page=-1 page=2147483648 page=abc page=1.5 page=%00 page=1&page=x take=0 take=-5 take=2147483647 take=9e9
  pageNumber=0 pageNumber=-1 pageSize=0 pageSize=2147483647&pageNumber=2147483647 sortDirection=7 sortDirection=x
  runType=x filterActive=maybe filterActive= orderBy=__proto__ orderBy=condition orderBy=rules&orderAsc=no
  searchName=%25%27%22%00%ff searchName=%ED%A0%80 metadataFilter[a]=b metadataFilter[__proto__]=b metadataFilter[
  metadataFilter metadataFilter[a][b]=c offset=9223372036854775808 offset=-1 offset=x objectIds=x objectIds=
  objectIds[]=1 fromDate=x % %E0%A4%A &&& = ? a=b=c state=%F0%9F%98%80 save=perhaps
  x=${'y'.repeat(7000)}
`
  .trim()
  .split(/\s+/);

let things: Things | undefined;

test.each(QUERIES)('no operation fails on ?%s', async (query) => {
  things ??= await makeThings(send);
  for (const operation of OPERATIONS.filter(({ method }) => method === 'GET')) {
    const { status } = await send(`GET ${operation.forms[0]}${pathFor(operation.path, things)}?${query}`);
    expect([operation.id, status < 500]).toEqual([operation.id, true]);
  }
});

test('limits: body 413, URL 414, headers 431', async () => {
  expect((await send('POST /api/aiagent', { raw: `{"name":"${'x'.repeat(30_000_000)}"}` })).status).toBe(413);
  expect((await send(`GET /api/aiagent?x=${'y'.repeat(9000)}`)).status).toBe(414);
  expect(await rawStatus(`GET /api/aiagent HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`)).toBe(431);
  expect(await rawStatus('NONSENSE\r\n\r\n')).toBe(405);
});

test('numbers keep every digit', async () => {
  const raw = '{"name":"n","condition":{"value":[9007199254740993,1e400,-9223372036854775808,"12345678901234567890"]}}';
  const { json } = await send('POST /api/accesscontrolpolicies', { raw });
  const { text } = await send(`GET /api/accesscontrolpolicies/${String(json)}`);
  expect(text).toContain('"value":[9007199254740993,1e400,-9223372036854775808,"12345678901234567890"]');
  const { job } = await makeThings(send);
  const all = await send(`GET /api/aijob/${job}/chatstream`);
  const offsets = [...all.text.matchAll(/"offset":(\d+)/g)].map(([, digits]) => BigInt(digits ?? ''));
  expect(offsets.length).toBeGreaterThan(10);
  expect(offsets[0]).toBeGreaterThan(2n ** 53n);
  const last = await send(`GET /api/aijob/${job}/chatstream?offset=${offsets.at(-1)}`);
  expect([...last.text.matchAll(/"offset":(\d+)/g)]).toHaveLength(1);
});

async function rawStatus(request: string): Promise<number> {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.end(request);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return Number(answer.split(' ')[1]);
}
