import { expect, it } from 'vitest';
import type { Contract, Operation } from '../../spec/index.ts';
import { isOther, memberFilters, wrongIn } from './member-filters.ts';

function listWith(parameters: Readonly<Record<string, object>>): Operation {
  const query = Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema: { schema } }));
  return { method: 'GET', parameters: query } as unknown as Operation;
}

/** Without references. */
const CONTRACT = { resolve: (ref: unknown) => ref } as unknown as Contract;

const TEXT = { type: 'string' };
const ITEMS = [
  { id: '1', state: 'open', is_public: true, sort: 'a', attributes: { visibility: 'all' } },
  { id: '2', state: 'closed', is_public: false, sort: 'b', attributes: { visibility: 'few' } },
];

it('finds parameters that are named as a member, with a value of an item', () => {
  const list = listWith({
    state: TEXT,
    isPublic: { type: 'boolean' },
    'filter[visibility]': TEXT,
    sort: TEXT,
    q: TEXT,
  });
  expect(memberFilters(CONTRACT, list, ITEMS)).toEqual([
    { parameter: 'state', member: 'state', value: 'open' },
    { parameter: 'isPublic', member: 'is_public', value: true },
    { parameter: 'filter[visibility]', member: 'visibility', value: 'all' },
  ]);
});

it('finds none where all items are alike, or the description does not have the value', () => {
  expect(memberFilters(CONTRACT, listWith({ state: TEXT }), ITEMS.slice(1))).toEqual([]);
  expect(memberFilters(CONTRACT, listWith({ state: { type: 'string', enum: ['done'] } }), ITEMS)).toEqual([]);
});

it('a filter may look for a part of a text, in any case', () => {
  const filter = { parameter: 'state', member: 'state', value: 'Open' };
  expect([{ state: 'reopened' }, { state: 'closed' }, {}].map((item) => isOther(item, filter))).toEqual([
    false,
    true,
    false,
  ]);
});

it('numbers select themselves, a least or a greatest value', () => {
  const number = { type: 'integer' };
  const anyNumber = { ...CONTRACT, validate: () => [] } as unknown as Contract;
  const items = [1, 2, 3].map((seats) => ({ seats }));
  const list = listWith({ seats: number, minSeats: number, 'seats[lte]': number, minutes: number });
  const found = memberFilters(anyNumber, list, items);
  expect(found).toEqual([
    { parameter: 'seats', member: 'seats', value: 2 },
    { parameter: 'minSeats', member: 'seats', bound: 'min', value: 2 },
    { parameter: 'seats[lte]', member: 'seats', bound: 'max', value: 1 },
  ]);
  expect(found.map((each) => wrongIn(items, each))).toEqual([{ seats: 1 }, { seats: 1 }, { seats: 2 }]);
  const [equal] = found;
  expect(equal && wrongIn(items.slice(1), equal), 'it may be the least one').toBeUndefined();
});
