import { expect, test } from 'vitest';
import { knowledgeFor } from '../../domain/index.ts';
import { loadContract } from '../../spec/index.ts';
import type { Exchange, Method, Violation } from '../../spec/index.ts';
import { exchangeOf } from '../../spec/testing/exchange.ts';
import { History } from './history.ts';
import { blamedOnUpdate } from './other-update.ts';

const OWN = '0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f11';
const OTHER = '6f0d3a1c-52b7-4c1e-9a68-0b1d2c3e4f5a';
const TAG = 'assay-1234abcd';

const contract = await loadContract();
const knowledge = knowledgeFor(contract);

function of(method: Method, id: string, name: string, sentAt: number): Exchange {
  const path = method === 'POST' ? '/aiagent' : `/aiagent/${id}`;
  const operation = method === 'POST' ? 'POST /aiagent' : `${method} /aiagent/{id}`;
  const given = exchangeOf({ id: `${method} ${sentAt}`, operation, method, path, json: { id, name }, sentAt });
  const body = Buffer.from(JSON.stringify({ name }));
  return method === 'GET' ? given : { ...given, request: { ...given.request, body } };
}

const created = of('POST', OWN, `${TAG}-n1`, 1);
const read = of('GET', OWN, `${TAG}-n2`, 3);
const shownOtherwise: Violation = {
  code: 'created-reads-back/member',
  operation: contract.operation('POST /aiagent')!,
  message: 'another name',
  expected: `${TAG}-n1`,
  received: `${TAG}-n2`,
  exchanges: [created, read],
};

function blamed(update: Exchange): Violation {
  const history = new History();
  for (const each of [created, update, read]) history.add(each);
  history.addOrigin(OWN, created);
  return blamedOnUpdate({ contract, knowledge, history, tag: TAG }, shownOtherwise);
}

test('an item that shows the name which an update sent to another one was changed by that update', () => {
  const update = of('PUT', OTHER, `${TAG}-n2`, 2);
  expect(blamed(update)).toMatchObject({
    code: 'updated-reads-back/other-item',
    operation: { id: 'PUT /aiagent/{id}' },
    requirement: 'agents.update-stores',
    exchanges: [{ id: created.id }, { id: update.id }, read],
  });
});

test('no update is blamed that came later, sent another name, or was of the item itself', () => {
  const others = [of('PUT', OTHER, `${TAG}-n2`, 4), of('PUT', OTHER, `${TAG}-n3`, 2), of('PUT', OWN, `${TAG}-n2`, 2)];
  for (const update of others) expect(blamed(update)).toBe(shownOtherwise);
});

const list = exchangeOf({
  id: 'list',
  operation: 'GET /aiagent',
  path: '/aiagent',
  json: [
    { id: OTHER, name: `${TAG}-n1` },
    { id: OWN, name: `${TAG}-n1` },
  ],
  sentAt: 4,
});
const other = of('POST', OTHER, `${TAG}-n3`, 2);

function blamedIn(update: Exchange, code: Violation['code'], exchanges: readonly Exchange[]): Violation {
  const history = new History();
  for (const each of [created, other, update, list]) history.add(each);
  history.addOrigin(OTHER, other);
  return blamedOnUpdate({ contract, knowledge, history, tag: TAG }, { ...shownOtherwise, code, exchanges });
}

test('a list that shows an item by the name which an update sent to another one shows that update', () => {
  const update = of('PUT', OWN, `${TAG}-n1`, 3);
  for (const [code, creation] of [
    ['created-reads-back/listed-member', other],
    ['created-reads-back/created-twice', created],
  ] as const)
    expect(blamedIn(update, code, [creation, list])).toMatchObject({
      code: 'updated-reads-back/other-item',
      exchanges: [{ id: other.id }, { id: update.id }, { id: 'list' }],
    });
});
