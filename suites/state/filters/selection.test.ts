import { expect, test } from 'vitest';
import { loadContract } from '../../../spec/index.ts';
import type { Exchange } from '../../../spec/index.ts';
import { findWrongSelection } from './selection.ts';
import type { ItemToFind } from './selection.ts';

const exchange = (id: string, json: unknown = null): Exchange =>
  ({
    id,
    operation: 'GET /accesscontrolpolicies',
    request: { method: 'POST' },
    response: { status: 200, json },
  }) as unknown as Exchange;

const candidate = (id: string): ItemToFind =>
  ({ id, name: id, created: exchange(`create ${id}`), moved: exchange(`move ${id}`) }) as unknown as ItemToFind;

test('the evidence of an item that a filter leaves out is its creation and activation, those of another item, and every page', async () => {
  const operation = (await loadContract()).operation('GET /accesscontrolpolicies');
  if (operation === undefined) throw new Error('not there');
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
