import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isObject, scalarText } from '../../spec/index.ts';
import type { Exchange } from '../../spec/index.ts';
import type { RequestSpec } from '../request-spec.ts';
import { hasCurl, paste } from '../testing/curl.ts';
import { operation, aRequest, targetForAll } from '../testing/fixtures.ts';
import { toCurlWithSetup } from './curl-with-setup.ts';

/** Stores items: the response to a POST contains another id before that of the item. */
const items = new Map<string, string>();
const lines: string[] = [];
const target = await targetForAll(
  (request, response) => {
    void text(request).then((body) => {
      const id = (request.url ?? '').split('/')[3]?.toLowerCase() ?? '';
      response.setHeader('content-type', 'application/json');
      lines.push(`${request.method} ${items.has(id) ? 'an item' : (request.url ?? '')} ${body}`);
      if (request.method === 'POST') {
        const made = randomUUID();
        items.set(made, body);
        response.end(JSON.stringify({ owner: randomUUID(), id: made }));
      } else if (!items.has(id)) response.writeHead(404).end();
      else {
        if (request.method === 'PUT') items.set(id, body);
        if (request.method === 'DELETE') items.delete(id);
        if (body.includes('reset')) request.socket.destroy();
        else response.end(items.get(id));
      }
    });
  },
  { tokens: { full: 'secret' } },
);

const THINGS = operation({ path: '/things' });
const THING = (id: string): RequestSpec['operation'] => operation({ path: `/things/${id}` });
const body = (content: string): Partial<RequestSpec> => ({ body: { type: 'application/json', content } });

async function make(content: string): Promise<{ id: string; exchange: Exchange }> {
  const exchange = await target.send(aRequest({ operation: THINGS, method: 'POST', ...body(content) }));
  const json = exchange.response?.json;
  return { id: isObject(json) ? scalarText(json['id']) : '', exchange };
}

function pasted(line: string | undefined): Promise<string> {
  lines.length = 0;
  return paste(line, { ASSAY_TOKEN: 'secret' });
}

test.skipIf(!hasCurl)(
  'what a list should show is created and changed once each, though the list names no ids',
  async () => {
    const things = [await make('{"name":"one"}'), await make('{"name":"two"}')];
    const steps: Exchange[] = [];
    for (const { id, exchange } of things)
      steps.push(
        exchange,
        await target.send(aRequest({ operation: THING(id), method: 'PUT', ...body('{"on":true}') })),
      );
    const list = await target.send(aRequest({ operation: THINGS }));
    await pasted(toCurlWithSetup(list, { steps: [...steps, list], origin: () => undefined }));
    const [create, change] = ['POST /api/things', 'PUT an item {"on":true}'];
    expect(lines.toSorted()).toEqual(
      ['GET /api/things ', `${create} {"name":"one"}`, `${create} {"name":"two"}`, change, change].toSorted(),
    );
  },
);

test.skipIf(!hasCurl)(
  'what the run removed is created again, with its dependencies, and the changes in between are repeated',
  async () => {
    const first = await make('{"name":"it\'s the first"}');
    const second = await make(`{"name":"second","of":"${first.id.toUpperCase()}"}`);
    const change = await target.send(
      aRequest({ operation: THING(second.id), method: 'PUT', ...body(`{"name":"changed $HOME","of":"${first.id}"}`) }),
    );
    const read = await target.send(aRequest({ operation: THING(second.id.toUpperCase()) }));
    items.clear();
    const origins = new Map([[first.id, first.exchange]]);
    const line = toCurlWithSetup(read, { steps: [second.exchange, change, read], origin: (id) => origins.get(id) });
    expect(line).not.toContain(first.id);
    expect(line?.toLowerCase()).not.toContain(second.id);
    const printed = await pasted(line);
    const [again] = [...items.keys()];
    expect(lines).toEqual([
      'POST /api/things {"name":"it\'s the first"}',
      `POST /api/things {"name":"second","of":"${again?.toUpperCase() ?? ''}"}`,
      `PUT an item {"name":"changed $HOME","of":"${again ?? ''}"}`,
      'GET an item ',
    ]);
    expect(printed).toMatch(/^HTTP\/1\.1 200[^]*\{"name":"changed \$HOME"/);
  },
);

test.skipIf(!hasCurl)('a read before the change comes before it, since a cache may keep its answer', async () => {
  const { id, exchange } = await make('{"name":"cached"}');
  const read = (): Promise<Exchange> => target.send(aRequest({ operation: THING(id), method: 'GET' }));
  const before = await read();
  const removed = await target.send(aRequest({ operation: THING(id), method: 'DELETE' }));
  const steps = [before, removed, await read()];
  const origin = (known: string): Exchange | undefined => (known === id ? exchange : undefined);
  const line = toCurlWithSetup(steps.at(-1) ?? before, { steps, origin, connection: {} });
  await pasted(line);
  expect(lines.map((each) => each.split(' ', 1)[0])).toEqual(['POST', 'GET', 'DELETE', 'GET']);
});

test.skipIf(!hasCurl)('what follows a change that was not answered is sent all the same', async () => {
  const { id, exchange } = await make('{"name":"one"}');
  const change = await target.send(aRequest({ operation: THING(id), method: 'PUT', ...body('{"reset":true}') }));
  expect(change.response).toBeUndefined();
  const read = await target.send(aRequest({ operation: THING(id) }));
  const printed = await pasted(toCurlWithSetup(read, { steps: [change, read], origin: () => exchange }));
  expect(lines.slice(1)).toEqual(['PUT an item {"reset":true}', 'GET an item ']);
  expect(printed).toContain('{"reset":true}');
});

test.skipIf(!hasCurl)('a request without dependencies comes after the change before it', async () => {
  const once = await make('{"a":1}');
  const again = await make('{"a":1}');
  const line = toCurlWithSetup(again.exchange, { steps: [once.exchange, again.exchange], origin: () => undefined });
  await pasted(line);
  expect(lines).toEqual(['POST /api/things {"a":1}', 'POST /api/things {"a":1}']);
});

test('there is no such line where the path names what a new item would not have, or where it takes too many steps', async () => {
  const made = await make('{}');
  const read = await target.send(aRequest({ operation: THING(`${made.id}/parts/${randomUUID()}`) }));
  expect(
    toCurlWithSetup(read, { steps: [read], origin: (id) => (id === made.id ? made.exchange : undefined) }),
  ).toBeUndefined();
  const many = await Promise.all(Array.from({ length: 8 }, () => make('{}')));
  const last = many.at(-1)?.exchange;
  expect(
    last === undefined
      ? ''
      : toCurlWithSetup(last, { steps: many.map(({ exchange }) => exchange), origin: () => undefined }),
  ).toBeUndefined();
});

test.skipIf(!hasCurl)('what filled a list is repeated with new names, and every read of it is shown', async () => {
  const setup = [await make('{"name":"assay-r1-n0001"}'), await make('{"name":"assay-r1-n0002"}')];
  const page = (index: number): Promise<Exchange> =>
    target.send(aRequest({ operation: THINGS, rawQuery: `page=${index}` }));
  const [first, second] = [await page(1), await page(2)];
  const exchanges = setup.map(({ exchange }) => exchange);
  const line = toCurlWithSetup(second, { steps: [first, second], origin: () => undefined, setup: exchanges });
  await pasted(line);
  expect(lines).toEqual([
    'POST /api/things {"name":"assay-r1-n0001-71"}',
    'POST /api/things {"name":"assay-r1-n0001-42"}',
    'GET /api/things?page=1 ',
    'GET /api/things?page=2 ',
  ]);
});
