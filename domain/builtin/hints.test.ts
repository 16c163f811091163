import { expect, test } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { exchangeOf } from '../../spec/testing/exchange.ts';
import { hintFor } from './hints.ts';

const refused = (operation: string, body: string): Exchange =>
  exchangeOf({ operation, method: 'POST', status: 400, body });

test('a refusal that mentions the organization advises to set it, or to check the one that is set', () => {
  const exchange = refused('POST /accesscontrolpolicies', '{"detail":"Unknown Organisation."}');
  expect(hintFor(exchange, true, {})).toMatch(/set fixtures\.organization/);
  expect(hintFor(exchange, true, { organization: 'o-1' })).toMatch(/organization .*o-1, may not exist/);
});

test('a refusal that mentions the entity type advises to set it for clues only', () => {
  const text = '{"detail":"Unknown entity type."}';
  expect(hintFor(refused('POST /clue', text), true, {})).toMatch(/mentions the entity type: set fixtures\.entityType/);
  expect(hintFor(refused('POST /accesscontrolpolicies', text), true, {})).toBeUndefined();
});

test('a refusal that mentions nothing gets a hint only where the operation has not served any request', () => {
  expect(hintFor(refused('POST /clue', ''), false, {})).toMatch(/organization/);
  expect(hintFor(refused('POST /aijob', ''), false, {})).toMatch(/endpoint/);
  expect(hintFor(refused('POST /clue', ''), true, {})).toBeUndefined();
  expect(hintFor(refused('POST /aiagent', ''), false, {})).toBeUndefined();
});
