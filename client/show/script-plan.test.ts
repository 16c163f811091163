import { expect, test } from 'vitest';
import type { Exchange, Method } from '../../spec/index.ts';
import { exchangeOf } from '../../spec/testing/exchange.ts';
import { planIn } from './script-plan.ts';
import type { ScriptSources } from './script-plan.ts';

const ID = '00000000-0000-4000-8000-00000000000a';
const OTHER = '00000000-0000-4000-8000-00000000000b';

let sent = 0;

/** An exchange that succeeded, in the order of the calls. */
function exchange(method: Method, path: string, id?: string): Exchange {
  sent += 1;
  const operation = `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]+/u, '{id}')}`;
  return exchangeOf({ id: `x${sent}`, operation, method, path, json: id === undefined ? {} : { id }, sentAt: sent });
}

function sources(
  ...histories: readonly (readonly [id: string, made: Exchange, changes: readonly Exchange[]])[]
): ScriptSources {
  const of = (id: string) => histories.find(([each]) => each === id);
  return { origin: (id) => of(id)?.[1], changes: (id) => of(id)?.[2] ?? [] } as ScriptSources;
}

const order = (...[violation, known]: Parameters<typeof planIn>): readonly Exchange[] => planIn(violation, known).order;

test('a patch, or a change of what was read first, needs the last update of it; another change needs what was started', () => {
  const made = exchange('POST', '/things', ID);
  const [start, old, update, approval] = [
    exchange('POST', `/things/${ID}/start`),
    exchange('PUT', `/things/${ID}`),
    exchange('PUT', `/things/${ID}`),
    exchange('PUT', `/things/${ID}/approval`),
  ];
  const [read, patch] = [exchange('GET', `/things/${ID}`), exchange('PATCH', `/things/${ID}`)];
  const last = exchange('PUT', `/things/${ID}`);
  const known = sources([ID, made, [start, old, update, approval]]);
  expect(order({ exchanges: [read, patch] }, known)).toEqual([made, start, update, approval, read, patch]);
  expect(order({ exchanges: [patch] }, known)).toEqual([made, start, update, approval, patch]);
  expect(order({ exchanges: [last] }, known)).toEqual([made, start, last]);
});

test('what was created between the steps needs what was started before its use', () => {
  const first = exchange('POST', '/things', ID);
  const use = exchange('DELETE', `/things/${ID}`);
  const [second, start] = [exchange('POST', '/things', OTHER), exchange('POST', `/things/${OTHER}/start`)];
  const other = exchange('DELETE', `/things/${OTHER}`);
  const later = exchange('POST', `/things/${OTHER}/start`);
  const known = sources([ID, first, []], [OTHER, second, [start, later]]);
  expect(order({ exchanges: [use, other] }, known)).toEqual([first, use, second, start, other]);
});

test('a set-up is sent once, and repeated as a whole', () => {
  const made = exchange('POST', '/things', ID);
  const setup = [exchange('POST', `/things/${ID}/start`), exchange('POST', `/things/${ID}/start`)];
  const read = exchange('GET', `/things/${ID}`);
  expect(order({ exchanges: [read], setup }, sources([ID, made, setup]))).toEqual([made, setup[0], read]);
});

test('what was switched before is switched again, unless that made something', () => {
  const made = exchange('POST', '/things', ID);
  const [on, off] = [exchange('POST', `/things/${ID}/on`), exchange('POST', `/things/${ID}/off`)];
  const run = exchange('POST', `/things/${ID}/runs`, OTHER);
  const [last, runs] = [exchange('POST', `/things/${ID}/off`), exchange('POST', `/things/${ID}/runs`)];
  const known = sources([ID, made, [on, off, run]]);
  expect(order({ exchanges: [last] }, known)).toEqual([made, on, off, run, last]);
  expect(order({ exchanges: [runs] }, known)).toEqual([made, on, off, runs]);
});

test('the ids in malformed JSON need not exist', () => {
  const made = exchange('POST', '/things', ID);
  const sending = (text: string): Exchange => {
    const given = exchange('PUT', '/things/order');
    return {
      ...given,
      request: { ...given.request, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) },
    };
  };
  const [whole, cut] = [sending(`["${ID}"]`), sending(`["${ID}"`)];
  expect(order({ exchanges: [whole] }, sources([ID, made, []]))).toEqual([made, whole]);
  expect(order({ exchanges: [cut] }, sources([ID, made, []]))).toEqual([cut]);
});

test('a list that fails needs what was created and updated before it failed', () => {
  const [made, update] = [exchange('POST', '/things', ID), exchange('PUT', `/things/${ID}`)];
  const list = exchange('GET', '/things');
  const failed = { ...list, response: { status: 500, headers: [], body: Buffer.from('') } } as unknown as Exchange;
  const known = { ...sources([ID, made, []]), beforeFailure: () => [made, update] };
  expect(order({ exchanges: [failed] }, known)).toEqual([made, update, failed]);
  expect(order({ exchanges: [list] }, known)).toEqual([list]);
});

test('an id that an update sends is not looked for in a read after it', () => {
  const [made, before] = [exchange('POST', '/things', ID), exchange('GET', `/things/${ID}`, OTHER)];
  const update = { ...exchange('PUT', `/things/${ID}`) };
  const body = Buffer.from(JSON.stringify({ id: OTHER }));
  const sending = { ...update, request: { ...update.request, body } };
  const after = exchange('GET', `/things/${ID}`, OTHER);
  const known = (seen: Exchange): ScriptSources => ({
    ...sources([ID, made, []]),
    seen: (id) => (id === OTHER ? seen : undefined),
    updatedAt: () => sending.sentAt,
  });
  expect(order({ exchanges: [sending] }, known(before))).toEqual([made, before, sending]);
  expect(order({ exchanges: [sending] }, known(after))).toEqual([made, sending]);
});
