import type { Prng } from '../../core/prng.ts';
import type { Format } from './format.ts';

function bytes(random: Prng, length: number): string {
  return Buffer.from(Array.from({ length }, () => random.int(0, 255))).toString('base64');
}

/** Base64, with its padding. */
export const byte: Format = {
  simplest: '',
  samples: [
    '',
    'AA==',
    'AAA=',
    'AAAA',
    '+/+/',
    '//8=',
    'TWFu',
    Buffer.from('\u00E9\u{1F600}').toString('base64'),
    Buffer.alloc(1024).toString('base64'),
  ],
  make: (random) => bytes(random, random.int(0, 24)),
};
