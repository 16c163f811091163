import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isObject, loadContract, scalarText } from '../../spec/index.ts';
import type { Exchange, Violation } from '../../spec/index.ts';
import type { RequestSpec } from '../request-spec.ts';
import { hasCurl, paste } from '../testing/curl.ts';
import { aRequest, operation, targetForAll } from '../testing/fixtures.ts';
import { needsAllSteps, toCurlOfSteps } from './curl-of-steps.ts';

const lines: string[] = [];
const parts = new Map<string, string[]>();
let waiting: (() => void) | undefined;

/** Things with parts; a PUT is answered when another one is there. */
const target = await targetForAll(
  (request, response) => {
    void text(request).then((body) => {
      const [, , , id = '', what] = (request.url ?? '').split('/');
      const send = (value: unknown): void => void response.end(JSON.stringify(value));
      response.setHeader('content-type', 'application/json');
      lines.push(`${request.method} ${parts.has(id) ? 'a thing' : id}${what === undefined ? '' : ` ${what}`}`);
      if (request.method === 'PUT') {
        const other = waiting;
        waiting = other === undefined ? () => send({ id }) : undefined;
        other?.();
        if (other !== undefined) send({ id });
      } else if (request.method === 'GET') send({ id, parts: parts.get(id) });
      else if (id === '') {
        const made = randomUUID();
        parts.set(made, []);
        send({ owner: '00000000-0000-0000-0000-000000000000', id: made });
      } else if (what === 'make') send(parts.get(id)?.push(randomUUID()));
      else if (what === 'start') {
        setTimeout(() => parts.get(id)?.push(randomUUID()), 300);
        send({});
      } else send({ known: [...parts.values()].flat().some((each) => body.includes(each)) });
    });
  },
  { tokens: { full: 'secret' } },
);

const contract = await loadContract();
const things = (path = ''): RequestSpec['operation'] => operation({ path: `/things${path}` });
const send = (method: 'GET' | 'POST' | 'PUT', path = '', content = '{}'): Promise<Exchange> =>
  target.send(
    aRequest({
      operation: things(path),
      method,
      ...(method === 'GET' ? {} : { body: { type: 'application/json', content } }),
    }),
  );
const idOf = ({ response }: Exchange): string => (isObject(response?.json) ? scalarText(response.json['id']) : '');
const violation = (exchanges: readonly Exchange[]): Violation => ({
  code: 'overlap/not-linearizable',
  message: '',
  expected: '',
  received: '',
  exchanges,
});

function pasted(line: string | undefined): Promise<string> {
  lines.length = 0;
  parts.clear();
  return paste(line, { ASSAY_TOKEN: 'secret' });
}

test.skipIf(!hasCurl)('requests that overlapped are sent together', async () => {
  const made = await send('POST');
  const id = idOf(made);
  const puts = await Promise.all([send('PUT', `/${id}`), send('PUT', `/${id}`)]);
  const read = await send('GET', `/${id}`);
  const sources = { contract, origin: (each: string) => (each === id ? made : undefined) };
  const shown = violation([...puts, read]);
  expect(needsAllSteps(shown, sources)).toBe(true);
  expect(needsAllSteps(violation([read]), sources)).toBe(false);
  expect(await pasted(toCurlOfSteps(shown, sources, {}))).toMatch(/^HTTP\/1\.1 200/);
  expect(lines).toEqual(['POST ', 'PUT a thing', 'PUT a thing', 'GET a thing']);
});

test.skipIf(!hasCurl)('what the run only read is made and read again', async () => {
  const made = await send('POST');
  const id = idOf(made);
  const make = await send('POST', `/${id}/make`);
  const list = await send('GET', `/${id}`);
  const [part = ''] = parts.get(id) ?? [];
  const use = await send('POST', `/${id}/use`, JSON.stringify([part]));
  const line = toCurlOfSteps(
    violation([use]),
    {
      contract,
      origin: (each) => (each === id ? made : undefined),
      seen: (each) => (each === part ? list : undefined),
      changes: (each) => (each === id ? [make] : []),
    },
    {},
  );
  expect(await pasted(line)).toContain('{"known":true}');
  expect(lines).toEqual(['POST ', 'POST a thing make', 'GET a thing', 'POST a thing use']);
});

test.skipIf(!hasCurl)(
  'a request that was sent several times is sent so often, and a read waits for what it started',
  async () => {
    const made = await send('POST');
    const id = idOf(made);
    const starts: Exchange[] = [];
    for (let count = 0; count < 20; count += 1) starts.push(await send('POST', `/${id}/start`));
    await expect.poll(() => parts.get(id)?.length).toBe(20);
    const read = await send('GET', `/${id}`);
    const line = toCurlOfSteps(
      violation([read]),
      { contract, origin: (each) => (each === id ? made : undefined), changes: (each) => (each === id ? starts : []) },
      {},
    );
    const printed = await pasted(line);
    expect(printed.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g), printed).toHaveLength(21);
    expect(lines.filter((each) => each === 'POST a thing start')).toHaveLength(20);
  },
);
