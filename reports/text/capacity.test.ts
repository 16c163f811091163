import { expect, it } from 'vitest';
import { eventOf } from '../live/events.ts';
import { limitText, sustained } from './capacity.ts';

it('does not state a rate as the limit of the target where the search ended earlier', () => {
  const ended = { rate: 1009, limitedBy: 'time' };
  expect(sustained(ended)).toBe('at least 1,009 requests/s');
  expect(limitText(ended)).toBe('the time budget ended before the limit was found');
  const record = { type: 'capacity', scenario: 's', low: 1009, high: 1009, steps: [], ...ended } as const;
  expect(eventOf(record)?.[1]).toMatchObject({ found: sustained(ended), limit: limitText(ended) });
  const found = { rate: 1009, limitedBy: 'latency' };
  expect(sustained({ ...found, confirmed: true })).toBe('1,009 requests/s');
  expect(sustained({ ...found, confirmed: false })).toBe('1,009 requests/s (not confirmed)');
  expect(limitText(found)).toBe('limited by latency');
});
