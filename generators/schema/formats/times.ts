import type { Prng } from '../../core/prng.ts';
import type { Format } from './format.ts';

function randomInstant(random: Prng): string {
  const second = random.chance(0.8)
    ? random.int(946_684_800, 2_208_988_800)
    : random.int(-2_208_988_800, 7_258_118_400);
  return new Date(second * 1000 + random.int(0, 999)).toISOString();
}

export const dateTime: Format = {
  simplest: '1970-01-01T00:00:00Z',
  samples: [
    '1970-01-01T00:00:00Z',
    '2024-02-29T12:00:00Z',
    '2000-01-01T00:00:00.123Z',
    '2023-12-31T23:59:59.999Z',
    '2024-03-31T02:30:00+01:00',
    '1969-12-31T23:59:59Z',
    '2038-01-19T03:14:08Z',
    '9999-12-31T23:59:59Z',
    '2024-06-15T10:20:30.1234567Z',
    '2024-01-01T00:00:00-12:00',
    '2024-01-01T00:00:00+14:00',
    '1900-01-01T00:00:00Z',
    '2024-01-01T00:00:00+05:45',
  ],
  generate: randomInstant,
};

export const date: Format = {
  simplest: '1970-01-01',
  samples: ['1970-01-01', '2024-02-29', '1999-12-31', '9999-12-31', '1900-02-28', '2000-02-29', '2100-02-28'],
  generate: (random) => randomInstant(random).slice(0, 10),
};

export const time: Format = {
  simplest: '00:00:00Z',
  samples: ['00:00:00Z', '23:59:59Z', '12:30:00.5Z', '08:00:00+02:00', '00:00:00-00:30'],
  generate: (random) => `${randomInstant(random).slice(11, 19)}Z`,
};

export const duration: Format = {
  simplest: 'P1D',
  samples: ['P1D', 'PT0S', 'P1Y2M3DT4H5M6S', 'P4W', 'PT36H'],
  generate: (random) => `P${random.int(0, 30)}DT${random.int(0, 23)}H`,
};
