import { expect, test } from 'vitest';
import { loadContract } from '../../../spec/index.ts';
import type { Exchange, Json } from '../../../spec/index.ts';
import { exchangeOf } from '../../../spec/testing/exchange.ts';
import { findWrongSelection } from './selection.ts';
import type { ItemToFind } from './selection.ts';

const exchange = (id: string, json: Json = null): Exchange =>
  exchangeOf({ id, operation: 'GET /accesscontrolpolicies', method: 'POST', json });

const candidate = (id: string): ItemToFind =>
  ({ id, name: id, created: exchange(`create ${id}`), moved: exchange(`move ${id}`) }) as unknown as ItemToFind;

test('the evidence of an item that a filter leaves out is its creation and activation, those of another item, and every page', async () => {
  const operation = (await loadContract()).operation('GET /accesscontrolpolicies') ?? expect.fail('not there');
  const pages = [exchange('page 0', [{ id: 'b' }]), exchange('page 1', [{ id: 'b' }])];
  const found = findWrongSelection(operation, { subject: 'active', requirement: 'policies.filter-active' }, [
    [{ ids: new Set(['b']), pages }, [candidate('a'), candidate('b')], true],
  ]);
  expect(found?.exchanges.map(({ id }) => id)).toEqual([
    'create a',
    'move a',
    'create b',
    'move b',
    'page 0',
    'page 1',
  ]);
});
