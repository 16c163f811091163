import { expect, it } from 'vitest';
import type { ZonedSlice } from '../../load/index.ts';
import { ZoneRates } from './zone-rates.ts';

const live = ['eu', 'eu', 'us'].map((zone) => ({ hello: { zone } })) as unknown as ConstructorParameters<
  typeof ZoneRates
>[2]['live'];

const slice = (zone: string, answered: number): ZonedSlice =>
  ({ lane: 0, zone, slice: { parts: [{ answered }] } }) as unknown as ZonedSlice;

it('tells how many agents there are, and offered and achieved rate of each zone', () => {
  const rates = new ZoneRates({ eu: 70, us: 30 }, 4, { live });
  rates.add([slice('eu', 1)], 250);
  rates.add([slice('eu', 100), slice('eu', 70), slice('us', 60)], 250);
  expect(rates.live(1000)).toEqual({
    agents: 3,
    of: 4,
    zones: [
      { zone: 'eu', agents: 2, offeredRate: 700, rate: 680 },
      { zone: 'us', agents: 1, offeredRate: 300, rate: 240 },
    ],
  });
});

it('has no zones where none were asked for', () => {
  expect(new ZoneRates(undefined, 3, { live }).live(1000)).toEqual({ agents: 3, of: 3, zones: [] });
});
